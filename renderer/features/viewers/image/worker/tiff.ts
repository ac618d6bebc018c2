import UTIF from 'utif2';
import { maxPixels } from './image-limits.ts';
import type { ImageAnswer } from './image-messages.ts';
import { oriented } from './orientation.ts';
import { tiffDirectories, type TiffDirectory } from './tiff-directory.ts';
import { UnknownTiff } from './tiff-errors.ts';
import { planeOf, tiffSamples, utifImage } from './tiff-samples.ts';
import { changedDirectory, colors, firstValue, jpegCompression, separatePlanes, tag } from './tiff-tags.ts';

/**
 * The bits of a sample that the decoder draws, by the colors; it draws nothing for others and throws no error. A gray of two or
 * four bits is drawn in one of the two directions only. Samples of 16 bits are given as their upper 8, and grays of 32 bits as
 * their scaled value.
 */
const drawnBits: Readonly<Record<number, readonly number[]>> = {
  [colors.whiteIsZero]: [1, 4, 8, 16],
  [colors.blackIsZero]: [1, 2, 8, 16, 32],
  [colors.rgb]: [8, 16, 32],
  [colors.palette]: [1, 2, 4, 8],
  [colors.cmyk]: [8, 16],
};
/** Values of ExtraSamples. */
const unspecified = 0;
const associatedAlpha = 1;
/** A value of SampleFormat. */
const floatingPoint = 3;
/** The first letter of a little-endian file, I. */
const littleEndian = 0x49;

/** Decodes one page of a TIFF. Throws BadTiff or the decoder's errors for damaged files. */
export function decodeTiff(bytes: Uint8Array<ArrayBuffer>, page: number): ImageAnswer {
  const pages = tiffDirectories(bytes);
  const stored = pages[page];
  if (stored === undefined) return { kind: 'damaged' };
  const width = firstValue(stored, tag.width);
  const height = firstValue(stored, tag.height);
  if (width < 1 || height < 1) return { kind: 'damaged' };
  // Checked before decoding, since a small file may claim any size.
  if (width * height > maxPixels) return { kind: 'too-many-pixels', width, height };
  try {
    const directory = withoutOtherPlanes(withDefaults(stored));
    const rgba = colorsOf(bytes, directory);
    if (rgba.length !== width * height * 4) return { kind: 'damaged' };
    const shown = oriented({ width, height, rgba }, firstValue(directory, tag.orientation, 1));
    return { kind: 'picture', picture: { ...shown, pages: pages.length } };
  } catch (thrown) {
    if (thrown instanceof UnknownTiff) return { kind: 'unknown' };
    throw thrown;
  }
}

/** Adds the default values of entries that writers may omit. */
function withDefaults(directory: TiffDirectory): TiffDirectory {
  const allBits = directory.get(tag.bits) ?? [1];
  const samples = firstValue(directory, tag.samples, allBits.length);
  const bits = allBits.slice(0, samples);
  const color = bits[0] === 1 ? colors.whiteIsZero : samples < 3 ? colors.blackIsZero : colors.rgb;
  return changedDirectory(directory, {
    [tag.bits]: bits,
    [tag.samples]: [samples],
    [tag.photometric]: [firstValue(directory, tag.photometric, color)],
  });
}

/** Leaves out the planes that do not change a gray, since writers may leave such planes empty. */
function withoutOtherPlanes(directory: TiffDirectory): TiffDirectory {
  const samples = firstValue(directory, tag.samples);
  return firstValue(directory, tag.planes, 1) === separatePlanes && isGray(directory) && samples > 1
    ? planeOf(directory, 0, samples)
    : directory;
}

function isGray(directory: TiffDirectory): boolean {
  const color = firstValue(directory, tag.photometric);
  return color === colors.whiteIsZero || color === colors.blackIsZero;
}

function colorsOf(bytes: Uint8Array<ArrayBuffer>, directory: TiffDirectory): Uint8ClampedArray<ArrayBuffer> {
  const { drawn, isInverted } = drawable(directory);
  const samples = tiffSamples(bytes, directory);
  const bits = firstValue(drawn, tag.bits);
  const narrow =
    bits === 16
      ? upperBytes(samples)
      : bits === 32 && isGray(drawn)
        ? scaledFloats(samples, bytes[0] === littleEndian)
        : null;
  const image = utifImage(narrow === null ? drawn : changedDirectory(drawn, { [tag.bits]: [8] }));
  image.data = narrow ?? samples;
  if (firstValue(drawn, tag.photometric) === colors.cmyk)
    return rgbaOfCmyk(image.data, firstValue(drawn, tag.samples));
  const rgba = new Uint8ClampedArray(UTIF.toRGBA8(image));
  if (isInverted)
    for (let at = 0; at < rgba.length; at += 1) if (at % 4 !== 3) rgba[at] = 255 - (rgba[at] ?? 0);
  separateAlpha(rgba, drawn);
  return rgba;
}

