import { beginsWith } from '../frame/choose.ts';
import type { Packing } from './unpack.ts';

/** Returns the compression of a file by its signature; Brotli, which has none, if no other matches. */
export function packingOf(head: Uint8Array): Packing {
  return markedPacking(head) ?? 'brotli';
}

/** Returns the compression by its signature; null: there is none. */
export function markedPacking(head: Uint8Array): Packing | null {
  if (beginsWith(head, '\x1f\x8b')) return 'gzip';
  if (beginsWith(head, '\x28\xb5\x2f\xfd') || isSkippable(head)) return 'zstd';
  return null;
}

/** RFC 8878, section 3.1.2. */
function isSkippable(head: Uint8Array): boolean {
  return beginsWith(head, '?\x2a\x4d\x18') && ((head[0] ?? 0) & 0xf0) === 0x50;
}

/** Returns the name of the content: `a.tar` for `a.tgz`. */
export function nameInside(name: string): string {
  const tar = name.replace(/\.(?:tgz|tzst)$/i, '.tar');
  if (tar !== name) return tar;
  const svg = name.replace(/\.svgz$/i, '.svg');
  return svg === name ? name.replace(/\.(?:gz|zst|br)$/i, '') : svg;
}
