import { etagIn } from '../model/etag.ts';
import type { UnreadableEntry, Bucket, ListedObject, Owner } from '../model/listing-types.ts';
import { AppFailure } from '../../../../shared/errors.ts';
import { quoteWithout, wordsOf, type Quote } from '../model/quote.ts';
import { protocolFailure } from '../model/s3-errors.ts';
import { decodeListed } from '../model/encode.ts';
import { parseCount, parseFlag, parseTime, textOrNull, type XmlElement } from './parse.ts';

/** A decoded ListBucketResult of either version. */
export interface ListingAnswer {
  /** Unreadable entries are in no other list. */
  readonly unreadable: readonly UnreadableEntry[];
  readonly objects: readonly ListedObject[];
  readonly commonPrefixes: readonly string[];
  readonly isTruncated: boolean;
  /** V2; opaque, never decoded (floci#1736). */
  readonly nextContinuationToken: string | null;
  /** V1: possible readings of NextMarker, the likelier first. Ceph sends it unencoded while it encodes keys. */
  readonly nextMarkers: readonly string[];
  readonly marker: string | null;
  readonly startAfter: string | null;
  readonly prefix: string | null;
  readonly delimiter: string | null;
}

/** Returns the decoder of keys and prefixes. It decodes only if the response says that it encoded them (backlot#178). */
export function keyDecoder(root: XmlElement): (text: string) => string {
  if (root.child('EncodingType')?.trim().toLowerCase() !== 'url') return (text) => text;
  return (text) => {
    try {
      return decodeListed(text);
    } catch {
      throw protocolFailure(
        'bad-encoding',
        (quote) => `The listing holds a name that cannot be decoded: "${quote(text, 100)}"`,
        {
          retry: 'after-fix',
        },
      );
    }
  };
}

/**
 * Decodes an echoed parameter. Ceph returns parameters and markers unencoded although it declares an encoding, so text that
 * cannot be decoded is kept.
 */
export function echo(decode: (text: string) => string, text: string | null): string | null {
  return readings(decode, text)[0] ?? null;
}

/** Returns the possible readings of a text, the likelier first. */
export function readings(decode: (text: string) => string, text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  try {
    return [...new Set([decode(text), text])];
  } catch (thrown) {
    if (thrown instanceof AppFailure) return [text];
    throw thrown;
  }
}

/** Parses a ListBucketResult. `quote` redacts and shortens the texts of unreadable entries. */
export function readListing(root: XmlElement, quote: Quote = quoteWithout([])): ListingAnswer {
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
 * Returns the flag; if it is missing, true when a token is present: tokens appear "only when IsTruncated is true" (specification,
 * section 2).
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

/** Parses each entry and sets aside unreadable ones, so that one bad entry does not hide a folder. */
export function readEach<T>(
  entries: readonly XmlElement[],
  readOne: (entry: XmlElement) => T,
  quote: Quote,
): { readonly read: readonly T[]; readonly unreadable: readonly UnreadableEntry[] } {
  const read: T[] = [];
  const unreadable: UnreadableEntry[] = [];
  for (const entry of entries) {
    try {
      read.push(readOne(entry));
    } catch (thrown) {
      if (!(thrown instanceof AppFailure)) throw thrown;
      unreadable.push({ text: entryText(entry, quote), why: wordsOf(thrown, quote) });
    }
  }
  return { read, unreadable };
}

/** Throws for the first unreadable entry, because jobs that process a list must not skip one. */
export function requireReadable(unreadable: readonly UnreadableEntry[]): void {
  const [first] = unreadable;
  if (first === undefined) return;
  throw protocolFailure('unreadable-entry', `${first.why}\nThe entry: ${first.text}`, { retry: 'after-fix' });
}

/** Returns the text of an entry for display. */
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
    throw protocolFailure('unexpected-answer', 'The listing holds an object without a key.', {
      retry: 'after-fix',
    });
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
