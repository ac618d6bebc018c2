import type { KeyObject } from 'node:crypto';
import { serviceError } from '../service-errors.ts';
import {
  type ServiceCredentials,
  type ChunkSigning,
  type Payload,
  algorithm,
  canonicalRequest,
  hmac,
  isEqual,
  signedPaths,
  signingKey,
  stringToSign,
  type Scope,
  type SignedRequest,
} from './canonical.ts';

const largestSkewMs = 15 * 60_000;
const longestPresignSeconds = 604_800;

export type AuthRequest = Pick<SignedRequest, 'method' | 'rawPath' | 'query' | 'headers'>;

export interface AuthSettings {
  readonly credentials: readonly ServiceCredentials[];
  readonly region: string;
  readonly nowMs: number;
}

/** Returns true if the request carries a signature, in its headers or in its query. */
export function isSigned(request: AuthRequest): boolean {
  return (
    request.headers.has('authorization') ||
    request.query.some(([name]) => name === 'X-Amz-Signature' || name === 'X-Amz-Algorithm') ||
    isSignatureV2Link(request)
  );
}

/** Returns true if the query has the parameters of a URL presigned with SigV2. */
function isSignatureV2Link(request: AuthRequest): boolean {
  const names = new Set(request.query.map(([name]) => name));
  return names.has('AWSAccessKeyId') && names.has('Signature');
}

/** Verifies the SigV4 signature of a request and returns how to verify its body. Throws the ServiceError that S3 would send. */
export function authenticate(request: AuthRequest, settings: AuthSettings): Payload {
  const authorization = request.headers.get('authorization');
  if (authorization?.startsWith('AWS ') === true || isSignatureV2Link(request)) {
    throw serviceError('InvalidRequest', { message: 'SigV2 is not supported; sign with SigV4.' });
  }
  if (authorization !== undefined) return verifyHeader(request, settings, authorization);
  if (isSigned(request)) return verifyPresigned(request, settings);
  throw serviceError('AccessDenied', { message: 'Anonymous access is forbidden here.' });
}

/** Returns the payload of a request without a signature. Throws `InvalidArgument` for an unknown `x-amz-content-sha256`. */
export function unsignedPayload(request: AuthRequest): Payload {
  const stated = request.headers.get('x-amz-content-sha256') ?? 'UNSIGNED-PAYLOAD';
  return payloadOf(stated, null);
}

function verifyHeader(request: AuthRequest, settings: AuthSettings, authorization: string): Payload {
  const space = authorization.indexOf(' ');
  if (authorization.slice(0, space) !== algorithm) {
    throw serviceError('InvalidRequest', {
      message: `The authorization mechanism you have provided is not supported. Please use ${algorithm}.`,
    });
  }
  const fields = new Map(
    authorization
      .slice(space + 1)
      .split(',')
      .map((field): [string, string] => {
        const [name = '', ...value] = field.trim().split('=');
        return [name, value.join('=')];
      }),
  );
  const credential = fields.get('Credential');
  const signedHeaders = fields.get('SignedHeaders');
  const signature = fields.get('Signature');
  if (credential === undefined || signedHeaders === undefined || signature === undefined) {
    throw serviceError('AuthorizationHeaderMalformed');
  }
  const { accessKeyId, scope } = parseCredential(credential, settings, 'AuthorizationHeaderMalformed');
  const time = requestTime(request.headers.get('x-amz-date') ?? request.headers.get('date'));
  if (time === null)
    throw serviceError('AccessDenied', { message: 'A valid x-amz-date or Date header is required.' });
  const key = findKey(settings, accessKeyId);
  if (scope.date !== time.timestamp.slice(0, 8)) {
    throw serviceError('AuthorizationHeaderMalformed', {
      message: `The date of the credential scope, ${scope.date}, is not the date of the request.`,
    });
  }
  refuseSkew(time.ms, time.timestamp, settings.nowMs);
  const payloadHash = request.headers.get('x-amz-content-sha256');
  if (payloadHash === undefined) {
    throw serviceError('InvalidRequest', {
      message: 'Missing required header for this request: x-amz-content-sha256',
    });
  }
  const signed = { ...request, signedHeaders: signedHeaders.split(';'), payloadHash };
  refuseUnsignedHeaders(signed);
  const signing = signingKey(key.secretAccessKey, scope);
  verifySignature(signed, signing, time.timestamp, scope, signature, accessKeyId);
  refuseToken(key, request.headers.get('x-amz-security-token'), settings.nowMs);
  return payloadOf(payloadHash, { key: signing, timestamp: time.timestamp, scope, seed: signature });
}

