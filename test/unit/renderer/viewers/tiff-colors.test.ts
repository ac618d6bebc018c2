import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../electron/service/samples/random.ts';
import { jpegTiffs } from '../../../support/files/jpeg-tiffs.ts';
import { decodeTiff } from '../../../../renderer/features/viewers/image/worker/tiff.ts';

interface Sheet {
  readonly bits: number;
  /**
   * PhotometricInterpretation (TIFF 6.0): 0 white is zero, 1 black is zero, 2 RGB, 5 CMYK, 6 YCbCr,
   * 8 CIE L*a*b*. Null for none.
   */
  readonly color: number | null;
  readonly compression?: number;
  readonly planes?: 1 | 2;
  readonly sampleFormat?: number;
  readonly samples?: number;
  readonly fillOrder?: number;
  readonly extraSamples?: number;
  readonly width?: number;
  readonly strip: readonly number[];
}

/** Returns a TIFF of one row. The strip of each plane begins one byte after the strip of the previous plane. */
function tiffOf(sheet: Sheet): Uint8Array<ArrayBuffer> {
  const { bits, color, samples = 1, fillOrder = 1, extraSamples, width = 2, strip } = sheet;
  const { compression = 1, planes = 1, sampleFormat = 1 } = sheet;
  const strips = planes === 2 ? samples : 1;
  const entries: readonly (readonly [tag: number, value: number, count?: number])[] = [
    [256, width],
    [257, 1],
    [258, bits],
    [259, compression],
    ...(color === null ? [] : ([[262, color]] as const)),
    [266, fillOrder],
    [273, strips === 1 ? 8 : 0, strips],
    [277, samples],
    [278, 1],
    [279, strip.length],
    [284, planes],
    ...(extraSamples === undefined ? [] : ([[338, extraSamples]] as const)),
    [339, sampleFormat],
  ];
  const padded = [...strip, ...(strip.length % 2 === 0 ? [] : [0])];
  const afterDirectory = 8 + padded.length + 2 + entries.length * 12 + 4;
  const bytes = Buffer.alloc(afterDirectory + 2 * strips);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8 + padded.length, 4);
  bytes.set(padded, 8);
  let at = 8 + padded.length;
  at = bytes.writeUInt16LE(entries.length, at);
  for (const [tag, value, count = 1] of entries) {
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(3, at + 2);
    bytes.writeUInt32LE(count, at + 4);
    bytes.writeUInt32LE(count === 1 ? value : afterDirectory, at + 8);
    at += 12;
  }
  for (let plane = 0; plane < strips; plane += 1) bytes.writeUInt16LE(8 + plane, afterDirectory + 2 * plane);
  return new Uint8Array(bytes);
}

function pixelsOf(sheet: Sheet): readonly number[] {
  const response = decodeTiff(tiffOf(sheet), 0);
  return response.kind === 'picture' ? Array.from(response.picture.rgba) : [];
}

function floats(...values: readonly number[]): readonly number[] {
  return [...new Uint8Array(Float32Array.from(values).buffer)];
}

function grays(...values: readonly number[]): readonly number[] {
  return values.flatMap((gray) => [gray, gray, gray, 255]);
}

