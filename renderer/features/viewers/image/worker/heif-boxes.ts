import { viewOf, withinFile } from '../../frame/bytes.ts';
import { orientationAxes } from '../parts/orientation.ts';

/** The EXIF orientation for each angle of `irot`, in quarter turns against the clock. */
const turns = [1, 8, 3, 6] as const;
/** The EXIF orientation for each axis of `imir`: top with bottom, left with right. Source: `heif_transform_mirror_direction`. */
const mirrors = [4, 2] as const;

/**
 * Returns how the main image of a HEIC is turned and mirrored, as an EXIF orientation. The EXIF's own orientation does not apply
 * to a HEIC (ISO/IEC 23008-12, sections 6.5.10, 6.5.12 and annex A.2.1). Returns 1 if the file states no orientation.
 */
export function heifTurn(bytes: Uint8Array<ArrayBuffer>): number {
  return withinFile(() => turnIn(bytes)) ?? 1;
}

function turnIn(bytes: Uint8Array<ArrayBuffer>): number {
  const meta = boxIn(bytes, 'meta')?.subarray(4);
  const primary = meta === undefined ? null : boxIn(meta, 'pitm');
  const parts = meta === undefined ? null : boxIn(meta, 'iprp');
  const properties = parts === null ? null : boxIn(parts, 'ipco');
  const links = parts === null ? null : boxIn(parts, 'ipma');
  if (primary === null || properties === null || links === null) return 1;
  const item = primary[0] === 0 ? viewOf(primary).getUint16(4) : viewOf(primary).getUint32(4);
  const boxes = [...boxesIn(properties)];
  let turn = 1;
  for (const index of propertiesOf(item, links)) {
    const { kind, content } = boxes[index - 1] ?? {};
    const value = content?.[0] ?? 0;
    if (kind === 'irot') turn = followedBy(turn, turns[value & 3] ?? 1);
    else if (kind === 'imir') turn = followedBy(turn, mirrors[value & 1] ?? 1);
  }
  return turn;
}

/** Returns the indexes of an item's properties, counted from 1, in the order in which they apply (section 9.3.1). */
function propertiesOf(itemId: number, links: Uint8Array<ArrayBuffer>): readonly number[] {
  const view = viewOf(links);
  const isLongId = (links[0] ?? 0) > 0;
  const isLongIndex = ((links[3] ?? 0) & 1) === 1;
  const count = Math.min(view.getUint32(4), maxBoxes);
  let at = 8;
  for (let entry = 0; entry < count; entry += 1) {
    const id = isLongId ? view.getUint32(at) : view.getUint16(at);
    at += isLongId ? 4 : 2;
    const length = view.getUint8(at);
    at += 1;
    const start = at;
    at += length * (isLongIndex ? 2 : 1);
    if (id === itemId)
      // The upper bit marks a property that readers must support. It is not part of the index.
      return Array.from({ length }, (_, place) =>
        isLongIndex ? view.getUint16(start + place * 2) & 0x7fff : view.getUint8(start + place) & 0x7f,
      );
  }
  return [];
}

/** Returns the orientation equal to applying one orientation after the other. */
function followedBy(first: number, second: number): number {
  const [a, b, c, d] = orientationAxes[first - 1] ?? [1, 0, 0, 1];
  const [e, f, g, h] = orientationAxes[second - 1] ?? [1, 0, 0, 1];
  const both = [e * a + g * b, f * a + h * b, e * c + g * d, f * c + h * d];
  return orientationAxes.findIndex((orientation) => orientation.every((value, at) => value === both[at])) + 1;
}

/** The maximum number of boxes per level. Only malicious files have more. */
export const maxBoxes = 4096;

export interface Box {
  readonly kind: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** Yields consecutive boxes of a HEIC or AVIF (ISO/IEC 14496-12, section 4.2). Yields a truncated box with the bytes it has. */
function* boxesIn(bytes: Uint8Array<ArrayBuffer>): Generator<Box, void> {
  const view = viewOf(bytes);
  let at = 0;
  for (let box = 0; box < maxBoxes && at + 8 <= bytes.length; box += 1) {
    const short = view.getUint32(at);
    const head = short === 1 ? 16 : 8;
    const length = short === 1 ? Number(view.getBigUint64(at + 8)) : short === 0 ? bytes.length - at : short;
    if (length < head) return;
    yield { kind: textAt(bytes, at + 4), content: bytes.subarray(at + head, at + length) };
    at += length;
  }
}

/** Returns the content of the first box of a kind. */
export function boxIn(bytes: Uint8Array<ArrayBuffer>, kind: string): Uint8Array<ArrayBuffer> | null {
  for (const box of boxesIn(bytes)) if (box.kind === kind) return box.content;
  return null;
}

export function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
