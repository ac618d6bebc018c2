import { maxPixels, type ImageResponse } from './image-messages.ts';
import { oriented } from '../parts/orientation.ts';
import { colorKindOf, type ColorKind } from './tiff-colors.ts';
import {
  UnknownTiff,
  changedDirectory,
  colors,
  firstValue,
  separatePlanes,
  tag,
  type TiffDirectory,
  tiffDirectories,
} from './tiff-directory.ts';
import { indexesOf, levelsOf } from './tiff-levels.ts';
import { planeOf, tiffRows } from './tiff-samples.ts';

/** Values of ExtraSamples. */
const associatedAlpha = 1;
const unassociatedAlpha = 2;
/** The first letter of a little-endian file, I. */
const littleEndian = 0x49;
const maxSamples = 8;

/** Decodes one page of a TIFF. Throws BadTiff or the decoder's errors for damaged files. */
export function decodeTiff(bytes: Uint8Array<ArrayBuffer>, page: number): ImageResponse {
  const pages = tiffDirectories(bytes);
  const stored = pages[page];
  if (stored === undefined) return { kind: 'damaged' };
  const width = firstValue(stored, tag.width);
  const height = firstValue(stored, tag.height);
  if (width < 1 || height < 1) return { kind: 'damaged' };
  // Checked before decoding, since a small file may claim any size.
  if (width * height > maxPixels) return { kind: 'too-many-pixels', width, height };
  try {
    const directory = withDefaults(stored);
    const shown = oriented(
      { width, height, rgba: colorsOf(bytes, directory) },
      firstValue(directory, tag.orientation, 1),
    );
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

function colorsOf(bytes: Uint8Array<ArrayBuffer>, directory: TiffDirectory): Uint8ClampedArray<ArrayBuffer> {
  const [bits = 1, ...others] = directory.get(tag.bits) ?? [];
  const perPixel = firstValue(directory, tag.samples);
  if (perPixel < 1 || perPixel > maxSamples || others.some((depth) => depth !== bits))
    throw new UnknownTiff('samples');
  const kind = colorKindOf(directory);
  if (perPixel < kind.samples) throw new UnknownTiff('samples');
  const alpha = alphaOf(directory, kind.samples);
  const { samples, stride } = samplesOf(bytes, directory, kind, alpha !== null);
  const pixels = firstValue(directory, tag.width) * firstValue(directory, tag.height);
  const rgba = new Uint8ClampedArray(pixels * 4);
  for (let from = 0, to = 0; to < rgba.length; from += stride, to += 4) {
    kind.paint(samples, from, rgba, to);
    rgba[to + 3] = alpha === null ? 255 : (samples[from + kind.samples] ?? 0);
  }
  if (alpha === 'associated') separateAlpha(rgba);
  return rgba;
}

/**
 * Returns the kind of the first sample after the colors, or null if it is not an alpha. Many writers do not declare the alpha of
 * RGB images.
 */
function alphaOf(directory: TiffDirectory, colorSamples: number): 'associated' | 'unassociated' | null {
  if (firstValue(directory, tag.samples) <= colorSamples) return null;
  const isRgb = firstValue(directory, tag.photometric) === colors.rgb;
  const kind = firstValue(directory, tag.extraSamples, isRgb ? unassociatedAlpha : 0);
  if (kind === associatedAlpha) return 'associated';
  return kind === unassociatedAlpha ? 'unassociated' : null;
}

/** Returns the samples that are drawn, and their number per pixel as `stride`. */
function samplesOf(
  bytes: Uint8Array<ArrayBuffer>,
  directory: TiffDirectory,
  kind: ColorKind,
  hasAlpha: boolean,
) {
  const perPixel = firstValue(directory, tag.samples);
  const isLittle = bytes[0] === littleEndian;
  const read = (part: TiffDirectory, reads: ColorKind['reads']): Uint8Array | Uint16Array => {
    const layout = {
      samplesPerRow: firstValue(part, tag.width) * firstValue(part, tag.samples),
      bits: firstValue(part, tag.bits),
      format: firstValue(part, tag.sampleFormat, 1),
      isLittle,
    };
    const rows = tiffRows(bytes, part, isLittle);
    return reads === 'indexes' ? indexesOf(rows, layout) : levelsOf(rows, layout, reads);
  };
  if (firstValue(directory, tag.planes, 1) !== separatePlanes || perPixel === 1)
    return { samples: read(directory, kind.reads), stride: perPixel };
  if (firstValue(directory, tag.photometric) === colors.yCbCr) throw new UnknownTiff('samples');
  // Leaves out the planes that are not drawn, since writers may leave them empty.
  const stride = kind.samples + (hasAlpha ? 1 : 0);
  const planes = Array.from({ length: stride }, (_, plane) =>
    read(planeOf(directory, plane, perPixel), kind.reads),
  );
  return { samples: interleaved(planes), stride };
}

function interleaved(planes: readonly (Uint8Array | Uint16Array)[]): Uint8Array | Uint16Array {
  const [first] = planes;
  if (first === undefined || planes.length === 1) return first ?? new Uint8Array();
  const length = first.length * planes.length;
  const all = first instanceof Uint16Array ? new Uint16Array(length) : new Uint8Array(length);
  for (const [index, plane] of planes.entries())
    for (let from = 0, to = index; from < plane.length; from += 1, to += planes.length)
      all[to] = plane[from] ?? 0;
  return all;
}

/** Divides colors by the alpha with which they were multiplied. */
function separateAlpha(rgba: Uint8ClampedArray): void {
  for (let at = 3; at < rgba.length; at += 4) {
    const alpha = rgba[at] ?? 255;
    if (alpha > 0 && alpha < 255)
      for (let color = at - 3; color < at; color += 1) rgba[color] = ((rgba[color] ?? 0) * 255) / alpha;
  }
}
