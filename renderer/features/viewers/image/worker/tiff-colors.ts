import { labToSrgb } from './color-spaces.ts';
import {
  UnknownTiff,
  colors,
  firstValue,
  jpegCompression,
  tag,
  type TiffDirectory,
} from './tiff-directory.ts';

/** Writes the color of one pixel, whose samples begin at `from`, into three bytes at `to`. */
export type Paint = (
  samples: Uint8Array | Uint16Array,
  from: number,
  rgba: Uint8ClampedArray,
  to: number,
) => void;

export interface ColorKind {
  /** The number of samples that make the color. */
  readonly samples: number;
  /** How the samples are read. `stored`: as bytes that may be signed; `indexes`: as they are. */
  readonly reads: 'gray' | 'color' | 'stored' | 'indexes';
  readonly paint: Paint;
}

/** Returns how the colors of an image are stored. Throws UnknownTiff for other kinds of colors. */
export function colorKindOf(directory: TiffDirectory): ColorKind {
  const color = firstValue(directory, tag.photometric);
  switch (color) {
    case colors.whiteIsZero:
    case colors.blackIsZero:
      return { samples: 1, reads: 'gray', paint: grayPaint(color === colors.whiteIsZero) };
    case colors.rgb:
      return { samples: 3, reads: 'color', paint: paintRgb };
    case colors.palette:
      return { samples: 1, reads: 'indexes', paint: palettePaint(directory.get(tag.colorMap) ?? []) };
    case colors.cmyk:
      return { samples: 4, reads: 'color', paint: paintCmyk };
    case colors.yCbCr:
      if (firstValue(directory, tag.bits) !== 8 || firstValue(directory, tag.samples) !== 3)
        throw new UnknownTiff('samples');
      // JPEG streams are converted to red, green and blue when they are decoded.
      return firstValue(directory, tag.compression) === jpegCompression
        ? { samples: 3, reads: 'color', paint: paintRgb }
        : { samples: 3, reads: 'color', paint: yCbCrPaint(directory) };
    case colors.cieLab:
    case colors.iccLab:
      if (![8, 16].includes(firstValue(directory, tag.bits))) throw new UnknownTiff('samples');
      return {
        samples: firstValue(directory, tag.samples) === 1 ? 1 : 3,
        reads: 'stored',
        paint: labPaint(color === colors.iccLab, firstValue(directory, tag.samples) === 1),
      };
    default:
      throw new UnknownTiff('colors');
  }
}

function grayPaint(isInverted: boolean): Paint {
  return (samples, from, rgba, to) => {
    const level = samples[from] ?? 0;
    rgba.fill(isInverted ? 255 - level : level, to, to + 3);
  };
}

function paintRgb(
  samples: Uint8Array | Uint16Array,
  from: number,
  rgba: Uint8ClampedArray,
  to: number,
): void {
  for (let color = 0; color < 3; color += 1) rgba[to + color] = samples[from + color] ?? 0;
}

/** Some writers store colors of 8 bits in a map of 16 bits, as libtiff notices too (`TIFFRGBAImage`, `checkcmap`). */
function palettePaint(map: readonly number[]): Paint {
  const divisor = map.some((level) => level > 255) ? 256 : 1;
  const length = map.length / 3;
  return (samples, from, rgba, to) => {
    const index = samples[from] ?? 0;
    for (let color = 0; color < 3; color += 1)
      rgba[to + color] = index < length ? Math.floor((map[color * length + index] ?? 0) / divisor) : 0;
  };
}

/** Mixes inks simply, without a color profile. */
function paintCmyk(
  samples: Uint8Array | Uint16Array,
  from: number,
  rgba: Uint8ClampedArray,
  to: number,
): void {
  const light = 255 - (samples[from + 3] ?? 0);
  for (let color = 0; color < 3; color += 1)
    rgba[to + color] = ((255 - (samples[from + color] ?? 0)) * light) / 255;
}

/** Source: TIFF 6.0, sections 20 (ReferenceBlackWhite) and 21 (YCbCrCoefficients). */
function yCbCrPaint(directory: TiffDirectory): Paint {
  const [red = 0.299, green = 0.587, blue = 0.114] = directory.get(tag.yCbCrCoefficients) ?? [];
  const [black = 0, white = 255, cbZero = 128, cbFull = 255, crZero = 128, crFull = 255] =
    directory.get(tag.referenceBlackWhite) ?? [];
  return (samples, from, rgba, to) => {
    const y = (((samples[from] ?? 0) - black) * 255) / (white - black);
    const cb = (((samples[from + 1] ?? 0) - cbZero) * 127) / (cbFull - cbZero);
    const cr = (((samples[from + 2] ?? 0) - crZero) * 127) / (crFull - crZero);
    const r = y + cr * (2 - 2 * red);
    const b = y + cb * (2 - 2 * blue);
    rgba[to] = r;
    rgba[to + 1] = (y - blue * b - red * r) / green;
    rgba[to + 2] = b;
  };
}

/**
 * In Lab of CIE, a and b are signed. In that of ICC they begin at -128, and the lightness of 16 bits ends at 0xFF00, which makes no
 * difference in its highest 8 bits. Source: Adobe's TIFF Technical Notes of 2002.
 */
function labPaint(isIcc: boolean, isGray: boolean): Paint {
  const signed = (byte: number): number => (isIcc ? byte - 128 : (byte << 24) >> 24);
  return (samples, from, rgba, to) => {
    const lightness = ((samples[from] ?? 0) * 100) / 255;
    const [a, b] = isGray ? [0, 0] : [signed(samples[from + 1] ?? 0), signed(samples[from + 2] ?? 0)];
    rgba.set(labToSrgb(lightness, a, b), to);
  };
}