function verifyPresigned(request: AuthRequest, settings: AuthSettings): Payload {
  const query = new Map(request.query);
  const credential = query.get('X-Amz-Credential');
  const signedHeaders = query.get('X-Amz-SignedHeaders');
  const signature = query.get('X-Amz-Signature');
  const expires = query.get('X-Amz-Expires') ?? '';
  if (query.get('X-Amz-Algorithm') !== algorithm)
    throw malformed(`X-Amz-Algorithm only supports "${algorithm}"`);
  if (credential === undefined || signedHeaders === undefined || signature === undefined) {
    throw malformed(
      'Query-string authentication requires X-Amz-Credential, X-Amz-SignedHeaders and X-Amz-Signature.',
    );
  }
  if (!/^[0-9]{1,7}$/.test(expires) || Number(expires) > longestPresignSeconds || Number(expires) < 1) {
    throw malformed(`X-Amz-Expires must be between 1 and ${longestPresignSeconds} seconds.`);
  }
  const time = requestTime(query.get('X-Amz-Date'));
  if (time === null)
    throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  const { accessKeyId, scope } = parseCredential(credential, settings, 'AuthorizationQueryParametersError');
  const key = findKey(settings, accessKeyId);
  if (time.ms - settings.nowMs > largestSkewMs) {
    throw serviceError('AccessDenied', { message: 'Request is not yet valid' });
  }
  if (settings.nowMs > time.ms + Number(expires) * 1000) {
    throw serviceError('AccessDenied', {
      message: 'Request has expired',
      elements: {
        'X-Amz-Expires': expires,
        Expires: new Date(time.ms + Number(expires) * 1000).toISOString(),
        ServerTime: new Date(settings.nowMs).toISOString(),
      },
    });
  }
  const payloadHash =
    request.headers.get('x-amz-content-sha256') ?? query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD';
  const signed = {
    ...request,
    query: request.query.filter(([name]) => name !== 'X-Amz-Signature'),
    signedHeaders: signedHeaders.split(';'),
    payloadHash,
  };
  refuseUnsignedHeaders(signed, harmlessUnsigned);
  const signing = signingKey(key.secretAccessKey, scope);
  verifySignature(signed, signing, time.timestamp, scope, signature, accessKeyId);
  refuseToken(key, query.get('X-Amz-Security-Token') ?? undefined, settings.nowMs);
  return payloadOf(payloadHash, { key: signing, timestamp: time.timestamp, scope, seed: signature });
}

function parseCredential(
  credential: string,
  settings: AuthSettings,
  error: 'AuthorizationHeaderMalformed' | 'AuthorizationQueryParametersError',
): { readonly accessKeyId: string; readonly scope: Scope } {
  const parts = credential.split('/');
  const [date, region, service, terminator] = parts.slice(-4);
  const accessKeyId = parts.slice(0, -4).join('/');
  if (accessKeyId === '' || date === undefined || region === undefined || !/^[0-9]{8}$/.test(date)) {
    throw serviceError(error, {
      message: 'The Credential is malformed; expecting "<key>/YYYYMMDD/REGION/s3/aws4_request".',
    });
  }
  if (service !== 's3' || terminator !== 'aws4_request') {
    throw serviceError(error, { message: `The credential scope is for "${service ?? ''}"; expecting "s3".` });
  }
  if (region !== settings.region) {
    throw serviceError(error, {
      message: `The authorization is malformed; the region '${region}' is wrong; expecting '${settings.region}'`,
      elements: { Region: settings.region },
      headers: { 'x-amz-bucket-region': settings.region },
    });
  }
  return { accessKeyId, scope: { date, region } };
}

