import { zstdCompressSync } from 'node:zlib';
import { zlibSync } from 'fflate';
import { expect, test } from 'vitest';
import { imageTypeOf } from '../../../../renderer/features/viewers/image/parts/image-type.ts';
import { decodeTiff } from '../../../../renderer/features/viewers/image/worker/tiff.ts';
import { smallTiff } from '../../../support/files/small-tiff.ts';

const bits = 258;
const compression = 259;
const photometric = 262;
const samples = 277;
const predictor = 317;
const colorMap = 320;
const extraSamples = 338;
const sampleFormat = 339;
const deflate = 8;

function pixelsOf(wanted: Parameters<typeof smallTiff>[0]): readonly number[] {
  const response = decodeTiff(smallTiff(wanted), 0);
  if (response.kind !== 'picture') throw new Error(response.kind);
  return [...response.picture.rgba];
}

/** Returns the red of each pixel of a gray image. */
function graysOf(wanted: Parameters<typeof smallTiff>[0]): readonly number[] {
  return pixelsOf(wanted).filter((_, at) => at % 4 === 0);
}

/** Returns the bytes of numbers in a byte order. */
function stored(
  values: readonly number[],
  bytes: number,
  write: (view: DataView, at: number, value: number) => void,
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * bytes));
  for (const [at, value] of values.entries()) write(view, at * bytes, value);
  return new Uint8Array(view.buffer);
}

test.each([false, true])(
  'grays of 12 bits are unpacked from the highest bit (big endian: %s)',
  (isBigEndian) => {
    const strip = [0x00, 0x0f, 0xff, 0x80, 0x00, 0x12, 0x3f, 0xf0];
    const entries = { [bits]: 12, [photometric]: 1 };
    // The second row begins at a whole byte.
    expect(graysOf({ width: 3, height: 2, strips: [[...strip, 0xff, 0x00]], entries, isBigEndian })).toEqual([
      0x00, 0xff, 0x80, 0x12, 0xff, 0xff,
    ]);
  },
);

test.each([
  [2, [0b11_01_00_00], [255, 85, 0]],
  [4, [0xf8, 0x00], [255, 136, 0]],
  [10, [0b1111_1111, 0b1110_0000, 0b0000_0000, 0b0000_0000], [255, 128, 0]],
  [14, [0b1111_1111, 0b1111_1110, 0, 0, 0, 0], [255, 128, 0]],
  [16, [0x12, 0xff, 0x34, 0x80, 0x56, 0x00], [255, 128, 0]],
  [32, [0, 0, 0, 0xff, 0, 0, 0, 0x80, 1, 2, 3, 0], [255, 128, 0]],
])('colors of %i bits show their highest 8 bits', (depth, strip, color) => {
  const entries = { [bits]: [depth, depth, depth], [photometric]: 2, [samples]: 3 };
  expect(pixelsOf({ width: 1, strips: [strip], entries })).toEqual([...color, 255]);
});

test('numbers without a fixed largest value are stretched to the range that a gray uses', () => {
  const gray = { [photometric]: 1 };
  const signed = stored([-100, 0, 300], 2, (view, at, value) => view.setInt16(at, value, true));
  expect(
    graysOf({ width: 3, strips: [signed], entries: { ...gray, [bits]: 16, [sampleFormat]: 2 } }),
  ).toEqual([0, 64, 255]);
  const long = stored([0, 500, 1000], 4, (view, at, value) => view.setUint32(at, value));
  expect(graysOf({ width: 3, strips: [long], entries: { ...gray, [bits]: 32 }, isBigEndian: true })).toEqual([
    0, 128, 255,
  ]);
  const zeros = { width: 2, strips: [new Uint8Array(8)], entries: { ...gray, [bits]: 32 } };
  expect(graysOf(zeros)).toEqual([0, 0]);
  const double = stored([0.5, 1], 8, (view, at, value) => view.setFloat64(at, value, true));
  expect(
    graysOf({ width: 2, strips: [double], entries: { ...gray, [bits]: 64, [sampleFormat]: 3 } }),
  ).toEqual([128, 255]);
});

test('a predictor carries from the low byte of a sample to its high byte, in both byte orders', () => {
  for (const isBigEndian of [false, true]) {
    const differences = stored([0x01f0, 0x0020, 0xf000], 2, (view, at, value) =>
      view.setUint16(at, value, !isBigEndian),
    );
    const entries = { [bits]: 16, [photometric]: 1, [compression]: deflate, [predictor]: 2 };
    expect(graysOf({ width: 3, strips: [zlibSync(differences)], entries, isBigEndian })).toEqual([
      0x01, 0x02, 0xf2,
    ]);
  }
});

test('the predictor of floats joins their bytes, which are stored apart', () => {
  // 0.25 and 1, the highest bytes first, each as the difference from the byte before it.
  const bytes = [0x3e, 0x3f, 0x80, 0x80, 0, 0, 0, 0];
  const differences = bytes.map((byte, at) => (byte - (bytes[at - 1] ?? 0)) & 255);
  const entries = { [bits]: 32, [sampleFormat]: 3, [photometric]: 1, [compression]: deflate, [predictor]: 3 };
  for (const isBigEndian of [false, true])
    expect(
      graysOf({ width: 2, strips: [zlibSync(Uint8Array.from(differences))], entries, isBigEndian }),
    ).toEqual([64, 255]);
});

