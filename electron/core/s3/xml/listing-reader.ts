import { isAscii } from 'node:buffer';
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
  /** The maximum number of bytes decoded at once. A longer entry is decoded with the rest of the page. */
  readonly pieceBytes?: number;
}

export interface ListingEnd {
  readonly isTruncated: boolean;
}

interface PieceOptions extends ListingOptions {
  /** True if the page says that its keys are URL-encoded. */
  readonly isEncoded: boolean;
  /** True if the piece is known to be ASCII. */
  readonly isAscii: boolean;
}

interface Piece {
  readonly text: string;
  readonly isAscii: boolean;
}

/**
 * Below the length from which V8 takes memory for a string from the system and returns it (128 KiB), which can take as long for a
 * page as parsing it.
 */
const usualPieceBytes = 96 * 1024;
const entryEnds = ['</Contents>', '</CommonPrefixes>'] as const;

/**
 * Parses a listing page without building a tree, because listing millions of keys spends most time here. Returns null for an
 * unusual or invalid page, perhaps after passing on some entries. The caller then discards them, and `readListing` parses the
 * page or reports the error.
 */
export function readListingPage(
  page: Buffer,
  visitor: ListingVisitor,
  wants: ListingOptions,
): ListingEnd | null {
  const pieces = piecesOf(page, wants.pieceBytes ?? usualPieceBytes);
  const first = pieces.next().value;
  const opening = openingOf(first?.text ?? '');
  if (first === undefined || opening?.name !== 'ListBucketResult') return null;
  const entries = new Entries(first.text, opening.end);
  // The element that names the encoding may come after the keys.
  let options = {
    ...wants,
    isEncoded: page.includes('<EncodingType>url</EncodingType>'),
    isAscii: first.isAscii,
  };
  let flag: string | null = null;
  let encoding: string | null = null;
  for (;;) {
    if (entries.isAtEnd) {
      const next = pieces.next().value;
      if (next === undefined) return null;
      entries.continueWith(next.text);
      options = { ...options, isAscii: next.isAscii };
    }
    const name = entries.open();
    if (name === null) return null;
    if (name === '') break;
    if (name === 'Contents') {
      if (entries.isEmpty || !readObject(entries, visitor, options)) return null;
      continue;
    }
    if (name === 'CommonPrefixes' && visitor.commonPrefix !== undefined) {
      if (entries.isEmpty || !readPrefix(entries, visitor, options)) return null;
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
  if (encoding !== (options.isEncoded ? 'url' : null)) return null;
  if (flag !== 'true' && flag !== 'false') return null;
  return { isTruncated: flag === 'true' };
}

/** Decodes a page in pieces that end behind an entry. Ends early at bytes that are not UTF-8. */
function* piecesOf(page: Buffer, pieceBytes: number): Generator<Piece, undefined> {
  for (let from = 0; from < page.length;) {
    const bytes = page.subarray(from, pieceEnd(page, from, pieceBytes));
    const isPlain = isAscii(bytes);
    const text = isPlain ? bytes.toString('latin1') : decoded(bytes);
    if (text === null) return;
    yield { text, isAscii: isPlain };
    from += bytes.length;
  }
}

function pieceEnd(page: Buffer, from: number, pieceBytes: number): number {
  if (page.length - from <= pieceBytes) return page.length;
  const longest = page.subarray(from, from + pieceBytes);
  const end = Math.max(...entryEnds.map((tag) => endOfLast(longest, tag)));
  return end === 0 ? page.length : from + end;
}

/** Returns the offset behind the last occurrence of the text, or 0. */
function endOfLast(bytes: Buffer, text: string): number {
  const at = bytes.lastIndexOf(text);
  return at === -1 ? 0 : at + text.length;
}

/** Returns the text, with a byte order mark where there is one; null if the bytes are not UTF-8. */
function decoded(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function readObject(
  entries: Entries,
  visitor: ListingVisitor,
  { details, isEncoded, isAscii: isPieceAscii }: PieceOptions,
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
        isPlain = isPieceAscii && !entries.hadReference;
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
  visitor: ListingVisitor,
  { isEncoded, isAscii: isPieceAscii }: PieceOptions,
): boolean {
  if (entries.open() !== 'Prefix') return false;
  let prefix = entries.text('Prefix');
  if (prefix === null || prefix === '') return false;
  let isPlain = isPieceAscii && !entries.hadReference;
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
