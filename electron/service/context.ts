import type { RequestBody } from './received-body.ts';
import type { Quirks } from './quirks.ts';
import { serviceError } from './service-errors.ts';
import type { ContentReader } from './store/contents.ts';
import type { BucketRow, UploadRow, VersionRow } from './store/model.ts';
import { largestPartNumber } from './store/model.ts';
import type { Store } from './store/object-store.ts';
import { isVersionId } from './store/version-rows.ts';

/** State shared by all requests to one running service. */
export interface ServiceState {
  readonly store: Store;
  readonly quirks: Quirks;
  readonly region: string;
  readonly minPartBytes: number;
  /** The key that signs continuation tokens. */
  readonly tokenKey: Buffer;
  /** The response bodies of successful CompleteMultipartUpload requests by upload id, for the quirk that repeats them. */
  readonly completions: Map<string, string>;
  readonly nowMs: () => number;
}

/** A request after authentication, before its body is read. */
export interface RequestContext {
  readonly state: ServiceState;
  /** The bucket; '' for requests to the service itself. */
  readonly bucket: string;
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  /** The headers, with names in lower case and repeated values joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: RequestBody;
  /** Scheme and host of the service as the client sees them. */
  readonly origin: string;
  readonly isPathStyle: boolean;
}

export interface OperationResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. Text is sent as UTF-8. A reader is released after sending, even if that fails. */
  readonly body: string | ContentReader | null;
}

export type Handler = (context: RequestContext) => OperationResponse | Promise<OperationResponse>;

export function xmlResponse(body: string, headers: Readonly<Record<string, string>> = {}): OperationResponse {
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body };
}

export function emptyResponse(
  status: number,
  headers: Readonly<Record<string, string>> = {},
): OperationResponse {
  return { status, headers, body: null };
}

/** Returns the bucket of the request. Throws NoSuchBucket if it does not exist. */
export function requireBucket(context: RequestContext, name = context.bucket): BucketRow {
  const bucket = context.state.store.buckets.get(name);
  if (bucket === null) throw serviceError('NoSuchBucket', { elements: { BucketName: name } });
  return bucket;
}

/**
 * Returns the upload with the request's `uploadId`. Throws NoSuchUpload, also if it belongs to another bucket or key (spec §7).
 */
export function requireUpload(context: RequestContext): UploadRow {
  const bucket = requireBucket(context);
  const id = context.query.get('uploadId') ?? '';
  const upload = context.state.store.uploads.get(id);
  if (upload === null || upload.bucketId !== bucket.id || upload.key !== context.key) {
    throw missingUpload(context, id);
  }
  return upload;
}

export function missingUpload(context: RequestContext, id: string): Error {
  return serviceError(context.state.quirks.missingUpload, { elements: { UploadId: id } });
}

/** Returns an integer parameter, limited to `highest`. Throws InvalidArgument for negative numbers and other text. */
export function integerParameter(
  context: RequestContext,
  name: string,
  fallback: number,
  highest: number,
): number {
  const text = context.query.get(name);
  if (text === undefined || text === '') return fallback;
  if (!/^[0-9]{1,10}$/.test(text) || Number(text) > 2_147_483_647) {
    throw serviceError('InvalidArgument', {
      message: `Argument ${name} must be an integer between 0 and 2147483647`,
      elements: { ArgumentName: name, ArgumentValue: text },
    });
  }
  return Math.min(Number(text), highest);
}

export function quoted(etag: string): string {
  return `"${etag}"`;
}

/** Parses a `partNumber` parameter. Throws InvalidArgument unless it is a number from 1 to 10,000. */
export function partNumberIn(text: string): number {
  const number = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= largestPartNumber) return number;
  throw serviceError('InvalidArgument', {
    message: `Part number must be an integer between 1 and ${largestPartNumber}, inclusive`,
    elements: { ArgumentName: 'partNumber', ArgumentValue: text },
  });
}

/** Returns a header's date in seconds since 1970; null if it is missing or invalid. */
export function secondsOf(date: string | undefined): number | null {
  const ms = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

/** Returns the request's versionId; null if it has none. Throws `InvalidArgument` for a malformed id. */
export function versionOf(context: RequestContext): string | null {
  const version = context.query.get('versionId');
  return version === undefined ? null : checkedVersion(version, 'versionId');
}

/** Returns the text if it has the form of a version id. Throws InvalidArgument otherwise. */
export function checkedVersion(text: string, argument: string): string {
  if (isVersionId(text)) return text;
  throw serviceError('InvalidArgument', {
    message: 'Invalid version id specified',
    elements: { ArgumentName: argument, ArgumentValue: text },
  });
}

/**
 * Returns the object to read. Throws NoSuchKey if the key is missing or its latest version is a delete marker, NoSuchVersion for
 * an unknown id, and MethodNotAllowed for the id of a delete marker.
 */
export function requireObject(
  context: RequestContext,
  bucket: BucketRow,
  key: string,
  version: string | null,
): VersionRow {
  const row = context.state.store.version(bucket.id, key, version);
  if (row !== null && !row.isMarker) return row;
  const marker = row === null ? {} : { 'x-amz-delete-marker': 'true', ...versionHeader(bucket, row.version) };
  if (version === null || bucket.versioning === 'Never') {
    throw serviceError('NoSuchKey', { elements: { Key: key }, headers: marker });
  }
  if (row === null) throw serviceError('NoSuchVersion', { elements: { Key: key, VersionId: version } });
  throw serviceError('MethodNotAllowed', {
    headers: { ...marker, allow: 'DELETE', 'last-modified': new Date(row.modifiedMs).toUTCString() },
  });
}

/** Returns a response header with the version, by default `x-amz-version-id`; {} if the bucket has no versions. */
export function versionHeader(
  { versioning }: BucketRow,
  version: string | null,
  name = 'x-amz-version-id',
): Record<string, string> {
  return versioning === 'Never' || version === null ? {} : { [name]: version };
}