test('an entry for a predictor without such a compression is ignored', () => {
  const entries = { [bits]: 8, [photometric]: 1, [predictor]: 2 };
  expect(graysOf({ width: 3, strips: [[1, 2, 3]], entries })).toEqual([1, 2, 3]);
});

test('a strip of Zstandard is decompressed', () => {
  const entries = { [bits]: 8, [photometric]: 1, [compression]: 50_000 };
  expect(graysOf({ width: 3, strips: [zstdCompressSync(Buffer.from([1, 2, 3]))], entries })).toEqual([
    1, 2, 3,
  ]);
});

test.each([
  ['CIE, where a and b are signed', 8, 0],
  ['ICC, where a and b begin at -128', 9, 128],
])('Lab of %s becomes sRGB', (_, color, zero) => {
  // The values of red, green, blue, white, gray and black, which Little CMS computes from sRGB with the white D50.
  const lab = [
    [138, 81, 70],
    [224, -79, 81],
    [75, 68, -112],
    [255, 0, 0],
    [137, 0, 0],
    [0, 0, 0],
  ].map(([lightness = 0, a = 0, b = 0]) => [lightness, (a + zero) & 255, (b + zero) & 255]);
  const expected = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
    [128, 128, 128],
    [0, 0, 0],
  ];
  const entries = { [bits]: [8, 8, 8], [photometric]: color, [samples]: 3 };
  const pixels = pixelsOf({ width: 6, strips: [lab.flat()], entries });
  for (const [at, rgb] of expected.entries())
    for (const [channel, level] of rgb.entries())
      expect(Math.abs((pixels[at * 4 + channel] ?? Infinity) - level)).toBeLessThanOrEqual(12);
});

test('Lab of 16 bits shows its highest 8 bits, and Lab of one sample only the lightness', () => {
  const deep = { [bits]: [16, 16, 16], [photometric]: 8, [samples]: 3 };
  const whole = { [bits]: [8, 8, 8], [photometric]: 8, [samples]: 3 };
  const shallow = pixelsOf({ width: 1, strips: [[0x8a, 0x51, 0xf0]], entries: whole });
  expect(pixelsOf({ width: 1, strips: [[0, 0x8a, 0, 0x51, 0, 0xf0]], entries: deep })).toEqual(shallow);
  expect(pixelsOf({ width: 1, strips: [[137]], entries: { [bits]: 8, [photometric]: 8 } })).toEqual([
    128, 128, 128, 255,
  ]);
});

test('YCbCr blocks of pixels that share colors are drawn with the given coefficients', () => {
  const entries = { [bits]: [8, 8, 8], [photometric]: 6, [samples]: 3, 530: [2, 2] };
  // Three pixels by two rows: two blocks of four lumas, one Cb and one Cr.
  const blocks = [10, 20, 40, 50, 128, 128, 30, 0, 60, 0, 128, 255];
  const pixels = pixelsOf({ width: 3, height: 2, strips: [blocks], entries });
  expect(pixels.slice(0, 8)).toEqual([10, 10, 10, 255, 20, 20, 20, 255]);
  expect(pixels.slice(8, 12)).toEqual([208, 0, 30, 255]);
  expect(pixels.slice(12, 20)).toEqual([40, 40, 40, 255, 50, 50, 50, 255]);
});

test('a palette may have alpha, 16 bits, or a map of 8 bits', () => {
  const map = [0x1000, 0xff00, 0x2000, 0x8000, 0x3000, 0x0000];
  const entries = { [bits]: [1], [photometric]: 3, [colorMap]: map };
  expect(pixelsOf({ width: 2, strips: [[0b0100_0000]], entries })).toEqual([
    0x10, 0x20, 0x30, 255, 0xff, 0x80, 0, 255,
  ]);
  const small = map.map((level) => level >> 8);
  expect(pixelsOf({ width: 1, strips: [[0x80]], entries: { ...entries, [colorMap]: small } })).toEqual([
    0xff, 0x80, 0, 255,
  ]);
  const alpha = { ...entries, [bits]: [8, 8], [samples]: 2, [extraSamples]: 2 };
  expect(pixelsOf({ width: 1, strips: [[1, 7]], entries: alpha })).toEqual([0xff, 0x80, 0, 7]);
  const deep = { ...entries, [bits]: [16] };
  expect(pixelsOf({ width: 1, strips: [[1, 0]], entries: deep })).toEqual([0xff, 0x80, 0, 255]);
});

test('a gray may have alpha, in the pixels or as a plane', () => {
  const entries = { [bits]: [8, 8], [photometric]: 1, [samples]: 2, [extraSamples]: 2 };
  expect(pixelsOf({ width: 1, strips: [[9, 7]], entries })).toEqual([9, 9, 9, 7]);
  expect(pixelsOf({ width: 1, strips: [[9], [7]], entries: { ...entries, 284: 2 } })).toEqual([9, 9, 9, 7]);
});

test.each([false, true])('a BigTIFF is an image (big endian: %s)', (isBigEndian) => {
  const wanted = {
    width: 3,
    strips: [[1, 2, 3]],
    entries: { [bits]: 8, [photometric]: 1 },
    isBig: true,
    isBigEndian,
  };
  expect(imageTypeOf(smallTiff(wanted))).toBe('image/tiff');
  expect(graysOf(wanted)).toEqual([1, 2, 3]);
});
