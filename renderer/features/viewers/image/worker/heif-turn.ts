import { boxesIn, boxIn, maxBoxes, viewOf } from './heif-boxes.ts';

/** The EXIF orientations as matrices, column by column: the directions of the stored image's first and second axis. */
const orientations: readonly (readonly [number, number, number, number])[] = [
  [1, 0, 0, 1],
  [-1, 0, 0, 1],
  [-1, 0, 0, -1],
  [1, 0, 0, -1],
  [0, 1, 1, 0],
  [0, 1, -1, 0],
  [0, -1, -1, 0],
  [0, -1, 1, 0],
];
/** The EXIF orientation for each angle of `irot`, in quarter turns against the clock. */
const turns = [1, 8, 3, 6] as const;
/** The EXIF orientation for each axis of `imir`: top with bottom, left with right. Source: `heif_transform_mirror_direction`. */
const mirrors = [4, 2] as const;

/**
 * Returns how the main image of a HEIC is turned and mirrored, as an EXIF orientation. The EXIF's own orientation does not apply
 * to a HEIC (ISO/IEC 23008-12, sections 6.5.10, 6.5.12 and annex A.2.1). Returns 1 if the file states no orientation.
 */
export function heifTurn(bytes: Uint8Array<ArrayBuffer>): number {
  try {
    return turnIn(bytes);
  } catch (thrown) {
    // An offset outside the file, which may be cut off.
    if (thrown instanceof RangeError) return 1;
    throw thrown;
  }
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
function propertiesOf(wanted: number, links: Uint8Array<ArrayBuffer>): readonly number[] {
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
    if (id === wanted)
      // The upper bit marks a property that readers must support. It is not part of the index.
      return Array.from({ length }, (_, place) =>
        isLongIndex ? view.getUint16(start + place * 2) & 0x7fff : view.getUint8(start + place) & 0x7f,
      );
  }
  return [];
}

/** Returns the orientation equal to applying one orientation after the other. */
function followedBy(first: number, second: number): number {
  const [a, b, c, d] = orientations[first - 1] ?? [1, 0, 0, 1];
  const [e, f, g, h] = orientations[second - 1] ?? [1, 0, 0, 1];
  const both = [e * a + g * b, f * a + h * b, e * c + g * d, f * c + h * d];
  return orientations.findIndex((orientation) => orientation.every((value, at) => value === both[at])) + 1;
}
