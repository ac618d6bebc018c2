import { createHash } from 'node:crypto';
import { assertNever } from '../../../shared/assert-never.ts';
import { quoted, type RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import type { Attributes, ObjectRow } from '../store/model.ts';
import { tagsOfHeader } from './tagging-operations.ts';

const storedHeaders = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
  'x-amz-website-redirect-location',
];
const metadataPrefix = 'x-amz-meta-';
const maxMetadataBytes = 2048;

/** Returns the attributes of the new object from the request's headers. Throws NotImplemented for encryption. */
export function attributesOf(context: RequestContext): Attributes {
  // The service does not encrypt objects, so it must not accept a request for encryption.
  for (const name of context.headers.keys())
    if (name.startsWith('x-amz-server-side-encryption')) throw serviceError('NotImplemented');
  const headers: Record<string, string> = {};
  for (const name of storedHeaders) {
    const value = context.headers.get(name);
    if (value === undefined) continue;
    // aws-chunked describes how the request was sent, not how the object is encoded.
    const storedValue = name === 'content-encoding' ? withoutAwsChunked(value) : value;
    if (storedValue !== '') headers[name] = storedValue;
  }
  const metadata: Record<string, string> = {};
  let size = 0;
  for (const [name, value] of context.headers) {
    if (!name.startsWith(metadataPrefix)) continue;
    const metadataName = name.slice(metadataPrefix.length);
    metadata[metadataName] = value;
    size += metadataName.length + value.length;
  }
  if (size > maxMetadataBytes) throw serviceError('MetadataTooLarge');
  return { headers, metadata, ...tagsOfHeader(context) };
}

function withoutAwsChunked(value: string): string {
  const codings = value.split(',');
  const contentCodings = codings.filter((coding) => coding.trim().toLowerCase() !== 'aws-chunked');
  return contentCodings.length === codings.length ? value : contentCodings.join(',').trim();
}

/** Returns the storage class of the request: STANDARD or COLD (spec §2). Throws `InvalidStorageClass` for others. */
export function storageClassOf(context: RequestContext): string {
  return checkedStorageClass(context, context.headers.get('x-amz-storage-class') ?? 'STANDARD');
}

/** Returns the name unchanged. Throws InvalidStorageClass unless it is a known storage class. */
function checkedStorageClass({ state }: RequestContext, name: string): string {
  const allowed = state.quirks.storageClasses === 'any' ? /^[A-Z][A-Z0-9_]{0,39}$/ : /^(?:STANDARD|COLD)$/;
  if (!allowed.test(name)) throw serviceError('InvalidStorageClass');
  return name;
}

/** Returns the ETag of content with this MD5, without quotes. */
export function etagOf(context: RequestContext, md5: Buffer): string {
  if (context.state.quirks.etags === 'md5') return md5.toString('hex');
  return createHash('md5').update('opaque').update(md5).digest('hex');
}

/** Returns the headers of an object for GET and HEAD. */
export function objectHeaders(object: ObjectRow): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'binary/octet-stream',
    ...object.attributes.headers,
    etag: quoted(object.etag),
    'last-modified': new Date(object.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  };
  // Like S3, the service omits the header for STANDARD.
  if (object.storageClass !== 'STANDARD') headers['x-amz-storage-class'] = object.storageClass;
  const tagCount = Object.keys(object.attributes.tags ?? {}).length;
  if (tagCount > 0) headers['x-amz-tagging-count'] = String(tagCount);
  for (const [name, value] of Object.entries(object.attributes.metadata))
    headers[metadataPrefix + name] = value;
  return headers;
}

/** Returns true if this service respects conditions on writes. Throws NotImplemented or InvalidArgument if it refuses them. */
export function honoursConditions({ state }: RequestContext): boolean {
  const { conditionalWrites } = state.quirks;
  switch (conditionalWrites) {
    case 'honoured':
      return true;
    case 'ignored':
      return false;
    case 'refused':
      throw serviceError('NotImplemented');
    case 'refused-400':
      throw serviceError('InvalidArgument');
    default:
      return assertNever(conditionalWrites);
  }
}

/**
 * Returns a check of the write's If-Match and If-None-Match headers. It throws PreconditionFailed, or NoSuchKey for If-Match
 * without an object.
 */
export function writeConditions(context: RequestContext): (existing: ObjectRow | null) => void {
  const ifMatch = context.headers.get('if-match');
  const ifNoneMatch = context.headers.get('if-none-match');
  if ((ifMatch ?? ifNoneMatch) === undefined || !honoursConditions(context)) return () => undefined;
  return (existing) => {
    if (ifNoneMatch !== undefined && existing !== null && matchesWeakly(ifNoneMatch, existing.etag)) {
      throw serviceError('PreconditionFailed', { elements: { Condition: 'If-None-Match' } });
    }
    if (ifMatch === undefined) return;
    if (existing === null) throw serviceError('NoSuchKey');
    if (!ifMatchHolds(context, ifMatch, existing.etag)) {
      throw serviceError('PreconditionFailed', { elements: { Condition: 'If-Match' } });
    }
  };
}

/** Returns true if If-Match holds. Compares strongly with the ETag in this service's response headers (RFC 9110, 13.1.1). */
export function ifMatchHolds({ state }: RequestContext, condition: string, etag: string): boolean {
  if (state.quirks.etagHeaders === 'weak') return splitList(condition).includes('*');
  return matchesStrongly(condition, etag);
}

/** Returns true if a list of ETags contains this one. Weak ETags in the list never match (RFC 9110, 8.8.3.2). */
export function matchesStrongly(condition: string, etag: string): boolean {
  return splitList(condition).some(
    (item) => item === '*' || (!item.startsWith('W/') && unquoted(item) === etag),
  );
}

/** Returns true if a list of ETags contains this one. Compares weakly, as If-None-Match requires. */
export function matchesWeakly(condition: string, etag: string): boolean {
  return splitList(condition).some((item) => item === '*' || unquoted(item.replace(/^W\//, '')) === etag);
}

function splitList(condition: string): string[] {
  return condition.split(',').map((item) => item.trim());
}

/** Removes one pair of quotes around an ETag. An ETag with other quotes matches no stored one. */
export function unquoted(etag: string): string {
  return /^"(.*)"$/s.exec(etag)?.[1] ?? etag;
}

/** Formats a time as ISO 8601, rounded down to whole seconds like HTTP dates. */
export function isoTime(ms: number): string {
  return new Date(ms - (ms % 1000)).toISOString();
}
