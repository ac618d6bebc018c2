import { checksumAlgorithms, type Checksums } from '../checksum-algorithms.ts';
import { serviceError } from '../service-errors.ts';
import type { ObjectRow } from '../store/model.ts';
import {
  attributesOf,
  etagOf,
  ifMatchHolds,
  matchesStrongly,
  matchesWeakly,
  objectHeaders,
  storageClassOf,
  writeConditions,
} from './attribute-operations.ts';
import { deleteConditions } from './delete-objects.ts';
import {
  requireObject,
  versionHeader,
  versionOf,
  secondsOf,
  partNumberIn,
  emptyResponse,
  quoted,
  requireBucket,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';
import { readChecksums } from './whole-checksums.ts';
import { assertNever } from '../../../shared/assert-never.ts';

/**
 * Throws NoSuchBucket, InvalidStorageClass, and NotImplemented for encryption.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
export async function putObject(context: RequestContext): Promise<OperationResponse> {
  const bucket = requireBucket(context);
  const { store } = context.state;
  const attributes = attributesOf(context);
  const storageClass = storageClassOf(context);
  const received = await context.body.receive(store.blobs, null);
  const etag = etagOf(context, received.md5);
  try {
    // The bucket may have been deleted while the body was arriving.
    const currentBucket = requireBucket(context);
    const checksums = Object.keys(received.checksums).length === 0 ? {} : { checksums: received.checksums };
    const version = store.putObject(
      bucket.id,
      context.key,
      {
        content: received.content,
        sizeBytes: received.sizeBytes,
        etag,
        modifiedMs: context.state.nowMs(),
        storageClass,
        attributes: { ...attributes, ...checksums },
      },
      writeConditions(context),
    );
    return emptyResponse(200, {
      etag: quoted(etag),
      ...versionHeader(currentBucket, version),
      ...checksumHeaders(received.checksums),
    });
  } catch (error) {
    if (received.content.kind === 'file') store.blobs.remove(received.content.file);
    throw error;
  }
}

/** Sends an object, a byte range, or one of its parts. Throws `PreconditionFailed`, `InvalidArgument` or `InvalidPartNumber`. */
export function getObject(context: RequestContext): OperationResponse {
  return readObject(context, true);
}

/** Responds like `getObject` but without the body. Throws `PreconditionFailed`, `InvalidArgument` or `InvalidPartNumber`. */
export function headObject(context: RequestContext): OperationResponse {
  return readObject(context, false);
}

/**
 * Throws NoSuchBucket, and InvalidArgument for a malformed version id.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObject.html
 */
export function deleteObject(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const removed = context.state.store.deleteObject(bucket.id, context.key, {
    version: versionOf(context),
    nowMs: context.state.nowMs(),
    allow: deleteConditions(context),
  });
  const marker = removed.isMarker ? { 'x-amz-delete-marker': 'true' } : {};
  return emptyResponse(204, { ...marker, ...versionHeader(bucket, removed.version) });
}

export function checksumHeaders(checksums: Checksums): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = checksums[algorithm];
    if (value !== undefined) headers[`x-amz-checksum-${algorithm}`] = value;
  }
  return headers;
}

function readObject(context: RequestContext, withBody: boolean): OperationResponse {
  const { store } = context.state;
  const bucket = requireBucket(context);
  const object = requireObject(context, bucket, context.key, versionOf(context));
  const headers = {
    ...objectHeaders(object),
    ...versionHeader(bucket, object.version),
    ...overrides(context),
  };
  const isNotModified = readConditions(context, object);
  if (isNotModified)
    return emptyResponse(304, { etag: quoted(object.etag), 'last-modified': headers['last-modified'] ?? '' });
  const span = spanOf(context, object);
  if (context.headers.get('x-amz-checksum-mode')?.toUpperCase() === 'ENABLED') {
    const { checksums, type } = readChecksums(object, span);
    Object.assign(headers, checksumHeaders(checksums));
    if (type !== null) headers['x-amz-checksum-type'] = type;
  }
  if (span.parts !== null) headers['x-amz-mp-parts-count'] = String(span.parts);
  if (span.isPartial) headers['content-range'] = `bytes ${span.first}-${span.end - 1}/${object.sizeBytes}`;
  headers['content-length'] = String(span.end - span.first);
  const status = span.isPartial ? 206 : 200;
  return {
    status,
    headers,
    body: withBody ? store.contents.reader(object.content, span.first, span.end) : null,
  };
}

interface Span {
  readonly first: number;
  /** The offset after the last byte. */
  readonly end: number;
  readonly isPartial: boolean;
  /** The requested part; null if none was requested. */
  readonly partNumber: number | null;
  /** The object's number of parts, if a part was requested; null otherwise. */
  readonly parts: number | null;
}

