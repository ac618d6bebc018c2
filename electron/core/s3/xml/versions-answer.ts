import { etagIn } from '../model/etag.ts';
import { compareUtf8 } from '../model/encode.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import type { ListedVersion } from '../model/property-types.ts';
import { keyDecoder, readCommonPrefixes, readEach, readings } from './listing-answer.ts';
import { quoteWithout, type Quote } from '../model/quote.ts';
import type { UnreadableEntry } from '../model/listing-types.ts';
import { parseCount, parseFlag, parseTime, textOrNull, type XmlElement } from './parse.ts';

export interface VersionsAnswer {
  readonly versions: readonly ListedVersion[];
  readonly commonPrefixes: readonly string[];
  /** The entries that could not be parsed. No other list contains them. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Both markers of the next page; null on the last page. */
  readonly next: { readonly keyMarker: string; readonly versionIdMarker: string | null } | null;
}

/**
 * Parses a ListVersionsResult, and sorts versions and delete markers into one list. Throws `AppError('protocol')` for a truncated
 * page without markers.
 */
export function readVersions(root: XmlElement, quote: Quote = quoteWithout([])): VersionsAnswer {
  const decode = keyDecoder(root);
  const stored = readEach(root.all('Version'), (entry) => readVersion(entry, decode, false), quote);
  const markersRead = readEach(root.all('DeleteMarker'), (entry) => readVersion(entry, decode, true), quote);
  const versions = [...stored.read, ...markersRead.read].toSorted(newestFirst);
  const unreadable = [...stored.unreadable, ...markersRead.unreadable];
  const commonPrefixes = readCommonPrefixes(root, decode);
  if (!parseFlag(root.child('IsTruncated'))) return { versions, commonPrefixes, unreadable, next: null };
  const last = versions.at(-1);
  // Ceph sends the marker unencoded even when keys are encoded. The reading that matches an entry of this page is right.
  const markers = readings(decode, root.child('NextKeyMarker'));
  const isHere = (marker: string) => marker === last?.key || commonPrefixes.includes(marker);
  const keyMarker = markers.find(isHere) ?? markers[0] ?? last?.key ?? null;
  if (keyMarker === null) {
    throw protocolFailure('listing-stuck', 'The list of versions has more, but not where to go on.', {
      retry: 'after-fix',
    });
  }
  // Version ids are opaque and must not be decoded.
  const versionIdMarker =
    textOrNull(root.child('NextVersionIdMarker')) ?? (last?.key === keyMarker ? last.versionId : null);
  return { versions, commonPrefixes, unreadable, next: { keyMarker, versionIdMarker } };
}

/**
 * Compares by key, then newest first: "Versions are listed in the order in which they were stored, the most recent first"
 * (ListObjectVersions).
 */
function newestFirst(a: ListedVersion, b: ListedVersion): number {
  if (a.key !== b.key) return compareUtf8(a.key, b.key);
  if (a.isLatest !== b.isLatest) return a.isLatest ? -1 : 1;
  return Date.parse(b.lastModified ?? '') - Date.parse(a.lastModified ?? '') || 0;
}

function readVersion(
  entry: XmlElement,
  decode: (text: string) => string,
  isDeleteMarker: boolean,
): ListedVersion {
  const key = entry.child('Key');
  if (key === null || key === '') {
    throw protocolFailure('unexpected-answer', 'The list of versions holds an entry without a key.', {
      retry: 'after-fix',
    });
  }
  return {
    key: decode(key),
    // Ceph leaves the id empty if versioning was never enabled. That version has the id `null`.
    versionId: textOrNull(entry.child('VersionId')) ?? 'null',
    isLatest: parseFlag(entry.child('IsLatest')),
    isDeleteMarker,
    sizeBytes: isDeleteMarker ? null : parseCount(entry.child('Size'), 'The size of a version'),
    lastModified: parseTime(entry.child('LastModified')),
    etag: etagIn(entry.child('ETag')),
    storageClass: textOrNull(entry.child('StorageClass')),
  };
}
