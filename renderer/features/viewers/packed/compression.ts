import { beginsWith } from '../frame/viewer.ts';
import { looksLikeText } from '../encoding/detect-encoding.ts';
import type { Compression } from './unpacker.ts';

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
export function compressionOfCoding(coding: string, head: Uint8Array): Compression | null {
  const named = known.get(coding);
  if (named === undefined) return null;
  const marked = markedCompression(head);
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
export function isCompressionOf(compression: Compression, coding: string): boolean {
  const named = known.get(coding);
  return named === compression || (named === 'deflate' && compression === 'zlib');
}

/** Returns true for the header of zlib (RFC 1950, section 2.2): deflate with a window, and a checksum of both bytes. */
function isZlib(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head;
  return (first & 0x0f) === 8 && first >> 4 <= 7 && (first * 256 + second) % 31 === 0;
}

/** Returns the compression with a matching signature, or null. */
export function markedCompression(head: Uint8Array): Compression | null {
  if (beginsWith(head, '\x1f\x8b')) return 'gzip';
  if (beginsWith(head, '\x28\xb5\x2f\xfd') || isSkippable(head)) return 'zstd';
  if (isBzip2(head)) return 'bzip2';
  return beginsWith(head, '\xfd7zXZ\0') ? 'xz' : null;
}

/** Returns true for a bzip2 header followed by the mark of a block or of the stream's end. */
function isBzip2(head: Uint8Array): boolean {
  return beginsWith(head, 'BZh?1AY&SY') || beginsWith(head, 'BZh?\x17rE8P\x90');
}

/** Returns true for a skippable frame of Zstandard (RFC 8878, section 3.1.2). */
function isSkippable(head: Uint8Array): boolean {
  return beginsWith(head, '?\x2a\x4d\x18') && ((head[0] ?? 0) & 0xf0) === 0x50;
}

/** Returns the name of the decompressed content, such as `a.tar` for `a.tgz`. */
export function nameInside(name: string): string {
  const tar = name.replace(/\.(?:tgz|tzst|tbz|tbz2|tb2|txz)$/i, '.tar');
  if (tar !== name) return tar;
  const svg = name.replace(/\.svgz$/i, '.svg');
  return svg === name ? name.replace(/\.(?:gz|zst|bz2|xz|br)$/i, '') : svg;
}
