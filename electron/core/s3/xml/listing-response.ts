import { etagIn } from '../model/etag.ts';
import type { UnreadableEntry, Bucket, ListedObject, Owner } from '../model/listing-types.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import { quoteWithout, wordsOf, type Quote } from '../model/redact.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { decodeListed, compareUtf8 } from '../model/encode.ts';
import { parseCount, parseFlag, parseTime, textOrNull, type XmlElement } from './parse.ts';
import type { ListedVersion } from '../model/property-types.ts';

/** A parsed ListBucketResult of version 1 or 2, with decoded names. */
export interface ListingResponse {
  /** The entries that could not be parsed. No other list contains them. */
  readonly unreadable: readonly UnreadableEntry[];
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  readonly isTruncated: boolean;
  /** The token of the next page in V2. It is opaque and must not be decoded (floci#1736). */
  readonly nextContinuationToken: string | null;
  /** The possible readings of NextMarker in V1, the most likely first. Ceph sends it unencoded even when keys are encoded. */
  readonly nextMarkers: readonly string[];
  readonly marker: string | null;
  readonly startAfter: string | null;
  readonly prefix: string | null;
  readonly delimiter: string | null;
}

/**
 * Returns a function that decodes keys and prefixes. It changes nothing unless the response declares an encoding (backlot#178).
 */
export function keyDecoder(root: XmlElement): (text: string) => string {
  if (root.child('EncodingType')?.trim().toLowerCase() !== 'url') return (text) => text;
  return (text) => {
    try {
      return decodeListed(text);
    } catch {
      throw protocolFailure(
        'bad-encoding',
        (quote) => `The listing holds a name that cannot be decoded: "${quote(text, 100)}"`,
      );
    }
  };
}

/**
 * Decodes a parameter that the response repeats. Ceph sends parameters and markers unencoded even when keys are encoded, so a
 * text that cannot be decoded is returned unchanged.
 */
export function echo(decode: (text: string) => string, text: string | null): string | null {
  return readings(decode, text)[0] ?? null;
}

/** Returns the possible readings of a text, the most likely first. */
function readings(decode: (text: string) => string, text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  try {
    return [...new Set([decode(text), text])];
  } catch (thrown) {
    if (thrown instanceof AppFailure) return [text];
    throw thrown;
  }
}

/** Parses a ListBucketResult. `quote` shortens the texts of unreadable entries and removes secrets from them. */
export function readListing(root: XmlElement, quote: Quote = quoteWithout([])): ListingResponse {
  const decode = keyDecoder(root);
  const objects = readEach(root.all('Contents'), (entry) => readObject(entry, decode), quote);
  const prefixes = readEach(prefixElements(root), (prefix) => decode(prefix.text), quote);
  return {
    objects: objects.read,
    commonPrefixes: prefixes.read,
    unreadable: [...objects.unreadable, ...prefixes.unreadable],
    isTruncated: isTruncated(root),
    nextContinuationToken: textOrNull(root.child('NextContinuationToken')),
    nextMarkers: readings(decode, root.child('NextMarker')),
    marker: echo(decode, root.child('Marker')),
    startAfter: echo(decode, root.child('StartAfter')),
    prefix: echo(decode, root.child('Prefix')),
    delimiter: echo(decode, root.child('Delimiter')),
  };
}

/**
 * Returns true if there are more pages. Without the flag, a token or marker shows it, because it appears "only when IsTruncated
 * is true" (specification, section 2).
 */
function isTruncated(root: XmlElement): boolean {
  const flag = root.child('IsTruncated');
  if (flag !== null) return parseFlag(flag);
  return Boolean(root.child('NextContinuationToken') ?? root.child('NextMarker'));
}

function prefixElements(root: XmlElement): readonly XmlElement[] {
  return root.all('CommonPrefixes').flatMap((entry) => entry.all('Prefix'));
}

export function readCommonPrefixes(root: XmlElement, decode: (text: string) => string): readonly string[] {
  return prefixElements(root).map((prefix) => decode(prefix.text));
}

