import type { RequestContext } from '../context.ts';
import { serviceError } from '../service-errors.ts';
import type { BucketRow, VersionRow } from '../store/model.ts';
import { isVersionId } from '../store/version-rows.ts';

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