/**
 * Returns the directory for the decoder. `isInverted` is true if the decoder shows black as white. Throws UnknownTiff if
 * unsupported.
 */
function drawable(directory: TiffDirectory): { readonly drawn: TiffDirectory; readonly isInverted: boolean } {
  const [bits = 1, ...others] = directory.get(tag.bits) ?? [];
  const samples = firstValue(directory, tag.samples);
  if (samples < 1 || samples > 8 || others.some((depth) => depth !== bits)) throw new UnknownTiff('samples');
  if (bits === 32 && firstValue(directory, tag.sampleFormat, 1) !== floatingPoint)
    throw new UnknownTiff('samples');
  const color = firstValue(directory, tag.photometric);
  const drawnIn = (changed: number): TiffDirectory =>
    changedDirectory(directory, { [tag.photometric]: [changed] });
  if (color === colors.yCbCr) {
    // Only JPEG streams are converted to red, green and blue.
    if (firstValue(directory, tag.compression) !== jpegCompression || samples !== 3)
      throw new UnknownTiff('colors');
    return { drawn: drawnIn(colors.rgb), isInverted: false };
  }
  // The decoder expects exactly one sample per pixel for grays of any other depth.
  if (isGray(directory) && samples > 1 && !(color === colors.blackIsZero && (bits === 8 || bits === 16)))
    throw new UnknownTiff('samples');
  if (drawnBits[color]?.includes(bits) === true) return { drawn: directory, isInverted: false };
  const other = color === colors.blackIsZero ? colors.whiteIsZero : colors.blackIsZero;
  if (!isGray(directory) || drawnBits[other]?.includes(bits) !== true) throw new UnknownTiff('colors');
  return { drawn: drawnIn(other), isInverted: true };
}

function upperBytes(samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const upper = new Uint8Array(samples.length / 2);
  for (let at = 0; at < upper.length; at += 1) upper[at] = samples[at * 2 + 1] ?? 0;
  return upper;
}

/** Converts floats to grays. The range is 0 to 1, extended to the smallest and largest value. */
function scaledFloats(samples: Uint8Array<ArrayBuffer>, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(samples.buffer, samples.byteOffset, samples.byteLength);
  const floats = Float32Array.from({ length: samples.length / 4 }, (_, at) =>
    view.getFloat32(at * 4, isLittle),
  );
  let smallest = 0;
  let largest = 1;
  for (const float of floats) {
    if (!Number.isFinite(float)) continue;
    smallest = Math.min(smallest, float);
    largest = Math.max(largest, float);
  }
  return Uint8Array.from(
    Uint8ClampedArray.from(floats, (float) => ((float - smallest) / (largest - smallest)) * 255),
  );
}

/** Converts inks to RGB by simple mixing, without a color profile. The decoder's own conversion requires a document. */
function rgbaOfCmyk(inks: Uint8Array, samples: number): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray((inks.length / samples) * 4).fill(255);
  for (let from = 0, to = 0; to < rgba.length; from += samples, to += 4) {
    const light = 255 - (inks[from + 3] ?? 0);
    for (let color = 0; color < 3; color += 1)
      rgba[to + color] = ((255 - (inks[from + color] ?? 0)) * light) / 255;
  }
  return rgba;
}

/** Divides colors by the alpha with which they were multiplied. Ignores a fourth sample that is not alpha. */
function separateAlpha(rgba: Uint8ClampedArray, directory: TiffDirectory): void {
  const extra = directory.get(tag.extraSamples)?.[0];
  if (firstValue(directory, tag.photometric) !== colors.rgb) return;
  for (let at = 3; at < rgba.length; at += 4) {
    const alpha = rgba[at] ?? 255;
    if (extra === unspecified) rgba[at] = 255;
    else if (extra === associatedAlpha && alpha > 0 && alpha < 255)
      for (let color = at - 3; color < at; color += 1) rgba[color] = ((rgba[color] ?? 0) * 255) / alpha;
  }
}