/** Parses each entry. Returns unreadable entries separately, so that one of them does not hide a whole folder. */
export function readEach<T>(
  entries: readonly XmlElement[],
  readEntry: (entry: XmlElement) => T,
  quote: Quote,
): { readonly read: readonly T[]; readonly unreadable: readonly UnreadableEntry[] } {
  const read: T[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const entry of entries) {
    try {
      read.push(readEntry(entry));
    } catch (thrown) {
      if (!(thrown instanceof AppFailure)) throw thrown;
      unreadable.push({ text: entryText(entry, quote), why: wordsOf(thrown, quote) });
    }
  }
  return { read, unreadable };
}

/** Throws if any entry was unreadable, because jobs that process a list must not skip any. */
export function requireReadable(unreadable: readonly UnreadableEntry[]): void {
  const [first] = unreadable;
  if (first === undefined) return;
  throw protocolFailure('unreadable-entry', `${first.why}\nThe entry: ${first.text}`);
}

/** Returns the text that represents an unreadable entry in the window. */
function entryText(entry: XmlElement, quote: Quote): string {
  const fields = ['Key', 'VersionId', 'UploadId', 'Size', 'LastModified', 'Initiated', 'ETag'];
  const named = fields.flatMap((name) => {
    const value = entry.child(name);
    return value === null ? [] : [`${name}: ${quote(value, 300)}`];
  });
  return named.length === 0 ? quote(entry.text, 300) : named.join('\n');
}

function readObject(entry: XmlElement, decode: (text: string) => string): ListedObject {
  const key = entry.child('Key');
  if (key === null || key === '') {
    throw protocolFailure('unexpected-answer', 'The listing contains an object without a key.');
  }
  const owner = readOwner(entry.first('Owner'));
  const ownerName = owner?.displayName ?? owner?.id ?? null;
  return {
    key: decode(key),
    sizeBytes: parseCount(entry.child('Size'), 'The size of an object'),
    lastModified: parseTime(entry.child('LastModified')),
    etag: etagIn(entry.child('ETag')),
    storageClass: textOrNull(entry.child('StorageClass')),
    ...(ownerName === null ? {} : { owner: ownerName }),
  };
}

export function readOwner(element: XmlElement | null): Owner | null {
  if (element === null) return null;
  const id = textOrNull(element.child('ID'));
  const displayName = textOrNull(element.child('DisplayName'));
  return id === null && displayName === null ? null : { id, displayName };
}

/** Parses a ListAllMyBucketsResult. */
export function readBuckets(root: XmlElement): {
  readonly buckets: readonly Bucket[];
  readonly nextToken: string | null;
} {
  const entries = root.all('Buckets').flatMap((list) => list.all('Bucket'));
  const buckets = entries.map((entry) => ({
    name: entry.child('Name') ?? '',
    createdAt: parseTime(entry.child('CreationDate')),
    region: textOrNull(entry.child('BucketRegion')),
  }));
  return {
    buckets: buckets.filter((bucket) => bucket.name !== ''),
    nextToken: textOrNull(root.child('ContinuationToken')),
  };
}

export interface VersionsResponse {
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
export function readVersions(root: XmlElement, quote: Quote = quoteWithout([])): VersionsResponse {
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
  const isOnPage = (marker: string) => marker === last?.key || commonPrefixes.includes(marker);
  const keyMarker = markers.find(isOnPage) ?? markers[0] ?? last?.key ?? null;
  if (keyMarker === null) throw withoutMarker('versions');
  // Version ids are opaque and must not be decoded.
  const versionIdMarker =
    textOrNull(root.child('NextVersionIdMarker')) ?? (last?.key === keyMarker ? last.versionId : null);
  return { versions, commonPrefixes, unreadable, next: { keyMarker, versionIdMarker } };
}

/** Returns the error for a truncated list of entries of this kind that does not say where the next page starts. */
export function withoutMarker(entries: 'versions' | 'uploads' | 'parts'): AppFailure {
  return protocolFailure(
    'listing-stuck',
    `The list of ${entries} is truncated but has no marker of the next page.`,
  );
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
    throw protocolFailure('unexpected-answer', 'The list of versions contains an entry without a key.');
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
