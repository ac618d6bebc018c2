import { failure } from '../../../../shared/errors.ts';
import { encodeComponent, encodeKey, encodeMetadataValue, readMetadataValue } from '../model/encode.ts';
import type { ObjectAttributes, ObjectRef } from '../model/object-types.ts';
import type { ObjectTag } from '../model/property-types.ts';
import { checksumAlgorithms } from '../xml/render.ts';
import type { ChecksumAlgorithm, PartChecksums } from '../../disk/checksums.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { Encryption } from '../../../../shared/models/transfers.ts';

export const metadataPrefix = 'x-amz-meta-';

/**
 * Returns the headers for an object's attributes. Encodes the values in `metadata`; metadata in `headers` is sent unchanged.
 * Throws `AppError('invalid-argument')` for a value that a header cannot contain.
 */
export function attributeHeaders(attributes: ObjectAttributes): Record<string, string> {
  const headers: Record<string, string> = { ...attributes.headers };
  const plain = {
    'content-type': attributes.contentType,
    'cache-control': attributes.cacheControl,
    'content-disposition': attributes.contentDisposition,
    'content-encoding': attributes.contentEncoding,
    'content-language': attributes.contentLanguage,
    'x-amz-storage-class': attributes.storageClass,
  };
  for (const [name, value] of Object.entries(plain)) {
    if (value !== undefined) headers[name] = value;
  }
  for (const [name, value] of Object.entries(attributes.metadata ?? {})) {
    headers[metadataPrefix + name.toLowerCase()] = encodeMetadataValue(value);
  }
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value);
  return headers;
}

function checkHeader(name: string, value: string): void {
  if (/^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)) return;
  throw failure('invalid-argument', `The header "${name}" cannot be sent.`, { reason: 'header-invalid' });
}

type Headers = Readonly<Record<string, string>>;

/** Returns the metadata of an object as text. */
export function metadataOf(headers: Headers): Readonly<Record<string, string>> {
  return Object.fromEntries(
    receivedMetadata(headers).map(([name, received]) => [name, readMetadataValue(received).text]),
  );
}

/** Returns the names of metadata values that cannot be decoded as text. */
export function unreadableMetadata(headers: Headers): readonly string[] {
  return receivedMetadata(headers)
    .filter(([, received]) => !readMetadataValue(received).isReadable)
    .map(([name]) => name);
}

/** Returns how many metadata values the service stores but cannot return in headers (API_GetObject, x-amz-missing-meta). */
export function missingMetadata(headers: Headers): number {
  const count = Number(headers['x-amz-missing-meta'] ?? '0');
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** Returns the metadata headers unchanged. Their bytes are Latin-1 characters. */
export function metadataHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(metadataPrefix)));
}

/** Returns the metadata with names without x-amz-meta-, and with values as they were received. */
function receivedMetadata(headers: Headers): [string, string][] {
  return Object.entries(metadataHeaders(headers)).map(([name, value]) => [
    name.slice(metadataPrefix.length),
    value,
  ]);
}

/**
 * Returns the metadata for the window. JSON and schemas cannot contain the name `__proto__`, so the full header name is used for
 * it.
 */
export function shownMetadata(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      name === '__proto__' ? metadataPrefix + name : name,
      value,
    ]),
  );
}

export function checksumHeaders(checksums: PartChecksums | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = checksums?.[algorithm];
    if (value !== undefined) headers[`x-amz-checksum-${algorithm}`] = value;
  }
  return headers;
}

export function checksumsOf(headers: Readonly<Record<string, string>>): PartChecksums {
  const found: Partial<Record<ChecksumAlgorithm, string>> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = headers[`x-amz-checksum-${algorithm}`];
    if (value) found[algorithm] = value;
  }
  return found;
}

export function versionQuery(ref: { readonly versionId?: string | undefined }): Record<string, string> {
  return ref.versionId === undefined ? {} : { versionId: ref.versionId };
}

/** Returns the target of a request for a property of an object or version. The query parameter `property` selects it. */
export function propertyOf(
  ref: ObjectRef,
  property: string,
): { readonly bucket: string; readonly key: string; readonly query: Record<string, string> } {
  return { bucket: ref.bucket, key: ref.key, query: { ...versionQuery(ref), [property]: '' } };
}

/**
 * Returns the value of x-amz-copy-source: the encoded path of the source, with its version. Throws `AppError('invalid-argument')`
 * if the key contains half a surrogate pair.
 */
export function copySource(source: ObjectRef): string {
  const version = source.versionId === undefined ? '' : `?versionId=${encodeComponent(source.versionId)}`;
  return `/${encodeComponent(source.bucket)}/${encodeKey(source.key)}${version}`;
}

const algorithm = 'x-amz-server-side-encryption';
const kmsKey = 'x-amz-server-side-encryption-aws-kms-key-id';

/**
 * Returns the header that sets these tags in a write request, as a query string, which can encode characters that headers cannot
 * contain (API_PutObject, x-amz-tagging).
 */
export function taggingHeader(tags: readonly ObjectTag[]): Readonly<Record<string, string>> {
  if (tags.length === 0) return {};
  const text = tags
    .map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&');
  return { 'x-amz-tagging': text };
}

/**
 * Returns the headers that request an encryption (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html). Those for
 * a customer's key are added by the client.
 */
export function encryptionHeaders(encryption: Encryption): Readonly<Record<string, string>> {
  switch (encryption.kind) {
    case 'none':
    case 'customer':
      return {};
    case 'service':
      return { [algorithm]: 'AES256' };
    case 'kms':
      return { [algorithm]: 'aws:kms', ...(encryption.keyId === null ? {} : { [kmsKey]: encryption.keyId }) };
    default:
      return assertNever(encryption);
  }
}

/** Returns true if the headers request encryption with a key of the service, of KMS, or of the customer. */
export function asksForEncryption(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.startsWith(algorithm));
}

/** Returns true if the headers request encryption with a key of the service (SSE-S3). */
export function isServiceKey(headers: Readonly<Record<string, string>>): boolean {
  return headers[algorithm] === 'AES256';
}

/** Returns the headers that request a bucket's default encryption (API_GetBucketEncryption); null if the bucket has none. */
export function headersOfDefault(rule: {
  readonly algorithm: string | null;
  readonly kmsKeyId: string | null;
}): Readonly<Record<string, string>> | null {
  if (rule.algorithm === null) return null;
  const keyId = rule.kmsKeyId;
  return { [algorithm]: rule.algorithm, ...(keyId === null ? {} : { [kmsKey]: keyId }) };
}
