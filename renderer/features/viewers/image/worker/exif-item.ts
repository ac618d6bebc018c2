import { beginsWith } from '../../frame/viewer.ts';
import { viewOf, withinFile } from '../../frame/bytes.ts';
import { boxIn, maxBoxes, textAt } from './heif-boxes.ts';
import { metadataOfWebp } from './stated-orientation.ts';

/**
 * Returns the bytes from which exifr can read the camera's metadata: only the EXIF section of a HEIC, AVIF or WebP, otherwise the
 * whole file. Returns null if there is no EXIF. exifr (7.1.3) does not support WebP, and reads offsets in HEIC and AVIF from the
 * start of the file instead of the item's `base_offset` (ISO/IEC 14496-12, section 8.11.3).
 */
export function exifIn(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  if (beginsWith(bytes, 'RIFF????WEBP'))
    return withinFile(() => metadataOfWebp(bytes).find(({ kind }) => kind === 'exif')?.content ?? null);
  return beginsWith(bytes, 'ftyp', 4) ? withinFile(() => exifOfHeif(bytes)) : bytes;
}

function exifOfHeif(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | null {
  const meta = boxIn(bytes, 'meta');
  if (meta === null) return null;
  const boxes = meta.subarray(4);
  const id = exifItem(boxIn(boxes, 'iinf'));
  const place = id === null ? null : placeOf(boxIn(boxes, 'iloc'), id);
  if (place === null) return null;
  const whole = place.isInside ? boxIn(boxes, 'idat') : bytes;
  const item = whole?.subarray(place.offset, place.offset + place.length);
  if (item === undefined || item.length < 4) return null;
  // Skips the bytes before the TIFF header (ISO/IEC 23008-12, annex A.2.1).
  return item.subarray(4 + viewOf(item).getUint32(0));
}

/** Returns the number of the EXIF item in the list of items. */
function exifItem(list: Uint8Array<ArrayBuffer> | null): number | null {
  if (list === null) return null;
  let rest = list.subarray(list[0] === 0 ? 6 : 8);
  for (let item = 0; item < maxBoxes && rest.length >= 8; item += 1) {
    const entry = boxIn(rest, 'infe');
    if (entry === null) return null;
    const isLong = entry[0] === 3;
    if ((entry[0] ?? 0) >= 2 && textAt(entry, isLong ? 10 : 8) === 'Exif')
      return isLong ? viewOf(entry).getUint32(4) : viewOf(entry).getUint16(4);
    rest = rest.subarray(entry.byteOffset + entry.length - rest.byteOffset);
  }
  return null;
}

/**
 * Returns the location of an item. Null if it is missing or stored in several pieces, as no camera does. `isInside`: the offset
 * counts within the box `idat`, not within the file.
 */
function placeOf(list: Uint8Array<ArrayBuffer> | null, itemId: number) {
  if (list === null) return null;
  const view = viewOf(list);
  const version = view.getUint8(0);
  let at = 4;
  const readNumber = (bytes: number): number => {
    let value = 0;
    for (let byte = 0; byte < bytes; byte += 1) value = value * 256 + view.getUint8(at + byte);
    at += bytes;
    return value;
  };
  const [offsetBytes, lengthBytes] = halves(readNumber(1));
  const [baseBytes, last] = halves(readNumber(1));
  const indexBytes = version === 0 ? 0 : last;
  const idBytes = version < 2 ? 2 : 4;
  const count = readNumber(idBytes);
  for (let item = 0; item < Math.min(count, maxBoxes); item += 1) {
    const id = readNumber(idBytes);
    const method = version === 0 ? 0 : readNumber(2) & 15;
    readNumber(2);
    const base = readNumber(baseBytes);
    const extents = readNumber(2);
    if (id === itemId) {
      if (extents !== 1 || method > 1) return null;
      readNumber(indexBytes);
      return {
        offset: base + readNumber(offsetBytes),
        length: readNumber(lengthBytes),
        isInside: method === 1,
      };
    }
    at += extents * (indexBytes + offsetBytes + lengthBytes);
  }
  return null;
}

function halves(byte: number): readonly [number, number] {
  return [byte >> 4, byte & 15];
}
