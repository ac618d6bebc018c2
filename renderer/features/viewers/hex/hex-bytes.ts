import { chunksFrom } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';

/** Bytes in one row. */
export const bytesPerRow = 16;

/** Formats an offset in hexadecimal, with as many digits as the last offset needs. */
export function offsetText(offset: number, sizeBytes: number): string {
  const digits = Math.max(8, Math.max(0, sizeBytes - 1).toString(16).length);
  return offset.toString(16).padStart(digits, '0');
}

/** Parses an offset as users write it: `4096`, `4,096`, `0x1000` or `1000h`. Returns null for anything else. */
export function parseOffset(text: string): number | null {
  const plain = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s,_']/g, '');
  const hex = /^0x([\da-f]+)$|^([\da-f]+)h$/.exec(plain);
  const offset = hex === null ? decimal(plain) : Number.parseInt(hex[1] ?? hex[2] ?? '', 16);
  return Number.isSafeInteger(offset) ? offset : null;
}

function decimal(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Parses bytes as users write them: `de ad be ef`, `0xdeadbeef`, `DE:AD`. Returns null for anything else. */
export function parseHexBytes(text: string): Uint8Array | null {
  const digits = text.toLowerCase().replaceAll(/0x|[\s,:-]/g, '');
  if (digits === '' || digits.length % 2 !== 0 || /[^\da-f]/.test(digits)) return null;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function byteText(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Returns a printable ASCII character for its byte, and a dot for any other byte. */
export function asciiText(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
}

interface FindBytesOptions {
  /** Must not be empty. */
  readonly pattern: Uint8Array;
  /** True if ASCII letters match regardless of case. */
  readonly foldsCase: boolean;
  readonly fromByte: number;
  readonly signal: AbortSignal;
  readonly onProgress: (readBytes: number) => void;
}

/**
 * Searches for bytes from an offset to the end of a file, in one request. Returns the offset of the first match, or null.
 * Throws the signal's reason. Source: Knuth, Morris, Pratt, "Fast Pattern Matching in Strings".
 */
export async function findBytes(source: RangeSource, options: FindBytesOptions): Promise<number | null> {
  const { foldsCase, fromByte, signal, onProgress } = options;
  const fold = foldsCase ? lowerCase : (byte: number): number => byte;
  const foldedPattern = options.pattern.map(fold);
  const shorter = shorterMatches(foldedPattern);
  let matched = 0;
  let at = fromByte;
  for await (const chunk of chunksFrom(source, fromByte, signal)) {
    for (const byte of chunk) {
      const folded = fold(byte);
      while (matched > 0 && folded !== foldedPattern[matched]) matched = shorter[matched - 1] ?? 0;
      if (folded === foldedPattern[matched]) matched += 1;
      at += 1;
      if (matched === foldedPattern.length) return at - foldedPattern.length;
    }
    onProgress(at - fromByte);
  }
  return null;
}

/** Returns, for each matched length, the longest shorter match that ends at the same byte. */
function shorterMatches(foldedPattern: Uint8Array): readonly number[] {
  const shorter = [0];
  for (let at = 1, matched = 0; at < foldedPattern.length; at += 1) {
    while (matched > 0 && foldedPattern[at] !== foldedPattern[matched]) matched = shorter[matched - 1] ?? 0;
    if (foldedPattern[at] === foldedPattern[matched]) matched += 1;
    shorter.push(matched);
  }
  return shorter;
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}
