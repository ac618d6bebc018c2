import { expect, test } from 'vitest';
import { decodeTiff } from '../../../../renderer/features/viewers/image/worker/tiff.ts';

interface Sheet {
  readonly bits: number;
  /** PhotometricInterpretation (TIFF 6.0): 0 white is zero, 1 black is zero, 2 RGB, 8 CIE L*a*b*. */
  readonly color: number;
  readonly samples?: number;
  readonly fillOrder?: number;
  readonly extraSamples?: number;
  readonly width?: number;
  readonly strip: readonly number[];
}

/** A TIFF of one row, not compressed. */
function tiffOf(sheet: Sheet): Uint8Array<ArrayBuffer> {
  const { bits, color, samples = 1, fillOrder = 1, extraSamples, width = 2, strip } = sheet;
  const entries = [
    [256, width],
    [257, 1],
    [258, bits],
    [259, 1],
    [262, color],
    [266, fillOrder],
    [273, 8],
    [277, samples],
    [278, 1],
    [279, strip.length],
    ...(extraSamples === undefined ? [] : [[338, extraSamples]]),
  ];
  const padded = [...strip, ...(strip.length % 2 === 0 ? [] : [0])];
  const bytes = Buffer.alloc(8 + padded.length + 2 + entries.length * 12 + 4);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8 + padded.length, 4);
  bytes.set(padded, 8);
  let at = 8 + padded.length;
  at = bytes.writeUInt16LE(entries.length, at);
  for (const [tag = 0, value = 0] of entries) {
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(3, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt16LE(value, at + 8);
    at += 12;
  }
  return new Uint8Array(bytes);
}

function pixelsOf(sheet: Sheet): readonly number[] {
  const answer = decodeTiff(tiffOf(sheet), 0);
  return answer.kind === 'picture' ? Array.from(answer.picture.rgba) : [];
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

test('a TIFF of colors that the decoder leaves blank is refused', () => {
  expect(() => pixelsOf({ bits: 8, color: 8, samples: 3, width: 1, strip: [1, 2, 3] })).toThrow('not known');
  expect(() => pixelsOf({ bits: 16, color: 1, samples: 2, width: 1, strip: [1, 2, 3, 4] })).toThrow(
    'not known',
  );
});
