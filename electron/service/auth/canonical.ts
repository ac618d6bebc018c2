import { createHmac, createSecretKey, hash, timingSafeEqual, type KeyObject } from 'node:crypto';
import { percentDecode, sigv4Encode } from '../encoding.ts';

export const algorithm = 'AWS4-HMAC-SHA256';

export interface Scope {
  /** The day as yyyymmdd, in UTC. */
  readonly date: string;
  readonly region: string;
}

export interface SignedRequest {
  readonly method: string;
  /** The path exactly as received, without the query. */
  readonly rawPath: string;
  /** The decoded names and values, without X-Amz-Signature. */
  readonly query: readonly (readonly [string, string])[];
  readonly headers: ReadonlyMap<string, string>;
  readonly signedHeaders: readonly string[];
  readonly payloadHash: string;
}

/** Builds the canonical request of SigV4, as Amazon's document on signing S3 requests defines it. */
export function canonicalRequest(request: SignedRequest, path: string): string {
  const query = request.query
    .map(([name, value]): [string, string] => [sigv4Encode(name), sigv4Encode(value)])
    .toSorted((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const headers = request.signedHeaders
    .map((name) => `${name}:${(request.headers.get(name) ?? '').trim().replace(/ +/g, ' ')}\n`)
    .join('');
  return [request.method, path, query, headers, request.signedHeaders.join(';'), request.payloadHash].join(
    '\n',
  );
}

/** Yields the paths that the client may have signed: the path as sent, and the path encoded by the rules of SigV4. */
export function* signedPaths(rawPath: string): Generator<string, void, void> {
  yield rawPath;
  const decoded = percentDecode(rawPath);
  const encoded = decoded === null ? rawPath : sigv4Encode(decoded).replaceAll('%2F', '/');
  if (encoded !== rawPath) yield encoded;
}

export function scopeText(scope: Scope): string {
  return `${scope.date}/${scope.region}/s3/aws4_request`;
}

export function stringToSign(timestamp: string, scope: Scope, canonical: string): string {
  // Node decodes header bytes as Latin-1, one character each, so they must be hashed as Latin-1.
  const hashed = hash('sha256', Buffer.from(canonical, 'latin1'), 'hex');
  return [algorithm, timestamp, scopeText(scope), hashed].join('\n');
}

const keys = new Map<string, KeyObject>();

/** Returns the signing key as a KeyObject, because converting bytes for each HMAC takes longer than the HMAC. */
export function signingKey(secretAccessKey: string, scope: Scope): KeyObject {
  const name = `${scopeText(scope)} ${secretAccessKey}`;
  const known = keys.get(name);
  if (known !== undefined) return known;
  let key = createSecretKey(Buffer.from(`AWS4${secretAccessKey}`));
  for (const part of [scope.date, scope.region, 's3', 'aws4_request']) key = createSecretKey(hmac(key, part));
  if (keys.size > 100) keys.clear();
  keys.set(name, key);
  return key;
}

export function hmac(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** Compares two texts. For texts of equal length, the time does not depend on their content, so it reveals nothing. */
export function isEqual(expected: string, actual: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(actual);
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How a body is verified while it is read, by its x-amz-content-sha256 header. */
export type Payload =
  | { readonly kind: 'unsigned' }
  | { readonly kind: 'sha256'; readonly hex: string }
  | { readonly kind: 'chunked'; readonly hasTrailer: boolean; readonly signing: ChunkSigning | null };

/** The chain of signatures over the chunks of a body. */
export interface ChunkSigning {
  readonly key: KeyObject;
  readonly timestamp: string;
  readonly scope: Scope;
  /** The signature of the request's headers, which is the first in the chain. */
  readonly seed: string;
}

/** A key pair that the service accepts. */
export interface ServiceCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The session token that requests must carry; absent for a permanent key. */
  readonly sessionToken?: string;
  /** The time from which the key is refused with ExpiredToken, in milliseconds since 1970. */
  readonly expiresAtMs?: number;
}
