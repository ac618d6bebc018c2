import { describe, expect, test } from 'vitest';
import { lightAvif, lightHeic } from '../../../../electron/service/samples/kept-files.ts';
import { heifTurn } from '../../../../renderer/features/viewers/image/worker/heif-boxes.ts';
import { isoBox } from '../../../support/files/iso-box.ts';
import { oriented, type Pixels } from '../../../../renderer/features/viewers/image/parts/orientation.ts';

type Property = readonly [kind: 'irot' | 'imir' | 'ispe', value: number];

/** Builds a HEIC without an image, whose primary item has these properties. A second item has all properties. */
function heicOf(properties: readonly Property[], { isLong = false } = {}): Uint8Array<ArrayBuffer> {
  const places = properties.flatMap((_, at) => (isLong ? [0x80, at + 1] : [0x80 | (at + 1)]));
  const id = (number: number): readonly number[] => (isLong ? [0, 0, 0, number] : [0, number]);
  const version = isLong ? 1 : 0;
  const others = isLong ? [0, properties.length + 1] : [properties.length + 1];
  const links = [
    [version, 0, 0, isLong ? 1 : 0, 0, 0, 0, 2],
    id(1),
    [1],
    others,
    id(2),
    [properties.length],
    places,
  ].flat();
  const boxes = properties.flatMap(([kind, value]) => box(kind, [value])).concat(box('irot', [1]));
  const primary = box('pitm', [version, 0, 0, 0].concat(id(2)));
  const parts = box('iprp', box('ipco', boxes).concat(box('ipma', links)));
  const ftyp = box('ftyp', Array.from(Buffer.from('heic\0\0\0\0mif1heic', 'latin1')));
  return Uint8Array.from([...ftyp, ...box('meta', [0, 0, 0, 0, ...primary, ...parts])]);
}

function box(kind: string, content: readonly number[]): number[] {
  return [...isoBox(kind, Uint8Array.from(content))];
}

describe('the orientation of a HEIC', () => {
  test.each([
    [[], 1],
    [[['irot', 0]], 1],
    [[['irot', 1]], 8],
    [[['irot', 2]], 3],
    [[['irot', 3]], 6],
    [[['imir', 0]], 4],
    [[['imir', 1]], 2],
    [
      [
        ['ispe', 0],
        ['irot', 3],
      ],
      6,
    ],
  ] as const)('follows its properties %j as an EXIF orientation', (properties, turn) => {
    expect(heifTurn(heicOf(properties))).toBe(turn);
    expect(heifTurn(heicOf(properties, { isLong: true }))).toBe(turn);
  });

  test('combines a rotation and a mirroring in either order', () => {
    const stored: Pixels = {
      width: 3,
      height: 2,
      rgba: Uint8ClampedArray.from({ length: 24 }, (_, at) => at),
    };
    const steps: readonly (readonly [Property, number])[] = [
      ...[8, 3, 6].map((turn, at) => [['irot', at + 1], turn] as const),
      ...[4, 2].map((turn, at) => [['imir', at], turn] as const),
    ];
    for (const [first, turn] of steps)
      for (const [second, next] of steps)
        expect(oriented(stored, heifTurn(heicOf([first, second])))).toEqual(
          oriented(oriented(stored, turn), next),
        );
  });

  test('is null if the file has none or is truncated', () => {
    expect(heifTurn(Uint8Array.from(lightHeic))).toBe(1);
    expect(heifTurn(Uint8Array.from(lightAvif))).toBe(1);
    const whole = heicOf([['irot', 1]]);
    for (let length = 0; length < whole.length; length += 1)
      expect([1, 8]).toContain(heifTurn(whole.slice(0, length)));
  });
});
