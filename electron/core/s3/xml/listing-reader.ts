import { etagIn } from '../model/etag.ts';
import { decodeListed } from '../model/encode.ts';
import { openingOf } from './plain-tree.ts';
import { Entries } from './listing-entries.ts';

/** Receives the entries of a page. Key and size are always parsed, other properties only on request. */
export interface ListingVisitor {
  object(
    key: string,
    sizeBytes: number,
    lastModified: string | null,
    etag: string | null,
    storageClass: string | null,
    /** True if the key is certainly ASCII. */
    isAscii: boolean,
    /** The owner's name, otherwise the id; null if there is none or owners were not requested. */
    owner: string | null,
  ): void;
  /** Receives a common prefix. If absent, a page with common prefixes counts as unusual. */
  commonPrefix?(prefix: string, isAscii: boolean): void;
}

export interface ListingOptions {
  /** Also returns times and ETags. If false, they are only checked and passed as null. */
  readonly details: boolean;
  /** True if the text is known to be ASCII. */
  readonly isAscii: boolean;
}

export interface ListingEnd {
  readonly isTruncated: boolean;
}

/**
 * Parses a listing page without building a tree, because listing millions of keys spends most time here. Returns null for an
 * unusual or invalid page, perhaps after passing on some entries. The caller then discards them, and `readListing` parses the
 * page or reports the error.
 */
export function readListingPage(
  text: string,
  visitor: ListingVisitor,
  wants: ListingOptions,
): ListingEnd | null {
  const opening = openingOf(text);
  if (opening?.name !== 'ListBucketResult') return null;
  const entries = new Entries(text, opening.end);
  // The element that names the encoding may come after the keys.
  const encodingAt = text.indexOf('<EncodingType>');
  const isEncoded =
    encodingAt !== -1 && text.startsWith('url</EncodingType>', encodingAt + '<EncodingType>'.length);
  let flag: string | null = null;
  let encoding: string | null = null;
  for (;;) {
    const name = entries.open();
    if (name === null) return null;
    if (name === '') break;
    if (name === 'Contents') {
      if (entries.isEmpty || !readObject(entries, isEncoded, visitor, wants)) return null;
      continue;
    }
    if (name === 'CommonPrefixes' && visitor.commonPrefix !== undefined) {
      if (entries.isEmpty || !readPrefix(entries, isEncoded, visitor, wants)) return null;
      continue;
    }
    const value = entries.text(name);
    if (value === null) return null;
    if (name === 'IsTruncated') {
      if (flag !== null) return null;
      flag = value;
    } else if (name === 'EncodingType') {
      if (encoding !== null) return null;
      encoding = value;
    }
  }
  if (!entries.atEnd('ListBucketResult')) return null;
  if (encoding !== (isEncoded ? 'url' : null)) return null;
  if (flag !== 'true' && flag !== 'false') return null;
  return { isTruncated: flag === 'true' };
}

function readObject(
  entries: Entries,
  isEncoded: boolean,
  visitor: ListingVisitor,
  { details, isAscii }: ListingOptions,
): boolean {
  let key: string | null = null;
  let size: string | null = null;
  let modified: string | null = null;
  let etag: string | null = null;
  let storageClass: string | null = null;
  let owner: string | null = null;
  let isPlain = false;
  for (;;) {
    const name = entries.open();
    if (name === null) return false;
    if (name === '') break;
    if (name === 'Owner') {
      if (owner !== null) return false;
      owner = entries.owner();
      if (owner === null) return false;
      continue;
    }
    switch (name) {
      case 'Key':
        if (key !== null) return false;
        key = entries.text(name);
        if (key === null) return false;
        isPlain = isAscii && !entries.hadReference;
        break;
      case 'Size':
        if (size !== null) return false;
        size = entries.text(name);
        if (size === null) return false;
        break;
      case 'LastModified':
        if (modified !== null) return false;
        modified = details ? entries.text(name) : entries.pass(name);
        if (modified === null) return false;
        break;
      case 'ETag':
        if (etag !== null) return false;
        etag = details ? entries.text(name) : entries.pass(name);
        if (etag === null) return false;
        break;
      case 'StorageClass':
        if (storageClass !== null) return false;
        storageClass = entries.text(name);
        if (storageClass === null) return false;
        break;
      default:
        if (entries.pass(name) === null) return false;
    }
  }
  if (!entries.close('Contents') || key === null || key === '' || size === null) return false;
  const sizeBytes = wholeNumber(size);
  if (sizeBytes === -1) return false;
  if (isEncoded && (key.includes('%') || key.includes('+'))) {
    isPlain = false;
    try {
      key = decodeListed(key);
    } catch {
      return false;
    }
  }
  visitor.object(
    key,
    sizeBytes,
    modified === '' ? null : modified,
    etagIn(etag),
    storageClass === '' ? null : storageClass,
    isPlain,
    owner === '' ? null : owner,
  );
  return true;
}

function readPrefix(
  entries: Entries,
  isEncoded: boolean,
  visitor: ListingVisitor,
  { isAscii }: ListingOptions,
): boolean {
  if (entries.open() !== 'Prefix') return false;
  let prefix = entries.text('Prefix');
  if (prefix === null || prefix === '') return false;
  let isPlain = isAscii && !entries.hadReference;
  // Each element has a single prefix. A page with more in one element counts as unusual.
  if (entries.open() !== '' || !entries.close('CommonPrefixes')) return false;
  if (isEncoded && (prefix.includes('%') || prefix.includes('+'))) {
    isPlain = false;
    try {
      prefix = decodeListed(prefix);
    } catch {
      return false;
    }
  }
  visitor.commonPrefix?.(prefix, isPlain);
  return true;
}

/** Parses up to 15 digits; returns -1 for other texts. */
function wholeNumber(text: string): number {
  const { length } = text;
  if (length === 0 || length > 15) return -1;
  let value = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