function spanOf(context: RequestContext, object: ObjectRow): Span {
  const size = object.sizeBytes;
  const partNumber = context.query.get('partNumber');
  if (partNumber !== undefined) return partSpan(object, partNumber);
  const range = parseRange(isRangeAllowed(context, object) ? context.headers.get('range') : undefined, size);
  if (range === 'unsatisfiable') {
    throw serviceError('InvalidRange', {
      elements: { RangeRequested: context.headers.get('range') ?? '', ActualObjectSize: String(size) },
      headers: { 'content-range': `bytes */${size}` },
    });
  }
  const { first, end } = range ?? { first: 0, end: size };
  return { first, end, isPartial: range !== null, partNumber: null, parts: null };
}

/**
 * Returns true if If-Range allows a range. If the object changed, the whole object is sent, because the client would join the
 * range to bytes of the old object.
 */
function isRangeAllowed(context: RequestContext, object: ObjectRow): boolean {
  const condition = context.headers.get('if-range');
  if (condition === undefined) return true;
  if (condition.includes('"')) return matchesStrongly(condition, object.etag);
  return secondsOf(condition) === Math.floor(object.modifiedMs / 1000);
}

function partSpan(object: ObjectRow, text: string): Span {
  const sizes = object.attributes.partSizes ?? [object.sizeBytes];
  const number = partNumberIn(text);
  const size = sizes[number - 1];
  if (size === undefined) {
    throw serviceError('InvalidPartNumber', {
      elements: { PartNumberRequested: text, ActualPartCount: String(sizes.length) },
    });
  }
  const first = sizes.slice(0, number - 1).reduce((sum, part) => sum + part, 0);
  const parts = object.attributes.partSizes === undefined ? null : sizes.length;
  return { first, end: first + size, isPartial: size > 0, partNumber: number, parts };
}

/**
 * Returns true if the response is 304 Not Modified (RFC 9110, 13.2.2). Compares times in seconds, the resolution of HTTP
 * dates.
 */
function readConditions(context: RequestContext, object: ObjectRow): boolean {
  const { headers } = context;
  const modified = Math.floor(object.modifiedMs / 1000);
  const ifMatch = effectiveIfMatch(context);
  const unmodifiedSince = secondsOf(headers.get('if-unmodified-since'));
  if (ifMatch !== undefined) {
    if (!ifMatchHolds(context, ifMatch, object.etag)) {
      throw serviceError('PreconditionFailed', { elements: { Condition: 'If-Match' } });
    }
  } else if (unmodifiedSince !== null && modified > unmodifiedSince) {
    throw serviceError('PreconditionFailed', { elements: { Condition: 'If-Unmodified-Since' } });
  }
  const ifNoneMatch = headers.get('if-none-match');
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, object.etag);
  const modifiedSince = secondsOf(headers.get('if-modified-since'));
  return modifiedSince !== null && modified <= modifiedSince;
}

function effectiveIfMatch({ headers, state }: RequestContext): string | undefined {
  const ifMatch = headers.get('if-match');
  const { conditionalReads } = state.quirks;
  switch (conditionalReads) {
    case 'honoured':
      return ifMatch;
    case 'ignored':
      return undefined;
    case 'refused-400':
      if (ifMatch !== undefined) throw serviceError('InvalidArgument');
      return undefined;
    default:
      return assertNever(conditionalReads);
  }
}

const overridable = [
  'content-type',
  'content-language',
  'expires',
  'cache-control',
  'content-disposition',
  'content-encoding',
];

function overrides(context: RequestContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of overridable) {
    const value = context.query.get(`response-${name}`);
    if (value === undefined) continue;
    // Headers cannot contain control characters. Other characters are sent as UTF-8 bytes, each as one Latin-1 character.
    // oxlint-disable-next-line no-control-regex -- the expression finds control characters
    if (/[\u0000-\u001f\u007f]/.test(value)) throw serviceError('InvalidArgument');
    headers[name] = Buffer.from(value, 'utf8').toString('latin1');
  }
  return headers;
}

/**
 * Parses a single byte range; null for the whole object. Ignores invalid headers, as RFC 9110 requires, and several ranges, as S3
 * does.
 */
function parseRange(
  header: string | undefined,
  sizeBytes: number,
): Pick<Span, 'first' | 'end'> | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec((header ?? '').trim());
  const firstText = match?.[1] ?? '';
  const lastText = match?.[2] ?? '';
  if (firstText === '' && lastText === '') return null;
  if (firstText === '') {
    const length = Math.min(Number(lastText), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { first: sizeBytes - length, end: sizeBytes };
  }
  const first = Number(firstText);
  const end = lastText === '' ? sizeBytes : Math.min(Number(lastText) + 1, sizeBytes);
  if (lastText !== '' && Number(lastText) < first) return null;
  return first >= sizeBytes ? 'unsatisfiable' : { first, end };
}
