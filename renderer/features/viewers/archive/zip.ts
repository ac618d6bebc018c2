import { memorySource, type RangeSource } from '../frame/range-source.ts';
import {
  maxEntries,
  maxExtractedBytes,
  partOf,
  TooLarge,
  type ArchiveEntry,
  type ArchiveList,
  type OpenedEntry,
} from './archive.ts';
import { BadFormat, type Collected, collected, crc32, rangeStream, viewOf } from '../frame/bytes.ts';
import { askUnpacker } from '../packed/ask-unpacker.ts';
import type { Compression } from '../packed/unpacker.ts';
import { isUtf8 } from '../encoding/detect-encoding.ts';
import type { TextEncoding } from '../encoding/text-encoding.ts';
import { nameDecoder, type NameDecoder } from './entry-names.ts';
import { findDirectory, uint64 } from './zip-directory.ts';

// PKWARE APPNOTE 6.3.10: 4.3.7 local header, 4.3.12 entry of the central directory.
const localMark = 0x04034b50;
const entryMark = 0x02014b50;
const entryBytes = 46;
const localBytes = 30;
const unicodePathField = 0x7075;
const stored = 0;
const deflated = 8;
/** The other compression methods that Cooper knows (APPNOTE 4.4.5). */
const compressions: Readonly<Record<number, Compression>> = { 12: 'bzip2', 93: 'zstd', 95: 'xz' };
/** Stored entries above this size are read by ranges and not checked against their CRC. */
const maxCheckedStoredBytes = 8 * 1024 * 1024;
/** Limit for reading the directory. */
const maxDirectoryBytes = 32 * 1024 * 1024;

/**
 * Reads the directory of a zip archive from its end, in two or three requests regardless of its size. `chosen`: the encoding
 * that the user has set for names that do not state theirs. Throws BadFormat or EncryptedDirectory.
 */
export async function readZip(
  source: RangeSource,
  signal: AbortSignal,
  chosen: TextEncoding | null = null,
  unpackPart = askUnpacker,
): Promise<ArchiveList> {
  const directory = await findDirectory(source, signal);
  const bytesToRead = Math.min(directory.sizeBytes, maxDirectoryBytes);
  const bytes = await source.read(directory.start, bytesToRead, signal);
  const view = viewOf(bytes);
  const entryOffsets: number[] = [];
  let at = 0;
  while (at + entryBytes <= bytes.length && entryOffsets.length < maxEntries) {
    if (view.getUint32(at, true) !== entryMark) break;
    const next =
      at +
      entryBytes +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true);
    if (next > bytes.length) break;
    entryOffsets.push(at);
    at = next;
  }
  const unknownNames = entryOffsets
    .map((place) => unknownName(bytes, view, place))
    .filter((name) => name !== null);
  const decodeName = nameDecoder(unknownNames, 'zip', chosen);
  const { shift } = directory;
  const entries = entryOffsets.map((place) =>
    entryAt(bytes, view, place, { source, shift, decodeName, unpackPart }),
  );
  if (entries.length === 0 && directory.count > 0)
    throw new BadFormat('The directory has no entry where one should be.');
  return {
    entries,
    state: entries.length < directory.count || bytesToRead < directory.sizeBytes ? 'cut' : 'whole',
    hasUnknownNames: unknownNames.some((name) => !isUtf8(name)),
  };
}

interface EntrySource {
  readonly source: RangeSource;
  readonly shift: number;
  readonly decodeName: NameDecoder;
  readonly unpackPart: typeof askUnpacker;
}

/** Returns the bytes of a name, or null if the entry states the encoding of the name. */
function unknownName(bytes: Uint8Array, view: DataView, at: number): Uint8Array | null {
  if ((view.getUint16(at + 8, true) & 0x800) !== 0 || unicodeName(bytes, view, at) !== null) return null;
  return bytes.subarray(at + entryBytes, at + entryBytes + view.getUint16(at + 28, true));
}

/** Returns the name in the Unicode path field (APPNOTE 4.6.9). Null without the field, or if the old name has changed since. */
function unicodeName(bytes: Uint8Array, view: DataView, at: number): string | null {
  const nameEnd = at + entryBytes + view.getUint16(at + 28, true);
  const end = nameEnd + view.getUint16(at + 30, true);
  for (let field = nameEnd; field + 4 <= end;) {
    const size = view.getUint16(field + 2, true);
    const isName = view.getUint16(field, true) === unicodePathField && size > 5 && field + 4 + size <= end;
    if (isName && view.getUint8(field + 4) === 1) {
      const crc = view.getUint32(field + 5, true);
      if (crc === crc32(bytes.subarray(at + entryBytes, nameEnd)))
        return new TextDecoder().decode(bytes.subarray(field + 9, field + 4 + size));
    }
    field += 4 + size;
  }
  return null;
}

