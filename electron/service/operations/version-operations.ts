import { serviceError } from '../service-errors.ts';
import type { ListedVersion } from '../store/model.ts';
import { childText, document, element, parseRoot, requireChildren } from '../xml.ts';
import { isoTime } from './attribute-operations.ts';
import { owner } from './bucket-operations.ts';
import { keyEncoding, largestPage, lastEntry, prefixXml, type KeyEncoding } from './listing-operations.ts';
import {
  checkedVersion,
  emptyResponse,
  integerParameter,
  quoted,
  requireBucket,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';

/** Throws NoSuchBucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html */
export function getBucketVersioning(context: RequestContext): OperationResponse {
  const { versioning } = requireBucket(context);
  return xmlResponse(
    document('VersioningConfiguration', element('Status', versioning === 'Never' ? null : versioning)),
  );
}

/**
 * Throws `MalformedXML` for an unknown status and `NotImplemented` for MFA delete.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketVersioning.html
 */
export async function putBucketVersioning(context: RequestContext): Promise<OperationResponse> {
  const root = parseRoot(await context.body.text(), 'VersioningConfiguration');
  requireChildren(root, ['Status', 'MfaDelete']);
  const status = childText(root, 'Status')?.trim();
  if (status !== 'Enabled' && status !== 'Suspended') throw serviceError('MalformedXML');
  if (childText(root, 'MfaDelete')?.trim() === 'Enabled') {
    throw serviceError('NotImplemented', { message: 'This service does not have MFA delete.' });
  }
  context.state.store.setVersioning(requireBucket(context).id, status);
  return emptyResponse(200);
}

/**
 * Throws `InvalidArgument` for a version marker without a key marker.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
 */
export function listObjectVersions(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const parameter = (name: string): string => context.query.get(name) ?? '';
  const prefix = parameter('prefix');
  const delimiter = parameter('delimiter');
  const keyMarker = parameter('key-marker');
  const versionMarker = context.query.get('version-id-marker');
  if (versionMarker !== undefined && (keyMarker === '' || versionMarker === '')) {
    throw serviceError('InvalidArgument', {
      message: 'A version-id marker cannot be specified without a key marker, nor be empty.',
      elements: { ArgumentName: 'version-id-marker', ArgumentValue: versionMarker },
    });
  }
  const limit = integerParameter(context, 'max-keys', largestPage, largestPage);
  const keys = keyEncoding(context);
  const page = context.state.store.listVersions(bucket.id, {
    prefix,
    delimiter,
    after: keyMarker === '' ? null : keyMarker,
    afterVersion: versionMarker === undefined ? null : checkedVersion(versionMarker, 'version-id-marker'),
    limit,
  });
  const last = page.isTruncated ? lastEntry(page) : null;
  const lastRow = page.rows.at(-1);
  return xmlResponse(
    document(
      'ListVersionsResult',
      element('Name', context.bucket) +
        keys.element('Prefix', prefix) +
        keys.element('KeyMarker', keyMarker) +
        element('VersionIdMarker', versionMarker ?? '') +
        keys.element('NextKeyMarker', last) +
        element('NextVersionIdMarker', last !== null && last === lastRow?.key ? lastRow.version : null) +
        keys.element('Delimiter', delimiter === '' ? null : delimiter) +
        keys.encodingType +
        element('MaxKeys', limit) +
        element('IsTruncated', String(page.isTruncated)) +
        page.rows.map((row) => versionXml(row, keys)).join('') +
        page.commonPrefixes.map((prefix) => prefixXml(prefix, keys)).join(''),
    ),
  );
}

function versionXml(row: ListedVersion, keys: KeyEncoding): string {
  const head =
    keys.element('Key', row.key) +
    element('VersionId', row.version) +
    element('IsLatest', String(row.isLatest)) +
    element('LastModified', isoTime(row.modifiedMs));
  if (row.isMarker) return `<DeleteMarker>${head}${owner}</DeleteMarker>`;
  const facts =
    element('ETag', quoted(row.etag)) +
    element('Size', row.sizeBytes) +
    element('StorageClass', row.storageClass);
  return `<Version>${head}${facts}${owner}</Version>`;
}
