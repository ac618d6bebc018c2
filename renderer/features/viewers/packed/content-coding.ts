import { looksLikeText } from '../text/looks-like-text.ts';
import { markedPacking } from './packing.ts';
import type { Packing } from './unpacker.ts';

/**
 * Content codings (RFC 9110, section 8.4.1) and their decoders. `deflate` means zlib, but many senders leave out its wrapper.
 */
const known: ReadonlyMap<string, 'gzip' | 'zstd' | 'brotli' | 'deflate'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['zstd', 'zstd'],
  ['br', 'brotli'],
  ['deflate', 'deflate'],
]);

/**
 * Returns how the bytes of a file with this coding are compressed, or null if they are not. A signature in `head` takes
 * precedence.
 */
export function packingOfCoding(coding: string, head: Uint8Array): Packing | null {
  const named = known.get(coding);
  if (named === undefined) return null;
  const marked = markedPacking(head);
  if (marked !== null) return marked;
  if (named === 'gzip' || named === 'zstd') return null;
  if (looksLikeText(head)) return null;
  if (named === 'brotli') return 'brotli';
  return isZlib(head) ? 'zlib' : 'deflate';
}

/** Returns true if Cooper can undo the coding. */
export function isKnownCoding(coding: string): boolean {
  return known.has(coding);
}

/** Returns true if the coding names this compression. */
export function isPackingOf(packing: Packing, coding: string): boolean {
  const named = known.get(coding);
  return named === packing || (named === 'deflate' && packing === 'zlib');
}

/** Returns true for the header of zlib (RFC 1950, section 2.2): deflate with a window, and a checksum of both bytes. */
function isZlib(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
}
