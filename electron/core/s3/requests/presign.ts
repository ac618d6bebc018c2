import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { failure } from '../../../../shared/errors.ts';
import type { Executor } from '../http/executor.ts';
import type { S3Client } from '../model/s3-client.ts';
import { versionQuery } from './attribute-headers.ts';
import { encodeQuery } from '../model/encode.ts';
import type { Signable, SigningScope } from '../http/sign.ts';

const maxSeconds = 7 * 24 * 60 * 60;

export function presignOperations(executor: Executor) {
  return {
    async presign(input) {
      const { expiresInSeconds } = input;
      if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > maxSeconds) {
        throw failure('invalid-argument', 'A signed link must be valid for one second to seven days.');
      }
      const source = executor.config.credentials;
      if (source === null) {
        throw failure('unsupported', 'An anonymous connection has no key to sign a link with.', {
          retry: 'after-fix',
        });
      }
      const credentials = await source({ refresh: false });
      const nowMs = executor.deps.clock.nowMs() + executor.deps.clockOffset.offsetMs;
      const target = executor.targetFor(input.bucket, input.key);
      const payer: Record<string, string> =
        executor.config.requesterPays === true ? { 'x-amz-request-payer': 'requester' } : {};
      const query = await presignQuery(
        { method: input.method, target, query: { ...payer, ...queryOf(input) }, headers: {} },
        { credentials, region: executor.placeOf(input.bucket).region, nowMs, expiresInSeconds },
      );
      // The service counts from X-Amz-Date, which has whole seconds.
      const linkEndMs = Math.floor(nowMs / 1000) * 1000 + expiresInSeconds * 1000;
      // A URL expires with the temporary credentials that signed it, even if it was signed for longer.
      const keysEndMs = credentials.expiresAtMs ?? Infinity;
      const isTemporary = credentials.sessionToken !== undefined;
      return {
        url: `${target.origin}${target.path}?${query}`,
        expiresAt: new Date(Math.min(linkEndMs, keysEndMs)).toISOString(),
        endsWith:
          keysEndMs < linkEndMs ? 'keys' : isTemporary && keysEndMs === Infinity ? 'keys-unknown' : 'time',
      };
    },

    objectUrl({ bucket, key, versionId }) {
      const target = executor.targetFor(bucket, key);
      const version = versionId === undefined ? '' : `?versionId=${encodeURIComponent(versionId)}`;
      return `${target.origin}${target.path}${version}`;
    },
  } satisfies Partial<S3Client>;
}

/**
 * Returns the query that changes headers of the response (https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html).
 */
function queryOf(input: Parameters<S3Client['presign']>[0]): Record<string, string> {
  const { responseDisposition, responseType } = input;
  return {
    ...versionQuery(input),
    ...(responseDisposition === undefined ? {} : { 'response-content-disposition': responseDisposition }),
    ...(responseType === undefined ? {} : { 'response-content-type': responseType }),
  };
}

/** SHA-256 and HMAC-SHA-256 with the interface that the signer of the AWS SDK requires. */
export class Sha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('A hash can be used only once.');
  }
}

function toKey(secret: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof secret === 'string') return secret;
  if (ArrayBuffer.isView(secret)) return new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength);
  return new Uint8Array(secret);
}

interface PresignScope extends SigningScope {
  readonly expiresInSeconds: number;
}

/** Returns the query of a presigned URL, including its signature by the AWS SDK's signer. Only `host` is signed. */
export async function presignQuery(request: Signable, scope: PresignScope): Promise<string> {
  const { accessKeyId, secretAccessKey, sessionToken } = scope.credentials;
  const signer = new SignatureV4({
    service: 's3',
    region: scope.region,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) },
    sha256: Sha256,
    uriEscapePath: false,
  });
  const headers = { ...request.headers, host: request.target.host };
  const unsigned = Object.keys(headers).filter((name) => name !== 'host' && !name.startsWith('x-amz-'));
  const signed = await signer.presign(
    {
      method: request.method,
      protocol: 'https:',
      hostname: request.target.host,
      path: request.target.path,
      query: { ...request.query },
      headers,
      // A body that is neither text nor bytes makes the signer use UNSIGNED-PAYLOAD, as presigned URLs require.
      body: {},
    },
    {
      signingDate: new Date(scope.nowMs),
      expiresIn: scope.expiresInSeconds,
      unsignableHeaders: new Set(unsigned),
    },
  );
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(signed.query ?? {})) {
    if (typeof value === 'string') query[name] = value;
  }
  return encodeQuery(query);
}
