import type { RangeSource } from '../frame/range-source.ts';
import { BadFormat, mostEntries, partOf, type ArchiveEntry } from './archive.ts';

// POSIX.1-2017, pax, "ustar Interchange Format"; GNU tar, "Basic Tar Format".
const blockBytes = 512;
/** A longer name or header of pax is not believed. */
const mostExtraBytes = 1024 * 1024;
/** More headers in a row that are no entries are no archive's. */
const mostExtrasInARow = 100;

/** Reads a tar archive header by header: an archive has no directory. */
export interface TarReader {
  /** It grows, and nothing in it changes. */
  readonly entries: readonly ArchiveEntry[];
  readonly state: 'open' | 'whole' | 'cut';
  /** Up to so many more entries. Throws BadFormat where there is no header; what was read before stays. */
  more(count: number, signal: AbortSignal): Promise<void>;
}

interface Extra {
  readonly name?: string;
  readonly sizeBytes?: number;
  readonly modifiedMs?: number;
}

export function tarReader(source: RangeSource): TarReader {
  const entries: ArchiveEntry[] = [];
  let state: TarReader['state'] = 'open';
  let place = 0;
  let extra: Extra = {};
  let forAll: Extra = {};
  let extrasInARow = 0;

  const textOf = async (start: number, sizeBytes: number, signal: AbortSignal): Promise<string> => {
    if (sizeBytes > mostExtraBytes) throw new BadFormat('A header of the archive is too long.');
    return new TextDecoder().decode(await source.read(start, sizeBytes, signal));
  };
  const step = async (signal: AbortSignal): Promise<void> => {
    const header = await source.read(place, blockBytes, signal);
    // Archives end with two blocks of zeros; some end without.
    if (header.length < blockBytes || header.every((byte) => byte === 0)) {
      if (place === 0) throw new BadFormat('This is no tar archive.');
      state = 'whole';
      return;
    }
    if (!isHeader(header)) throw new BadFormat('A header of the archive is damaged.');
    const type = String.fromCharCode(header[156] ?? 0);
    const sizeBytes = number(header, 124, 12);
    const content = place + blockBytes;
    switch (type) {
      case 'L':
        extra = { ...extra, name: untilZero(await textOf(content, sizeBytes, signal)) };
        break;
      case 'x':
        extra = { ...extra, ...paxOf(await textOf(content, sizeBytes, signal)) };
        break;
      case 'g':
        forAll = { ...forAll, ...paxOf(await textOf(content, sizeBytes, signal)) };
        break;
      case 'K':
      case 'V':
        break;
      default:
        entries.push(entryOf(source, header, content, { ...forAll, ...extra }));
    }
    const isExtra = 'LxgKV'.includes(type);
    const size = isExtra ? sizeBytes : (extra.sizeBytes ?? forAll.sizeBytes ?? sizeBytes);
    extrasInARow = isExtra ? extrasInARow + 1 : 0;
    if (extrasInARow > mostExtrasInARow) throw new BadFormat('The archive has headers without entries.');
    if (!isExtra) extra = {};
    // Links and folders have no content, whatever size they name.
    const occupied = '123456'.includes(type) ? 0 : Math.ceil(size / blockBytes) * blockBytes;
    place = content + occupied;
    if (place > source.sizeBytes + blockBytes) state = 'cut';
    else if (entries.length >= mostEntries) state = 'cut';
    else if (place >= source.sizeBytes) state = 'whole';
  };
  return {
    entries,
    get state() {
      return state;
    },
    more: async (count, signal) => {
      const wanted = entries.length + count;
      try {
        // oxlint-disable-next-line no-unmodified-loop-condition -- step changes it
        while (state === 'open' && entries.length < wanted) await step(signal);
      } catch (thrown) {
        if (thrown instanceof BadFormat) state = 'cut';
        if (entries.length === 0 || !(thrown instanceof BadFormat)) throw thrown;
      }
    },
  };
}

function entryOf(source: RangeSource, header: Uint8Array, content: number, extra: Extra): ArchiveEntry {
  const type = String.fromCharCode(header[156] ?? 0);
  const prefix = isUstar(header) ? field(header, 345, 155) : '';
  const plain = field(header, 0, 100);
  const name = extra.name ?? (prefix === '' ? plain : `${prefix}/${plain}`);
  const isFolder = type === '5' || name.endsWith('/');
  const isFile = type === '0' || type === '\0' || type === '7' || type === ' ';
  const sizeBytes = isFile && !isFolder ? (extra.sizeBytes ?? number(header, 124, 12)) : 0;
  return {
    name,
    isFolder,
    sizeBytes,
    packedBytes: sizeBytes,
    modifiedMs: extra.modifiedMs ?? number(header, 136, 12) * 1000,
    closed: isFile || isFolder ? null : type === '1' || type === '2' ? 'link' : 'method',
    open: async () => {
      const part = partOf(source, content, sizeBytes);
      if (part.sizeBytes < sizeBytes) throw new BadFormat('The entry ends behind the archive.');
      return await Promise.resolve(part);
    },
  };
}

/** Whether a block is a header: its bytes add up to the sum in it, as signed or as unsigned ones. */
export function isHeader(block: Uint8Array): boolean {
  if (block.length < blockBytes) return false;
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < blockBytes; at += 1) {
    const byte = at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
    unsigned += byte;
    signed += byte < 128 ? byte : byte - 256;
  }
  const sum = Number.parseInt(field(block, 148, 8).trim(), 8);
  return sum === unsigned || sum === signed;
}

function isUstar(header: Uint8Array): boolean {
  return field(header, 257, 5) === 'ustar' && header[262] === 0;
}

function field(block: Uint8Array, at: number, length: number): string {
  return untilZero(new TextDecoder().decode(block.subarray(at, at + length)));
}

function untilZero(text: string): string {
  const zero = text.indexOf('\0');
  return zero < 0 ? text : text.slice(0, zero);
}

/** Octal digits, or, from GNU tar, a binary number where those do not suffice. */
function number(block: Uint8Array, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) {
    let value = (block[at] ?? 0) & 0x7f;
    for (let place = at + 1; place < at + length; place += 1) value = value * 256 + (block[place] ?? 0);
    return Number.isSafeInteger(value) ? value : Number.MAX_SAFE_INTEGER;
  }
  const digits = field(block, at, length).trim();
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0;
}

/** Records `length key=value\n`, their length in bytes. */
function paxOf(text: string): Extra {
  const values = new Map<string, string>();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) {
    const head = /^(\d{1,9}) /.exec(new TextDecoder().decode(bytes.subarray(at, at + 11)));
    const length = Number(head?.[1] ?? 0);
    if (head === null || length <= head[0].length) break;
    const record = new TextDecoder().decode(bytes.subarray(at + head[0].length, at + length - 1));
    const equals = record.indexOf('=');
    if (equals > 0) values.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  const size = Number(values.get('size') ?? Number.NaN);
  const seconds = Number(values.get('mtime') ?? Number.NaN);
  const path = values.get('path');
  return {
    ...(path === undefined ? {} : { name: path }),
    ...(Number.isSafeInteger(size) && size >= 0 ? { sizeBytes: size } : {}),
    ...(Number.isFinite(seconds) ? { modifiedMs: seconds * 1000 } : {}),
  };
}