function kindOf(sheet: Sheet): string {
  return decodeTiff(tiffOf(sheet), 0).kind;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

function largestDifference(shown: Uint8ClampedArray, expected: readonly number[]): number {
  return Math.max(...expected.map((value, at) => Math.abs(value - (shown[at] ?? Infinity))));
}

test.each([
  ['one bit, white is zero', { bits: 1, color: 0, strip: [0b0100_0000] }, [255, 0]],
  ['one bit, black is zero', { bits: 1, color: 1, strip: [0b0100_0000] }, [0, 255]],
  ['two bits, white is zero', { bits: 2, color: 0, strip: [0b0111_0000] }, [170, 0]],
  ['two bits, black is zero', { bits: 2, color: 1, strip: [0b0111_0000] }, [85, 255]],
  ['four bits, white is zero', { bits: 4, color: 0, strip: [0x1f] }, [238, 0]],
  ['four bits, black is zero', { bits: 4, color: 1, strip: [0x1f] }, [17, 255]],
  ['eight bits, white is zero', { bits: 8, color: 0, strip: [1, 255] }, [254, 0]],
  ['eight bits, black is zero', { bits: 8, color: 1, strip: [1, 255] }, [1, 255]],
  ['four bits in the other order', { bits: 4, color: 1, fillOrder: 2, strip: [0b1111_1000] }, [17, 255]],
  ['eight bits in the other order', { bits: 8, color: 1, fillOrder: 2, strip: [0x80, 0xff] }, [1, 255]],
] as const)('a gray TIFF of %s shows its values', (_, sheet, grays) => {
  expect(pixelsOf(sheet)).toEqual(grays.flatMap((gray) => [gray, gray, gray, 255]));
});

test('the fourth sample of a TIFF is its alpha, multiplied into the colors or not, or nothing', () => {
  const sheet = { bits: 8, color: 2, samples: 4, width: 1, strip: [40, 20, 0, 128] };
  expect(pixelsOf({ ...sheet, extraSamples: 2 })).toEqual([40, 20, 0, 128]);
  expect(pixelsOf({ ...sheet, extraSamples: 1 })).toEqual([80, 40, 0, 128]);
  expect(pixelsOf({ ...sheet, extraSamples: 0 })).toEqual([40, 20, 0, 255]);
});

test('a TIFF of 16 bits in CMYK shows its inks, and one of floats its range', () => {
  const cmyk = { bits: 16, color: 5, samples: 4, width: 1, strip: [0, 0, 9, 0x80, 0, 0xff, 0, 0] };
  expect(pixelsOf(cmyk)).toEqual([255, 127, 0, 255]);
  const sheet = { bits: 32, color: 1, sampleFormat: 3 };
  expect(pixelsOf({ ...sheet, strip: floats(0.2, 1) })).toEqual(grays(51, 255));
  expect(pixelsOf({ ...sheet, strip: floats(-100, 300) })).toEqual(grays(0, 255));
  expect(pixelsOf({ ...sheet, strip: floats(NaN, 2) })).toEqual(grays(0, 255));
});

test('the planes of a TIFF are drawn together, and a gray needs its first one only', () => {
  // The strips of the planes overlap in the file, as each begins a byte after the previous strip.
  const planar = { bits: 8, planes: 2, width: 2 } as const;
  expect(pixelsOf({ ...planar, color: 2, samples: 3, strip: [1, 2, 3, 4] })).toEqual([
    1, 2, 3, 255, 2, 3, 4, 255,
  ]);
  expect(pixelsOf({ ...planar, color: 5, samples: 4, strip: [0, 0, 0, 0, 0] })).toEqual([
    255, 255, 255, 255, 255, 255, 255, 255,
  ]);
  const cut = { ...planar, bits: 16, color: 1, samples: 3, extraSamples: 0, strip: [0, 7, 0, 9] };
  expect(pixelsOf(cut)).toEqual([7, 7, 7, 255, 9, 9, 9, 255]);
});

test('a TIFF whose colors, samples or compression have no decoder here says so', () => {
  expect(kindOf({ bits: 8, color: 10, samples: 3, width: 1, strip: [1, 2, 3] })).toBe('unknown');
  expect(kindOf({ bits: 8, color: 2, sampleFormat: 2, samples: 3, width: 1, strip: [1, 2, 3] })).toBe(
    'unknown',
  );
  expect(kindOf({ bits: 64, color: 1, width: 1, strip: [1, 2, 3, 4, 5, 6, 7, 8] })).toBe('unknown');
  expect(kindOf({ bits: 8, color: 1, compression: 50_001, strip: [1, 2] })).toBe('unknown');
  // LZMA. Its decoder is WebAssembly, which the worker for images may not compile, and lacks the filter that libtiff always uses.
  expect(kindOf({ bits: 8, color: 1, compression: 34_925, strip: [1, 2] })).toBe('unknown');
});

test('a TIFF without a photometric interpretation is gray with one sample, and in color with three', () => {
  expect(pixelsOf({ bits: 8, color: null, strip: [1, 255] })).toEqual([1, 1, 1, 255, 255, 255, 255, 255]);
  expect(pixelsOf({ bits: 8, color: null, samples: 3, width: 1, strip: [1, 2, 3] })).toEqual([1, 2, 3, 255]);
});

describe('a TIFF of JPEG streams', () => {
  test.each(Object.entries(jpegTiffs))('shows the colors of its strips if they are %s', (_, text) => {
    const response = decodeTiff(bytesOf(text), 0);
    if (response.kind !== 'picture') throw new Error(response.kind);
    const { rgba } = response.picture;
    expect(largestDifference(rgba.subarray(0, 4), [200, 30, 60, 255])).toBeLessThan(10);
    expect(largestDifference(rgba.subarray(-4), [20, 40, 250, 255])).toBeLessThan(10);
  });

  test('is refused before it is decoded if a stream is larger than its strip', () => {
    const bytes = bytesOf(jpegTiffs.rgb);
    const frame = Buffer.from(bytes).indexOf(Buffer.from([0xff, 0xc0]));
    new DataView(bytes.buffer).setUint32(frame + 5, 0xffff_ffff);
    expect(() => decodeTiff(bytes, 0)).toThrow('damaged');
  });

  test('that is damaged yields a picture of its size, a reason or an error', () => {
    const random = seededRandom('damaged jpeg in tiff');
    for (let round = 0; round < 300; round += 1) {
      const bytes = bytesOf(jpegTiffs.yCbCr);
      for (let change = 0; change < 2; change += 1)
        bytes[8 + Math.floor(random() * (bytes.length - 8))] = Math.floor(random() * 256);
      let picture = null;
      try {
        const response = decodeTiff(bytes, 0);
        picture = response.kind === 'picture' ? response.picture : null;
      } catch {
        // Ignores errors, which the window shows as a damaged file.
      }
      expect(picture?.rgba.length).toBe(picture === null ? undefined : picture.width * picture.height * 4);
    }
  });
});
