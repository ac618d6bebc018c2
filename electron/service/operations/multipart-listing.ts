import {
  integerParameter,
  quoted,
  requireBucket,
  requireUpload,
  xmlResponse,
  type OperationResponse,
  type RequestContext,
} from '../context.ts';
import type { ListPage, PartRow, UploadRow } from '../store/model.ts';
import { document, element } from '../xml.ts';
import { isoTime } from './attribute-operations.ts';
import { owner } from './bucket-operations.ts';
import { checksumXml } from './complete.ts';
import { keyEncoding, lastEntry, largestPage, prefixXml, type KeyEncoding } from './listing-operations.ts';
import { assertNever } from '../../../shared/assert-never.ts';

const initiator = '<Initiator><ID>cooper</ID><DisplayName>cooper</DisplayName></Initiator>';

/**
 * Throws NoSuchUpload, and InvalidArgument for an unusable limit.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html
 */
export function listParts(context: RequestContext): OperationResponse {
  const upload = requireUpload(context);
  const limit = integerParameter(context, 'max-parts', largestPage, largestPage);
  const marker = integerParameter(context, 'part-number-marker', 0, 2_147_483_647);
  const found = context.state.store.uploads.parts(upload.id, marker, limit + 1);
  const parts = found.slice(0, limit);
  const isTruncated = limit > 0 && found.length > limit;
  return xmlResponse(
    document(
      'ListPartsResult',
      element('Bucket', context.bucket) +
        element('Key', context.key) +
        element('UploadId', upload.id) +
        initiator +
        owner +
        element('StorageClass', upload.storageClass) +
        element('PartNumberMarker', marker) +
        element('NextPartNumberMarker', isTruncated ? parts.at(-1)?.number : null) +
        element('MaxParts', limit) +
        element('IsTruncated', String(isTruncated)) +
        checksumKind(upload) +
        parts.map(partXml).join(''),
    ),
  );
}

function partXml(part: PartRow): string {
  return (
    `<Part>${element('PartNumber', part.number)}${element('LastModified', isoTime(part.modifiedMs))}` +
    `${element('ETag', quoted(part.etag))}${element('Size', part.sizeBytes)}${checksumXml(part.checksums)}</Part>`
  );
}

/**
 * Throws NoSuchBucket, and InvalidArgument for an unusable parameter.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html
 */
export function listMultipartUploads(context: RequestContext): OperationResponse {
  const bucket = requireBucket(context);
  const parameter = (name: string): string => context.query.get(name) ?? '';
  const prefix = parameter('prefix');
  const delimiter = parameter('delimiter');
  const keyMarker = parameter('key-marker');
  const idMarker = parameter('upload-id-marker');
  const limit = integerParameter(context, 'max-uploads', largestPage, largestPage);
  const keys = keyEncoding(context);
  const found = context.state.store.uploads.list(bucket.id, {
    prefix,
    delimiter,
    after: keyMarker === '' ? null : keyMarker,
    // S3 ignores an upload id marker without a key marker.
    afterId: keyMarker === '' || idMarker === '' ? null : idMarker,
    limit,
  });
  const page = restricted(context, found, prefix);
  const last = page.isTruncated ? lastEntry(page) : null;
  const lastUpload = page.rows.at(-1);
  return xmlResponse(
    document(
      'ListMultipartUploadsResult',
      element('Bucket', context.bucket) +
        keys.element('KeyMarker', keyMarker) +
        element('UploadIdMarker', idMarker) +
        keys.element('NextKeyMarker', last) +
        element('NextUploadIdMarker', last === null ? null : last === lastUpload?.key ? lastUpload.id : '') +
        keys.element('Prefix', prefix) +
        keys.element('Delimiter', delimiter === '' ? null : delimiter) +
        keys.encodingType +
        element('MaxUploads', limit) +
        element('IsTruncated', String(page.isTruncated)) +
        page.rows.map((upload) => uploadXml(upload, keys)).join('') +
        page.commonPrefixes.map((prefix) => prefixXml(prefix, keys)).join(''),
    ),
  );
}

function restricted(context: RequestContext, page: ListPage<UploadRow>, prefix: string): ListPage<UploadRow> {
  switch (context.state.quirks.listUploads) {
    case 'all':
      return page;
    case 'exact-key':
      return {
        rows: page.rows.filter((upload) => upload.key === prefix),
        commonPrefixes: [],
        isTruncated: false,
      };
    case 'none':
      return { rows: [], commonPrefixes: [], isTruncated: false };
    default:
      return assertNever(context.state.quirks.listUploads);
  }
}

function uploadXml(upload: UploadRow, keys: KeyEncoding): string {
  return (
    `<Upload>${keys.element('Key', upload.key)}${element('UploadId', upload.id)}${initiator}${owner}` +
    `${element('StorageClass', upload.storageClass)}${element('Initiated', isoTime(upload.initiatedMs))}` +
    `${checksumKind(upload)}</Upload>`
  );
}

function checksumKind(upload: UploadRow): string {
  return (
    element('ChecksumAlgorithm', upload.checksumAlgorithm?.toUpperCase()) +
    element('ChecksumType', upload.checksumType)
  );
}
