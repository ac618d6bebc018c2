import { linearToSrgb } from './color-spaces.ts';
import { viewOf } from '../../frame/bytes.ts';
import { UnknownTiff } from './tiff-directory.ts';

/** How the samples of an image are stored in its rows. Each row begins at a whole byte. */
export interface SampleLayout {
  readonly samplesPerRow: number;
  readonly bits: number;
  /** A value of SampleFormat. */
  readonly format: number;
  readonly isLittle: boolean;
}

/** Values of SampleFormat (TIFF 6.0, section 19). */
const signedInteger = 2;
const floatingPoint = 3;

/**
 * Returns the samples as levels from 0 to 255. Only the highest 8 bits of an integer are kept. The numbers of a gray that have
 * no fixed largest value (signed, of more than 16 bits, or floats) are stretched to the range that the image uses. Throws
 * UnknownTiff for samples that have no levels.
 *
 * @param use `stored`: the highest 8 bits of signed samples too.
 */
export function levelsOf(
  rows: Uint8Array<ArrayBuffer>,
  layout: SampleLayout,
  use: 'gray' | 'color' | 'stored',
): Uint8Array<ArrayBuffer> {
  const { bits, format } = layout;
  if (use !== 'stored' && format === floatingPoint) {
    const floats = numbersOf(rows, layout);
    return use === 'gray' ? stretched(floats, 1) : Uint8Array.from(floats, (light) => linearToSrgb(light));
  }
  if (use === 'gray' && (format === signedInteger || bits > 16)) return stretched(numbersOf(rows, layout), 0);
  if (use === 'color' && format === signedInteger) throw new UnknownTiff('samples');
  if (bits === 8) return rows;
  if (bits > 32) throw new UnknownTiff('samples');
  return bits < 8 || bits % 8 !== 0
    ? Uint8Array.from(integersOf(rows, layout), (value) =>
        bits < 8 ? Math.round((value * 255) / (2 ** bits - 1)) : value >>> (bits - 8),
      )
    : highestBytes(rows, bits / 8, layout.isLittle);
}

/** Returns unsigned samples of up to 16 bits as they are stored. */
export function indexesOf(
  rows: Uint8Array<ArrayBuffer>,
  layout: SampleLayout,
): Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer> {
  if (layout.bits === 8) return rows;
  if (layout.bits > 16) throw new UnknownTiff('samples');
  return integersOf(rows, layout);
}

function highestBytes(rows: Uint8Array, sampleBytes: number, isLittle: boolean): Uint8Array<ArrayBuffer> {
  const highest = new Uint8Array(Math.floor(rows.length / sampleBytes));
  for (let at = 0, from = isLittle ? sampleBytes - 1 : 0; at < highest.length; at += 1, from += sampleBytes)
    highest[at] = rows[from] ?? 0;
  return highest;
}

/** Reads unsigned samples. Those that are not whole bytes begin at the highest bit in both byte orders. */
function integersOf(
  rows: Uint8Array<ArrayBuffer>,
  { samplesPerRow, bits, isLittle }: SampleLayout,
): Uint16Array<ArrayBuffer> {
  if (bits > 16) throw new UnknownTiff('samples');
  const rowBytes = Math.ceil((samplesPerRow * bits) / 8);
  const count = Math.floor(rows.length / rowBytes) * samplesPerRow;
  if (bits === 16) {
    const view = viewOf(rows);
    return Uint16Array.from({ length: count }, (_, at) => view.getUint16(at * 2, isLittle));
  }
  const values = new Uint16Array(count);
  let to = 0;
  for (let row = 0; row + rowBytes <= rows.length; row += rowBytes) {
    let bitBuffer = 0;
    let bufferedBits = 0;
    let at = row;
    for (let sample = 0; sample < samplesPerRow; sample += 1, to += 1) {
      for (; bufferedBits < bits; bufferedBits += 8, at += 1)
        bitBuffer = ((bitBuffer << 8) | (rows[at] ?? 0)) & 0xff_ffff;
      bufferedBits -= bits;
      values[to] = (bitBuffer >> bufferedBits) & ((1 << bits) - 1);
    }
  }
  return values;
}

/** Reads signed integers and floats. */
function numbersOf(
  rows: Uint8Array<ArrayBuffer>,
  { bits, format, isLittle }: SampleLayout,
): Float32Array<ArrayBuffer> {
  const view = viewOf(rows);
  const read =
    readers[`${String(format === floatingPoint || format === signedInteger ? format : 1)}/${String(bits)}`];
  if (read === undefined) throw new UnknownTiff('samples');
  return Float32Array.from({ length: Math.floor((rows.length * 8) / bits) }, (_, at) =>
    read(view, (at * bits) / 8, isLittle),
  );
}

/** Readers of numbers by their format and bits. */
const readers: Readonly<Record<string, (view: DataView, at: number, isLittle: boolean) => number>> = {
  '1/32': (view, at, isLittle) => view.getUint32(at, isLittle),
  '2/8': (view, at) => view.getInt8(at),
  '2/16': (view, at, isLittle) => view.getInt16(at, isLittle),
  '2/32': (view, at, isLittle) => view.getInt32(at, isLittle),
  '3/16': (view, at, isLittle) => view.getFloat16(at, isLittle),
  '3/32': (view, at, isLittle) => view.getFloat32(at, isLittle),
  '3/64': (view, at, isLittle) => view.getFloat64(at, isLittle),
};

/** Maps numbers to levels. The range is 0 to `usual`, extended to the smallest and the largest number. */
function stretched(numbers: Float32Array, usual: number): Uint8Array<ArrayBuffer> {
  let smallest = 0;
  let largest = usual;
  for (const number of numbers) {
    if (!Number.isFinite(number)) continue;
    smallest = Math.min(smallest, number);
    largest = Math.max(largest, number);
  }
  const range = largest - smallest;
  return Uint8Array.from(
    Uint8ClampedArray.from(numbers, (number) => (range === 0 ? 0 : ((number - smallest) / range) * 255)),
  );
}
