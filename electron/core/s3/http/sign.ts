import { hash } from 'node:crypto';
import { encodeQuery } from '../model/encode.ts';
import type { Target } from './addressing.ts';
import type { Credentials } from '../model/connection-types.ts';

export const unsignedPayload = 'UNSIGNED-PAYLOAD';
export const emptyPayloadHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const algorithm = 'AWS4-HMAC-SHA256';
const service = 's3';
const hmacBlockBytes = 64;

export function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}

export interface SigningScope {
  readonly credentials: Credentials;
  readonly region: string;
  /** The time to sign with: the local time plus the clock offset. */
  readonly nowMs: number;
}

export interface Signable {
  readonly method: string;
  readonly target: Target;
  readonly query: Readonly<Record<string, string>>;
  /** The headers with names in lower case, without `host`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the headers to send, including `host` and `authorization`, by Signature Version 4
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
 *
 * The signer of the AWS SDK presigns URLs and verifies this function in tests. It takes three times as long, which is a tenth of
 * the work on a small object. Proxies rewrite ordinary headers (rclone#6670), so only host, date, content hash, Content-MD5 and
 * x-amz-* are signed. Content-MD5 may be the only protection of an unsigned body; if a proxy drops it, the signature no longer
 * matches. `alsoSigned` is for the published test vectors.
 */
export function signHeaders(
  request: Signable,
  payloadHash: string,
  scope: SigningScope,
  alsoSigned: readonly string[] = [],
): Readonly<Record<string, string>> {
  const { accessKeyId, sessionToken } = scope.credentials;
  const time = timeOf(scope.nowMs);
  const date = time.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.target.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': time,
    ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
  };
  const names = Object.keys(headers)
    .filter((name) => isSigned(name) || alsoSigned.includes(name))
    .toSorted();
  const signedNames = names.join(';');
  let canonical = `${request.method}\n${request.target.path}\n${encodeQuery(request.query)}\n`;
  for (const name of names) canonical += `${name}:${canonicalValue(headers[name] ?? '')}\n`;
  canonical += `\n${signedNames}\n${payloadHash}`;
  const scopeText = `${date}/${scope.region}/${service}/aws4_request`;
  // Header values hold bytes as Latin-1 characters; all other texts are ASCII.
  const canonicalHash = hash('sha256', Buffer.from(canonical, 'latin1'), 'hex');
  const toSign = `${algorithm}\n${time}\n${scopeText}\n${canonicalHash}`;
  const signature = hmacOf(signingKey(scope, date), toSign).toString('hex');
  headers['authorization'] =
    `${algorithm} Credential=${accessKeyId}/${scopeText}, SignedHeaders=${signedNames}, Signature=${signature}`;
  return headers;
}

function isSigned(name: string): boolean {
  return name === 'host' || name === 'content-md5' || name.startsWith('x-amz-');
}

let lastTime = { second: Number.NaN, text: '' };

/** Returns the time as YYYYMMDDTHHMMSSZ. */
function timeOf(nowMs: number): string {
  const second = Math.floor(nowMs / 1000);
  // Cached, because hundreds of requests are signed per second.
  if (lastTime.second !== second) lastTime = { second, text: writeTime(nowMs) };
  return lastTime.text;
}

function writeTime(nowMs: number): string {
  const iso = new Date(nowMs).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}

/** Trims a header value and collapses its white space. */
function canonicalValue(value: string): string {
  return /^ | $| {2}|\t/.test(value) ? value.replace(/[ \t]+/g, ' ').replace(/^ | $/g, '') : value;
}

/** The two blocks made from a key, which an HMAC (RFC 2104) hashes before the message. */
interface HmacKey {
  readonly inner: Uint8Array;
  readonly outer: Uint8Array;
}

/**
 * Returns the HMAC of a message. Hashes it in one call, because Node's streaming hashes and key objects take many times as long.
 */
function hmacOf({ inner, outer }: HmacKey, message: string): Buffer {
  const first = Buffer.allocUnsafe(hmacBlockBytes + Buffer.byteLength(message));
  first.set(inner);
  first.write(message, hmacBlockBytes, 'utf8');
  const second = Buffer.allocUnsafe(hmacBlockBytes + 32);
  second.set(outer);
  second.set(hash('sha256', first, 'buffer'), hmacBlockBytes);
  return hash('sha256', second, 'buffer');
}

function hmacKey(secret: Uint8Array): HmacKey {
  const key = secret.byteLength > hmacBlockBytes ? hash('sha256', secret, 'buffer') : secret;
  const inner = new Uint8Array(hmacBlockBytes).fill(0x36);
  const outer = new Uint8Array(hmacBlockBytes).fill(0x5c);
  for (const [at, byte] of key.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return { inner, outer };
}

interface KnownKey {
  readonly secretAccessKey: string;
  readonly region: string;
  readonly date: string;
  readonly key: HmacKey;
}

const maxKnownKeys = 20;
/** The signing keys used last, newest at the end. They are as secret as the credentials, which are in memory too. */
let knownKeys: readonly KnownKey[] = [];

/** Returns the signing key for a day, region and secret. Cached, because all requests of a connection share it. */
function signingKey({ credentials, region }: SigningScope, date: string): HmacKey {
  const { secretAccessKey } = credentials;
  const known = knownKeys.find(
    (knownKey) =>
      knownKey.secretAccessKey === secretAccessKey && knownKey.region === region && knownKey.date === date,
  );
  if (known !== undefined) return known.key;
  let key = hmacKey(Buffer.from(`AWS4${secretAccessKey}`, 'utf8'));
  for (const part of [date, region, service, 'aws4_request']) key = hmacKey(hmacOf(key, part));
  knownKeys = [...knownKeys, { secretAccessKey, region, date, key }].slice(-maxKnownKeys);
  return key;
}