function findKey(settings: AuthSettings, accessKeyId: string): ServiceCredentials {
  const key = settings.credentials.find((credentials) => credentials.accessKeyId === accessKeyId);
  if (key === undefined)
    throw serviceError('InvalidAccessKeyId', { elements: { AWSAccessKeyId: accessKeyId } });
  return key;
}

function refuseToken(key: ServiceCredentials, token: string | undefined, nowMs: number): void {
  if (key.expiresAtMs !== undefined && nowMs >= key.expiresAtMs) throw serviceError('ExpiredToken');
  if (key.sessionToken !== undefined && token !== key.sessionToken) throw serviceError('InvalidToken');
}

function refuseSkew(requestMs: number, requestTime: string, nowMs: number): void {
  if (Math.abs(requestMs - nowMs) <= largestSkewMs) return;
  throw serviceError('RequestTimeTooSkewed', {
    elements: {
      RequestTime: requestTime,
      ServerTime: new Date(nowMs).toISOString(),
      MaxAllowedSkewMilliseconds: String(largestSkewMs),
    },
  });
}

/**
 * Headers that a presigned request may carry unsigned. The canonical request already contains the payload hash, and the service
 * ignores the others.
 */
const harmlessUnsigned: ReadonlySet<string> = new Set([
  'x-amz-content-sha256',
  'x-amz-date',
  'x-amz-user-agent',
]);

/**
 * Throws AccessDenied unless Host and all x-amz- headers outside `harmless` are signed. Otherwise a client could add
 * x-amz-copy-source to an upload URL and copy any other object.
 */
function refuseUnsignedHeaders(request: SignedRequest, harmless: ReadonlySet<string> = new Set()): void {
  const unsigned = ['host', ...request.headers.keys()].filter(
    (name, index) =>
      (index === 0 || name.startsWith('x-amz-')) &&
      !harmless.has(name) &&
      !request.signedHeaders.includes(name),
  );
  if (unsigned.length === 0) return;
  throw serviceError('AccessDenied', {
    message: 'There were headers present in the request which were not signed',
    elements: { HeadersNotSigned: unsigned.join(', ') },
  });
}

function verifySignature(
  request: SignedRequest,
  key: KeyObject,
  timestamp: string,
  scope: Scope,
  signature: string,
  accessKeyId: string,
): void {
  for (const path of signedPaths(request.rawPath)) {
    const canonical = canonicalRequest(request, path);
    const expected = hmac(key, stringToSign(timestamp, scope, canonical)).toString('hex');
    if (isEqual(expected, signature)) return;
  }
  const canonical = canonicalRequest(request, request.rawPath);
  throw serviceError('SignatureDoesNotMatch', {
    elements: {
      AWSAccessKeyId: accessKeyId,
      StringToSign: stringToSign(timestamp, scope, canonical),
      SignatureProvided: signature,
      CanonicalRequest: canonical,
    },
  });
}

function malformed(message: string): Error {
  return serviceError('AuthorizationQueryParametersError', { message });
}

/** Returns a date in milliseconds, and as yyyymmddThhmmssZ in UTC; null if it is missing or invalid. */
function requestTime(text: string | undefined) {
  if (text === undefined) return null;
  const match = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(text);
  const ms =
    match === null
      ? Date.parse(text)
      : Date.parse(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:${match[6]}Z`);
  if (Number.isNaN(ms)) return null;
  return { ms, timestamp: new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '') };
}

function payloadOf(stated: string, signing: ChunkSigning | null): Payload {
  switch (stated) {
    case 'UNSIGNED-PAYLOAD':
      return { kind: 'unsigned' };
    case 'STREAMING-UNSIGNED-PAYLOAD-TRAILER':
      return { kind: 'chunked', hasTrailer: true, signing: null };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD':
      return { kind: 'chunked', hasTrailer: false, signing };
    case 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER':
      return { kind: 'chunked', hasTrailer: true, signing };
    default:
      if (/^[0-9a-fA-F]{64}$/.test(stated)) return { kind: 'sha256', hex: stated.toLowerCase() };
      throw serviceError('InvalidArgument', {
        message:
          'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, or a valid sha256 value.',
        elements: { ArgumentName: 'x-amz-content-sha256', ArgumentValue: stated },
      });
  }
}
