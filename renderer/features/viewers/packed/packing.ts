import { beginsWith } from '../frame/choose.ts';
import type { Packing } from './unpack.ts';

/** How a file is packed: by its first bytes, and Brotli, which has no mark, where it is none of the others. */
export function packingOf(head: Uint8Array): Packing {
  return markedPacking(head) ?? 'brotli';
}

/** The packing that the first bytes name; null: they name none. */
export function markedPacking(head: Uint8Array): Packing | null {
  if (beginsWith(head, '\x1f\x8b')) return 'gzip';
  if (beginsWith(head, '\x28\xb5\x2f\xfd') || isSkippable(head)) return 'zstd';
  return null;
}

/** RFC 8878, section 3.1.2. */
function isSkippable(head: Uint8Array): boolean {
  return beginsWith(head, '?\x2a\x4d\x18') && ((head[0] ?? 0) & 0xf0) === 0x50;
}

/** The name of what is inside: `a.tar` for `a.tgz`. */
export function nameInside(name: string): string {
  const tar = name.replace(/\.(?:tgz|tzst)$/i, '.tar');
  if (tar !== name) return tar;
  const svg = name.replace(/\.svgz$/i, '.svg');
  return svg === name ? name.replace(/\.(?:gz|zst|br)$/i, '') : svg;
}
