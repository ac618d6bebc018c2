import { chunksFrom } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { detectEncoding } from '../encoding/detect-encoding.ts';
import { decodePart, type EncodingFound, type TextEncoding } from '../encoding/text-encoding.ts';

/** Consecutive lines of a file. Only a line that is longer than a piece is cut. */
export interface TextPiece {
  readonly startByte: number;
  readonly endByte: number;
  readonly text: string;
}

export const pieceBytes = 256 * 1024;

/** A text too large for memory, read piece by piece. */
export interface TextFile {
  readonly sizeBytes: number;
  /** Offset of the text, behind a byte order mark. */
  readonly startByte: number;
  /** Returns the piece that begins here. */
  after(startByte: number, signal?: AbortSignal): Promise<TextPiece>;
  /** Returns the piece that ends here. */
  before(endByte: number, signal?: AbortSignal): Promise<TextPiece>;
  /** Returns the piece that begins with the line containing a byte. */
  around(byte: number, signal?: AbortSignal): Promise<TextPiece>;
}

/** Bytes at the beginning that are used to detect the encoding. */
const headBytes = 64 * 1024;

export interface OpenTextOptions {
  /** The encoding that the user has set, or null for the detected encoding. */
  readonly chosen?: TextEncoding | null;
  readonly pieceBytes?: number;
}

/** Opens a text to be read in pieces. */
export async function openText(
  source: RangeSource,
  { chosen = null, ...sizeOverrides }: OpenTextOptions = {},
  signal?: AbortSignal,
): Promise<TextFile & EncodingFound> {
  const sizes = { pieceBytes, ...sizeOverrides };
  const found = detectEncoding(await source.read(0, headBytes, signal), chosen, 'part');
  const { encoding, markBytes } = found;
  const { sizeBytes } = source;
  const aligned = (byte: number): number => (isWide(encoding) ? byte - ((byte - markBytes) % 2) : byte);
  const pieceOf = (bytes: Uint8Array, startByte: number): TextPiece => {
    return { startByte, endByte: startByte + bytes.length, text: decodePart(bytes, encoding) };
  };

  const after = async (startByte: number, signal?: AbortSignal): Promise<TextPiece> => {
    const bytes = await source.read(startByte, sizes.pieceBytes, signal);
    if (startByte + bytes.length >= sizeBytes) return pieceOf(bytes, startByte);
    const lineEnd = lineEndIn(bytes, encoding, 'last');
    return pieceOf(bytes.subarray(0, lineEnd ?? lastWhole(bytes, encoding)), startByte);
  };
  const before = async (endByte: number, signal?: AbortSignal): Promise<TextPiece> => {
    const from = aligned(Math.max(markBytes, endByte - sizes.pieceBytes));
    const bytes = await source.read(from, endByte - from, signal);
    if (from <= markBytes) return pieceOf(bytes, from);
    const lineEnd = lineEndIn(bytes, encoding, 'first');
    const cut = lineEnd === null || lineEnd === bytes.length ? firstWhole(bytes, encoding) : lineEnd;
    return pieceOf(bytes.subarray(cut), from + cut);
  };
  return {
    ...found,
    sizeBytes,
    startByte: markBytes,
    after,
    before,
    around: async (byte, signal) => {
      const at = aligned(Math.min(Math.max(byte, markBytes), sizeBytes));
      const from = aligned(Math.max(markBytes, at - sizes.pieceBytes / 4));
      const bytes = await source.read(from, at - from, signal);
      const lineEnd = lineEndIn(bytes, encoding, 'last');
      if (lineEnd !== null) return await after(from + lineEnd, signal);
      if (from === markBytes) return await after(markBytes, signal);
      return await after(from + firstWhole(bytes, encoding), signal);
    },
  };
}

/** Returns true for UTF-16. In all other encodings, the byte of a line feed occurs in no other character. */
function isWide(encoding: TextEncoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

/** Returns the offset after the first or the last line feed, or null without a line feed. */
function lineEndIn(bytes: Uint8Array, encoding: TextEncoding, which: 'first' | 'last'): number | null {
  if (!isWide(encoding)) {
    const at = which === 'first' ? bytes.indexOf(10) : bytes.lastIndexOf(10);
    return at === -1 ? null : at + 1;
  }
  const units = Math.floor(bytes.length / 2);
  for (let index = 0; index < units; index += 1) {
    const at = 2 * (which === 'first' ? index : units - 1 - index);
    if (unitAt(bytes, at, encoding) === 10) return at + 2;
  }
  return null;
}

/** Returns the offset of an incomplete character at the end, or the length of the bytes if all characters are complete. */
function lastWhole(bytes: Uint8Array, encoding: TextEncoding): number {
  if (isWide(encoding)) {
    const even = bytes.length - (bytes.length % 2);
    const isHigh = even >= 2 && (unitAt(bytes, even - 2, encoding) & 0xfc00) === 0xd800;
    return isHigh && even > 2 ? even - 2 : even;
  }
  if (encoding !== 'utf-8') return bytes.length;
  for (let back = 1; back <= 4 && back < bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Returns the offset of the first complete character. */
function firstWhole(bytes: Uint8Array, encoding: TextEncoding): number {
  if (isWide(encoding)) return bytes.length >= 2 && (unitAt(bytes, 0, encoding) & 0xfc00) === 0xdc00 ? 2 : 0;
  if (encoding !== 'utf-8') return 0;
  let at = 0;
  while (at < 4 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at === 4 ? 0 : at;
}

function unitAt(bytes: Uint8Array, at: number, encoding: TextEncoding): number {
  const [first, second] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
  return encoding === 'utf-16le' ? first | (second << 8) : (first << 8) | second;
}

/** Limit of bytes of an incomplete character at the end of the previous slice. */
const maxIncompleteBytes = 3;
/** Bytes searched at a time. */
const sliceBytes = 64 * 1024;

interface FindInFileOptions {
  /** Must not be empty. Case is ignored. */
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly fromByte: number;
  readonly signal: AbortSignal;
  readonly onProgress: (readBytes: number) => void;
}

/**
 * Searches a file from an offset to its end, in one request. Returns an offset at most about 128 KiB before the first match, or
 * null without a match.
 */
export async function findInFile(source: RangeSource, options: FindInFileOptions): Promise<number | null> {
  const { encoding, fromByte, signal, onProgress } = options;
  const needle = options.text.toLowerCase();
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  // `tail` is the end of the previous slice, where a match may begin. `before` is the offset of the previous slice.
  let tail = '';
  let before = fromByte;
  let at = fromByte;
  for await (const chunk of chunksFrom(source, fromByte, signal)) {
    for (let from = 0; from < chunk.length; from += sliceBytes) {
      const slice = chunk.subarray(from, from + sliceBytes);
      const decoded = decoder.decode(slice, { stream: true }).toLowerCase();
      const text = tail + decoded;
      if (text.includes(needle)) return Math.max(fromByte, (tail === '' ? at : before) - maxIncompleteBytes);
      tail = needle.length === 1 ? '' : text.slice(1 - needle.length);
      // With short slices, a match may begin more than one slice back.
      if (decoded.length >= tail.length) before = at;
      at += slice.length;
    }
    onProgress(at - fromByte);
  }
  return null;
}
