import { beginsWith } from '../frame/choose.ts';
import type { Packing } from './unpacker.ts';

/** Returns the compression of a file by its signature. Assumes Brotli if none matches, since Brotli has no signature. */
export function packingOf(head: Uint8Array): Packing {
  return markedPacking(head) ?? 'brotli';
}

/** Returns the compression with a matching signature, or null. */
export function markedPacking(head: Uint8Array): Packing | null {
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
