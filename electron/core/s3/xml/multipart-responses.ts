import { protocolFailure } from '../model/s3-errors.ts';
import type { ListPartsPage, ListedPart, MultipartUpload } from '../model/multipart-types.ts';
import { quoteWithout, type Quote } from '../model/redact.ts';
import type { UnreadableEntry } from '../model/listing-types.ts';
import {
  echo,
  keyDecoder,
  readCommonPrefixes,
  readEach,
  readOwner,
  withoutMarker,
} from './listing-response.ts';
import { parseCount, parseFlag, parseTime, textOrNull, type XmlElement } from './parse.ts';
import { checksumAlgorithms, checksumElements } from './render.ts';
import type { ChecksumAlgorithm, PartChecksums } from '../../disk/checksums.ts';

export interface UploadsResponse {
  readonly uploads: readonly MultipartUpload[];
  readonly commonPrefixes: readonly string[];
  /** The entries that could not be parsed. No other list contains them. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Both markers of the next page; null on the last page. */
  readonly next: { readonly keyMarker: string; readonly uploadIdMarker: string } | null;
  readonly maybeEncoded: boolean;
}

/**
 * Parses a ListMultipartUploadsResult. Upload ids are not decoded. `maybeEncoded` is true if a name may be encoded although the
 * response does not say so. Throws `AppError('protocol')` for a truncated page without markers.
 */
export function readUploads(root: XmlElement, quote: Quote = quoteWithout([])): UploadsResponse {
  const decode = keyDecoder(root);
  const { read: uploads, unreadable } = readEach(
    root.all('Upload'),
    (entry) => readUpload(entry, decode),
    quote,
  );
  const commonPrefixes = readCommonPrefixes(root, decode);
  const maybeEncoded =
    root.child('EncodingType') === null &&
    [...uploads.map(({ key }) => key), ...commonPrefixes].some((name) => /[%+]/.test(name));
  if (!parseFlag(root.child('IsTruncated')))
    return { uploads, commonPrefixes, unreadable, next: null, maybeEncoded };
  const last = uploads.at(-1);
  const keyMarker = echo(decode, root.child('NextKeyMarker')) ?? last?.key ?? null;
  if (keyMarker === null) throw withoutMarker('uploads');
  const uploadIdMarker =
    textOrNull(root.child('NextUploadIdMarker')) ?? (last?.key === keyMarker ? last.uploadId : '');
  return { uploads, commonPrefixes, unreadable, next: { keyMarker, uploadIdMarker }, maybeEncoded };
}

function readUpload(entry: XmlElement, decode: (text: string) => string): MultipartUpload {
  const key = entry.child('Key');
  const uploadId = entry.child('UploadId');
  if (!key || !uploadId) {
    throw protocolFailure('unexpected-answer', 'The list contains an upload without a key or an id.');
  }
  return {
    key: decode(key),
    uploadId,
    initiatedAt: parseTime(entry.child('Initiated')),
    initiator: readOwner(entry.first('Initiator')),
    owner: readOwner(entry.first('Owner')),
    storageClass: textOrNull(entry.child('StorageClass')),
  };
}

/** Parses a ListPartsResult. Throws `AppError('protocol')` if it is truncated without a marker. */
export function readParts(root: XmlElement): ListPartsPage {
  const parts = root.all('Part').map(readPart);
  return {
    parts,
    nextPartNumberMarker: nextPartMarker(root, parts),
    storageClass: textOrNull(root.child('StorageClass')),
    initiator: readOwner(root.first('Initiator')),
    owner: readOwner(root.first('Owner')),
    checksumAlgorithm: textOrNull(root.child('ChecksumAlgorithm')),
    checksumType: textOrNull(root.child('ChecksumType')),
  };
}

function nextPartMarker(root: XmlElement, parts: readonly ListedPart[]): string | null {
  if (!parseFlag(root.child('IsTruncated'))) return null;
  const nextMarker = textOrNull(root.child('NextPartNumberMarker')?.trim() ?? null);
  if (nextMarker !== null && nextMarker !== '0') return nextMarker;
  // Some servers send no marker, or 0. The number of the last part is used instead.
  const last = parts.at(-1);
  if (last === undefined) throw withoutMarker('parts');
  return String(last.partNumber);
}

function readPart(entry: XmlElement): ListedPart {
  return {
    partNumber: parseCount(entry.child('PartNumber'), 'The number of a part'),
    sizeBytes: parseCount(entry.child('Size'), 'The size of a part'),
    etag: entry.child('ETag') ?? '',
    lastModified: parseTime(entry.child('LastModified')),
    checksums: readChecksums(entry),
  };
}

/** Returns the checksums of a part or of a completed object. */
export function readChecksums(entry: XmlElement): PartChecksums {
  const found: Partial<Record<ChecksumAlgorithm, string>> = {};
  for (const algorithm of checksumAlgorithms) {
    const value = entry.child(checksumElements[algorithm])?.trim();
    if (value) found[algorithm] = value;
  }
  return found;
}
