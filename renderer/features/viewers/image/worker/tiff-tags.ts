import { BadTiff } from './tiff-errors.ts';

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
