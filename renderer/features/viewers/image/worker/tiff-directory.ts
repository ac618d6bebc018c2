import { viewOf } from '../../frame/bytes.ts';

/** The numbers in a TIFF directory by tag. Only tags that affect how the image is drawn are kept. */
export type TiffDirectory = ReadonlyMap<number, readonly number[]>;

export const tag = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planes: 284,
  faxOptions: 292,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  yCbCrCoefficients: 529,
  yCbCrSubsampling: 530,
  referenceBlackWhite: 532,
} as const;

/** Values of PhotometricInterpretation (TIFF 6.0, section 8; for `iccLab` Adobe's TIFF Technical Notes of 2002). */
export const colors = {
  whiteIsZero: 0,
  blackIsZero: 1,
  rgb: 2,
  palette: 3,
  cmyk: 5,
  yCbCr: 6,
  cieLab: 8,
  iccLab: 9,
} as const;

/** The value of Compression for strips and tiles that are JPEG streams (Adobe's Technical Note 2 on TIFF). */
export const jpegCompression = 7;

/** A value of PlanarConfiguration: one strip or tile contains one sample of its pixels. */
export const separatePlanes = 2;

export function firstValue(directory: TiffDirectory, name: number, otherwise = 0): number {
  return directory.get(name)?.[0] ?? otherwise;
}

/** Returns a copy of a directory with other values; null removes an entry. */
export function changedDirectory(
  directory: TiffDirectory,
  changes: Readonly<Record<number, readonly number[] | null>>,
): TiffDirectory {
  const changed = new Map(directory);
  for (const [name, values] of Object.entries(changes))
    if (values === null) changed.delete(Number(name));
    else changed.set(Number(name), values);
  return changed;
}

export function damagedTiff(): Error {
  return new BadTiff('The image is damaged.');
}

/** Returns how many pixels across and down share one Cb and one Cr. Throws BadTiff for sizes that no image has. */
export function subsamplingOf(directory: TiffDirectory): readonly [number, number] {
  const [across = 2, down = 2] = directory.get(tag.yCbCrSubsampling) ?? [];
  if (![1, 2, 4].includes(across) || ![1, 2, 4].includes(down)) throw damagedTiff();
  return [across, down];
}

const drawnTags: ReadonlySet<number> = new Set(Object.values(tag));
/** The type of a fraction of two numbers, each of four bytes. */
const rational = 5;
const typeBytes: Readonly<Record<number, 1 | 2 | 4 | 8>> = {
  1: 1,
  3: 2,
  4: 4,
  [rational]: 8,
  7: 1,
  13: 4,
  16: 8,
  18: 8,
};
const maxPages = 1000;

/** The mark of a BigTIFF, whose offsets and counts have eight bytes. Source: libtiff, BigTIFF Design. */
const bigMark = 43;

/**
 * Reads the directories of a TIFF (TIFF 6.0, section 2) or a BigTIFF. Never reads beyond the end of a damaged file, and stops
 * after a thousand directories or when they repeat.
 */
export function tiffDirectories(bytes: Uint8Array): readonly TiffDirectory[] {
  const view = viewOf(bytes);
  const isLittle = bytes[0] === 0x49;
  const short = (at: number): number => (at + 2 <= bytes.length ? view.getUint16(at, isLittle) : bad());
  const long = (at: number): number => (at + 4 <= bytes.length ? view.getUint32(at, isLittle) : bad());
  const long8 = (at: number): number =>
    at + 8 <= bytes.length ? Number(view.getBigUint64(at, isLittle)) : bad();
  const isBig = short(2) === bigMark;
  const offset = isBig ? long8 : long;
  const [offsetBytes, countBytes, entryBytes, firstAt] = isBig ? [8, 8, 20, 8] : [4, 2, 12, 4];
  const numbers = (entry: number): readonly number[] => {
    const type = short(entry + 2);
    const size = typeBytes[type];
    const count = offset(entry + 4);
    if (size === undefined) return bad();
    const valueAt = entry + 4 + offsetBytes;
    const at = count * size <= offsetBytes ? valueAt : offset(valueAt);
    if (at + count * size > bytes.length) return bad();
    return Array.from({ length: count }, (_, index) => {
      const place = at + index * size;
      if (type === rational) return long(place) / long(place + 4);
      if (size === 1) return view.getUint8(place);
      return size === 2 ? short(place) : size === 4 ? long(place) : long8(place);
    });
  };
  const found: TiffDirectory[] = [];
  const visitedOffsets = new Set<number>();
  for (let at = offset(firstAt); at !== 0 && !visitedOffsets.has(at) && found.length < maxPages;) {
    visitedOffsets.add(at);
    const count = isBig ? long8(at) : short(at);
    const directory = new Map<number, readonly number[]>();
    for (let index = 0; index < count; index += 1) {
      const entry = at + countBytes + index * entryBytes;
      if (drawnTags.has(short(entry))) directory.set(short(entry), numbers(entry));
    }
    found.push(directory);
    at = offset(at + countBytes + count * entryBytes);
  }
  return found;
}

function bad(): never {
  throw new BadTiff('The directories of the image are damaged.');
}

/** Thrown for a valid image whose compression or colors Cooper cannot decode. */
export class UnknownTiff extends Error {
  override readonly name = 'UnknownTiff';

  constructor(part: 'compression' | 'colors' | 'samples') {
    super(`The ${part} of the image are not known here.`);
  }
}

/** Thrown for a damaged image. */
class BadTiff extends Error {
  override readonly name = 'BadTiff';
}
