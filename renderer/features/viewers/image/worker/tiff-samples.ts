import UTIF from 'utif2';
import type { TiffDirectory } from './tiff-directory.ts';
import { UnknownTiff } from './tiff-errors.ts';
import { jpegSamples } from './tiff-jpeg.ts';
import { tiffPieces, type TiffPieces } from './tiff-pieces.ts';
import { changedDirectory, firstValue, jpegCompression, separatePlanes, tag } from './tiff-tags.ts';

/**
 * Returns the samples of an image, pixel by pixel. Samples of two bytes are little-endian. The decoder gets only checked data, so
 * it takes no more memory than the image.
 */
export function tiffSamples(
  bytes: Uint8Array<ArrayBuffer>,
  directory: TiffDirectory,
): Uint8Array<ArrayBuffer> {
  const samples = firstValue(directory, tag.samples, 1);
  if (firstValue(directory, tag.planes, 1) === separatePlanes && samples > 1)
    return interleaved(
      Array.from({ length: samples }, (_, plane) => tiffSamples(bytes, planeOf(directory, plane, samples))),
      firstValue(directory, tag.bits, 1),
    );
  const pieces = tiffPieces(bytes, directory);
  return pieces.compression === jpegCompression
    ? jpegSamples(pieces, directory)
    : decodedSamples(bytes, directory, pieces);
}

/** Returns the directory of one plane. Its strips or tiles follow those of the planes before it. */
export function planeOf(directory: TiffDirectory, plane: number, samples: number): TiffDirectory {
  const ofPlane = (name: number): readonly number[] | null => {
    const values = directory.get(name);
    if (values === undefined) return null;
    const count = values.length / samples;
    return values.slice(plane * count, (plane + 1) * count);
  };
  return changedDirectory(directory, {
    [tag.planes]: [1],
    [tag.samples]: [1],
    [tag.bits]: [firstValue(directory, tag.bits, 1)],
    [tag.extraSamples]: null,
    ...Object.fromEntries(
      [tag.stripOffsets, tag.stripBytes, tag.tileOffsets, tag.tileBytes].map((name) => [name, ofPlane(name)]),
    ),
  });
}

function interleaved(planes: readonly Uint8Array[], bits: number): Uint8Array<ArrayBuffer> {
  if (bits % 8 !== 0) throw new UnknownTiff('samples');
  const sampleBytes = bits / 8;
  const pixelBytes = sampleBytes * planes.length;
  const all = new Uint8Array(planes.reduce((sum, plane) => sum + plane.length, 0));
  for (const [index, plane] of planes.entries())
    for (let from = 0, to = index * sampleBytes; from < plane.length; from += sampleBytes, to += pixelBytes)
      for (let byte = 0; byte < sampleBytes; byte += 1) all[to + byte] = plane[from + byte] ?? 0;
  return all;
}

function decodedSamples(
  bytes: Uint8Array<ArrayBuffer>,
  directory: TiffDirectory,
  { pieces, isTiled, compression }: TiffPieces,
): Uint8Array<ArrayBuffer> {
  const source = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0) + 8);
  // The decoder reads the byte order from the header.
  source.set(bytes.subarray(0, 8));
  let at = 8;
  const places = pieces.map((piece) => {
    source.set(piece, at);
    at += piece.length;
    return at - piece.length;
  });
  const image = utifImage(
    changedDirectory(directory, {
      [tag.compression]: [compression],
      [tag.stripOffsets]: null,
      [isTiled ? tag.tileOffsets : tag.stripOffsets]: places,
      [isTiled ? tag.tileBytes : tag.stripBytes]: pieces.map((piece) => piece.length),
    }),
  );
  UTIF.decodeImage(source.buffer, image);
  return image.data as Uint8Array<ArrayBuffer>;
}

/** Returns a directory in the decoder's form, where each name is `t` and the number of the tag. */
export function utifImage(directory: TiffDirectory): UTIF.IFD {
  const entries = Array.from(directory, ([name, values]) => [`t${String(name)}`, [...values]] as const);
  return {
    ...Object.fromEntries(entries),
    width: firstValue(directory, tag.width),
    height: firstValue(directory, tag.height),
  } as unknown as UTIF.IFD;
}