function entryAt(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  { source, shift, decodeName, unpackPart }: EntrySource,
): ArchiveEntry {
  const flags = view.getUint16(at + 8, true);
  const method = view.getUint16(at + 10, true);
  const nameBytes = view.getUint16(at + 28, true);
  const extraBytes = view.getUint16(at + 30, true);
  const nameEnd = at + entryBytes + nameBytes;
  const rawName = bytes.subarray(at + entryBytes, nameEnd);
  const isUtf8Name = (flags & 0x800) !== 0;
  const name =
    unicodeName(bytes, view, at) ?? (isUtf8Name ? new TextDecoder().decode(rawName) : decodeName(rawName));
  const wide = wideFields(view, nameEnd, extraBytes, {
    sizeBytes: view.getUint32(at + 24, true),
    packedBytes: view.getUint32(at + 20, true),
    offset: view.getUint32(at + 42, true),
  });
  const crc = view.getUint32(at + 16, true);
  const isEncrypted = (flags & 1) !== 0;
  const compression = compressions[method] ?? null;
  const isKnown = method === stored || method === deflated || compression !== null;
  // Unix type of the file, in the upper half of the external attributes.
  const isLink = view.getUint32(at + 38, true) >>> 28 === 0xa && view.getUint8(at + 5) === 3;
  const entry = {
    name,
    isFolder: name.endsWith('/'),
    sizeBytes: wide.sizeBytes,
    packedBytes: wide.packedBytes,
    modifiedMs: dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    closed: isEncrypted ? 'encrypted' : isKnown ? (isLink ? 'link' : null) : 'method',
  } as const;
  return {
    ...entry,
    open: async (signal) => {
      const header = viewOf(await source.read(shift + wide.offset, localBytes, signal));
      if (header.byteLength < localBytes || header.getUint32(0, true) !== localMark)
        throw new BadFormat('The entry is not where the directory says.');
      const start =
        shift + wide.offset + localBytes + header.getUint16(26, true) + header.getUint16(28, true);
      const packed = partOf(source, start, wide.packedBytes);
      if (packed.sizeBytes < wide.packedBytes) throw new BadFormat('The entry ends after the archive.');
      if (method === stored) return await openStored(packed, wide.sizeBytes, crc, signal);
      if (wide.sizeBytes > maxExtractedBytes)
        throw new TooLarge('The entry is too large to be unpacked here.');
      // Never decompresses more than the stated size.
      const { bytes: content, isCut } =
        compression === null
          ? await inflated(packed, wide.sizeBytes, signal)
          : await unpackPart(packed, compression, wide.sizeBytes, signal);
      if (isCut || content.length !== wide.sizeBytes)
        throw new BadFormat('The entry is not as large as the directory says.');
      return { source: memorySource(content), isDamaged: crc32(content) !== crc };
    },
  };
}

/** Opens a stored entry, whose ranges are read within its stated size. Only a small entry is read whole and checked. */
async function openStored(
  stored: RangeSource,
  sizeBytes: number,
  crc: number,
  signal: AbortSignal,
): Promise<OpenedEntry> {
  const source = partOf(stored, 0, sizeBytes);
  if (stored.sizeBytes !== sizeBytes) return { source, isDamaged: true };
  if (sizeBytes > maxCheckedStoredBytes) return { source, isDamaged: false };
  const content = await source.read(0, sizeBytes, signal);
  return { source: memorySource(content), isDamaged: crc32(content) !== crc };
}

async function inflated(packed: RangeSource, maxBytes: number, signal: AbortSignal): Promise<Collected> {
  const stream = rangeStream(packed, signal).pipeThrough(new DecompressionStream('deflate-raw'));
  return await collected(stream, maxBytes);
}

interface Wide {
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly offset: number;
}

/**
 * Reads the 64-bit values of an entry. The extra field has only those whose 32-bit value is all ones, in order (APPNOTE 4.5.3).
 */
function wideFields(view: DataView, start: number, length: number, narrow: Wide): Wide {
  for (let at = start; at + 4 <= start + length;) {
    const size = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      const end = Math.min(at + 4 + size, start + length);
      let place = at + 4;
      const next = (value: number): number => {
        if (value !== 0xffffffff || place + 8 > end) return value;
        place += 8;
        return uint64(view, place - 8);
      };
      const sizeBytes = next(narrow.sizeBytes);
      const packedBytes = next(narrow.packedBytes);
      return { sizeBytes, packedBytes, offset: next(narrow.offset) };
    }
    at += 4 + size;
  }
  return narrow;
}

/** Converts a DOS date and time: local time of the computer that wrote the archive, in steps of two seconds. */
function dosTime(date: number, time: number): number | null {
  const month = (date >> 5) & 15;
  const day = date & 31;
  if (month < 1 || month > 12 || day < 1) return null;
  return new Date(
    1980 + (date >> 9),
    month - 1,
    day,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  ).getTime();
}
