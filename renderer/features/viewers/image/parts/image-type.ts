import { beginsWith } from '../../frame/viewer.ts';

const marks: readonly (readonly [string, string, number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n', 0],
  ['image/jpeg', '\xff\xd8\xff', 0],
  ['image/gif', 'GIF87a', 0],
  ['image/gif', 'GIF89a', 0],
  ['image/webp', 'RIFF????WEBP', 0],
  ['image/avif', 'ftypavif', 4],
  ['image/avif', 'ftypavis', 4],
  ['image/tiff', 'II*\0', 0],
  ['image/tiff', 'MM\0*', 0],
  // BigTIFF.
  ['image/tiff', 'II+\0\x08\0\0\0', 0],
  ['image/tiff', 'MM\0+\0\x08\0\0', 0],
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'].map(
    (brand) => ['image/heic', `ftyp${brand}`, 4] as const,
  ),
  ['image/bmp', 'BM????\0\0\0\0', 0],
  ['image/x-icon', '\0\0\x01\0', 0],
];

/** Returns the type of an image by its signature; null if it is unknown. */
export function imageTypeOf(head: Uint8Array): string | null {
  const mark = marks.find(([, text, at]) => beginsWith(head, text, at));
  if (mark?.[0] === 'image/heic' && namesAvif(head)) return 'image/avif';
  if (mark !== undefined) return mark[0];
  const start = new TextDecoder().decode(head.subarray(0, 1024));
  return /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*|<!DOCTYPE svg[^>]*>\s*)*<svg[\s>]/i.test(start)
    ? 'image/svg+xml'
    : null;
}

/** Returns true if another brand identifies the file as AVIF although the first names only the container (`mif1`). */
function namesAvif(head: Uint8Array): boolean {
  if (!beginsWith(head, 'm', 8)) return false;
  const end = Math.min(head.length, (head[2] ?? 0) * 256 + (head[3] ?? 0));
  for (let at = 16; at + 4 <= end; at += 4)
    if (beginsWith(head, 'avif', at) || beginsWith(head, 'avis', at)) return true;
  return false;
}
