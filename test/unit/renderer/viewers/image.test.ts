import { parse } from 'exifr';
import { assert, boolean, constantFrom, double, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lightAvif, lightJpeg, lightWebp } from '../../../../electron/service/samples/kept-files.ts';
import { chartSheets, tiffOf } from '../../../../electron/service/samples/sample-files.ts';
import { factOptions, factsOf } from '../../../../renderer/features/viewers/image/worker/facts.ts';
import { factText } from '../../../../renderer/features/viewers/image/stage/fact-words.ts';
import {
  viewAfterKey,
  fitScale,
  nextScale,
  scrollAfterZoom,
  turned,
  turnedSize,
  wheeledScale,
} from '../../../../renderer/features/viewers/image/stage/zoom.ts';
import { imageTypeOf } from '../../../../renderer/features/viewers/image/parts/image-type.ts';
import { decodeTiff } from '../../../../renderer/features/viewers/image/worker/tiff.ts';
import { seededRandom } from '../../../../electron/service/samples/random.ts';
import { heicWith } from '../../../support/files/heic-file.ts';
import { noisyTiff } from '../../../support/files/noisy-tiff.ts';
import { exifBytes, withExif, type ExifTags } from '../../../support/files/exif-bytes.ts';

const bytesOf = (buffer: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer);

/** Decodes a TIFF. The decoder may throw anything for a damaged file. */
function outcomeOf(bytes: Uint8Array<ArrayBuffer>): ReturnType<typeof decodeTiff> | 'thrown' {
  try {
    return decodeTiff(bytes, 0);
  } catch {
    return 'thrown';
  }
}

async function factsIn(tags: ExifTags) {
  const bytes = withExif(Buffer.from('\xff\xd8\xff\xd9', 'latin1'), tags);
  return factsOf((await parse(bytes, factOptions)) as Record<string, unknown>);
}

describe('camera data', () => {
  test('is found in a HEIC file that contains no picture', async () => {
    const exif = exifBytes({
      main: { 0x010f: { kind: 'text', text: 'Keel' }, 0x0110: { kind: 'text', text: 'One' } },
    });
    const heic = heicWith(exif);
    expect(imageTypeOf(heic)).toBe('image/heic');
    const facts = factsOf((await parse(bytesOf(heic), factOptions)) as Record<string, unknown>);
    expect(facts).toEqual([{ name: 'camera', text: 'Keel One' }]);
  });

  test('is found in the sample image with location and time unchanged', async () => {
    const facts = factsOf((await parse(lightJpeg, factOptions)) as Record<string, unknown>);
    expect(facts).toEqual([
      { name: 'taken', text: '2026-05-09 06:30' },
      { name: 'camera', text: 'Slipway Forty' },
      { name: 'lens', text: 'Slipway 35 mm' },
      { name: 'exposure', seconds: 0.004, aperture: 2.8, iso: 200, focalLengthMm: 35 },
      { name: 'place', latitude: 54.3, longitude: -8.6, altitudeM: 12 },
      { name: 'about', text: 'The light on the outer bank' },
      { name: 'author', text: 'Survey of the outer bank' },
    ]);
  });

  test('is formatted for reading', () => {
    const t = ((key: string) => key.split('.').at(-1) ?? '') as unknown as Parameters<typeof factText>[1];
    const words = (fact: Parameters<typeof factText>[0], language = 'en') =>
      factText(fact, t, language).replaceAll('\u00A0', ' ');
    const none = { seconds: null, aperture: null, iso: null, focalLengthMm: null };
    expect(words({ name: 'exposure', seconds: 0.004, aperture: 2.8, iso: 200, focalLengthMm: 35 })).toBe(
      '1/250 s, f/2.8, ISO 200, 35 mm',
    );
    expect(words({ name: 'exposure', ...none, seconds: 2.5 })).toBe('2.5 s');
    expect(words({ name: 'exposure', ...none, seconds: 2.5, focalLengthMm: 35 }, 'ru')).toBe('2,5 с, 35 мм');
    expect(words({ name: 'place', latitude: 54.3, longitude: -8.6, altitudeM: 12.4 })).toBe(
      '54.30000° north, 8.60000° west, 12 m',
    );
    expect(words({ name: 'place', latitude: -33.9, longitude: 18.4, altitudeM: null })).toBe(
      '33.90000° south, 18.40000° east',
    );
  });

  test('names the camera once and omits empty values', async () => {
    const facts = await factsIn({
      main: {
        0x10f: { kind: 'text', text: 'NIKON CORPORATION' },
        0x110: { kind: 'text', text: 'NIKON D40\u202e  ' },
        0x131: { kind: 'text', text: ' \u0001' },
      },
      exif: {
        0x9003: { kind: 'text', text: '0000:00:00 00:00:00' },
        0x829a: { kind: 'ratio', ratios: [[0, 0]] },
      },
      gps: {
        1: { kind: 'text', text: 'N' },
        2: {
          kind: 'ratio',
          ratios: [
            [0, 1],
            [0, 1],
            [0, 1],
          ],
        },
        3: { kind: 'text', text: 'E' },
        4: {
          kind: 'ratio',
          ratios: [
            [0, 1],
            [0, 1],
            [0, 1],
          ],
        },
      },
    });
    expect(facts).toEqual([{ name: 'camera', text: 'NIKON D40' }]);
  });

  test('of a damaged file is well-formed or throws', async () => {
    const whole = exifBytes({
      main: { 0x10f: { kind: 'text', text: 'Slipway' } },
      exif: { 0x8827: { kind: 'short', number: 9 } },
    });
    const random = seededRandom('damaged exif');
    for (let round = 0; round < 300; round += 1) {
      const damaged = Buffer.from(whole);
      for (let change = 0; change < 3; change += 1)
        damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 256);
      const tags = await parse(damaged, factOptions).catch(() => undefined);
      for (const fact of factsOf((tags ?? {}) as Record<string, unknown>))
        expect('text' in fact ? typeof fact.text : 'object').toMatch(/string|object/);
    }
  });
});

describe('an image', () => {
  test('is recognised by its first bytes', () => {
    expect(imageTypeOf(lightJpeg)).toBe('image/jpeg');
    expect(imageTypeOf(lightWebp)).toBe('image/webp');
    expect(imageTypeOf(lightAvif)).toBe('image/avif');
    expect(imageTypeOf(tiffOf(chartSheets()))).toBe('image/tiff');
    expect(imageTypeOf(Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1'))).toBe('image/heic');
    expect(imageTypeOf(Buffer.from('\0\0\0\x18ftypmp42', 'latin1'))).toBeNull();
  });

  test('is fitted into the stage and enlarged only if it is a vector drawing', () => {
    const stage = { width: 800, height: 600 };
    expect(fitScale({ width: 1600, height: 600 }, stage)).toBe(0.5);
    expect(fitScale({ width: 80, height: 60 }, stage)).toBe(1);
    expect(fitScale({ width: 80, height: 60 }, stage, true)).toBe(10);
    expect(fitScale({ width: 0, height: 0 }, stage)).toBe(1);
    expect(turnedSize({ width: 3, height: 2 }, 1)).toEqual({ width: 2, height: 3 });
  });

  test('is zoomed in steps and by wheel within bounds, and zooming is reversible', () => {
    expect(nextScale(1, 1)).toBe(1.5);
    expect(nextScale(0.37, -1)).toBe(0.25);
    expect(nextScale(32, 1)).toBe(32);
    expect(nextScale(0.05, -1)).toBe(0.05);
    assert(
      property(
        double({ min: 0.06, max: 30, noNaN: true }),
        integer({ min: -2000, max: 2000 }),
        (scale, delta) => {
          const zoomed = wheeledScale(scale, delta);
          expect(zoomed).toBeGreaterThanOrEqual(0.05);
          expect(zoomed).toBeLessThanOrEqual(32);
          expect(Math.sign(zoomed - scale) + Math.sign(delta)).toBe(0);
        },
      ),
    );
  });

  test('keeps the point under the pointer when zoomed beyond the stage', () => {
    const stage = { width: 400, height: 300 };
    const at = record({ x: integer({ min: 0, max: 400 }), y: integer({ min: 0, max: 300 }) });
    assert(
      property(at, constantFrom(1.5, 2, 4), boolean(), (point, factor, isMiddle) => {
        const from = { width: 800, height: 600 };
        const to = { width: 800 * factor, height: 600 * factor };
        const scroll = isMiddle ? { left: 200, top: 150 } : { left: 0, top: 0 };
        const next = scrollAfterZoom(stage, { from, to }, scroll, point);
        expect((next.left + point.x) / to.width).toBeCloseTo((scroll.left + point.x) / from.width, 6);
        expect((next.top + point.y) / to.height).toBeCloseTo((scroll.top + point.y) / from.height, 6);
      }),
    );
    const small = { width: 100, height: 100 };
    expect(
      scrollAfterZoom(
        stage,
        { from: small, to: { width: 200, height: 200 } },
        { left: 0, top: 0 },
        { x: 9, y: 9 },
      ),
    ).toEqual({ left: 0, top: 0 });
  });

  test('handles its own keys and ignores others', () => {
    const plain = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
    const view = { scale: null, turns: 0 } as const;
    expect(viewAfterKey({ ...plain, key: '+' }, view, 0.5)).toEqual({ scale: 0.75, turns: 0 });
    expect(viewAfterKey({ ...plain, key: '1' }, view, 0.5)).toEqual({ scale: 1, turns: 0 });
    expect(viewAfterKey({ ...plain, key: '0' }, { ...view, scale: 2 }, 0.5)).toEqual(view);
    expect(viewAfterKey({ ...plain, key: 'r' }, view, 1)).toEqual({ scale: null, turns: 1 });
    expect(viewAfterKey({ ...plain, key: 'R', shiftKey: true }, view, 1)).toEqual({ scale: null, turns: 3 });
    expect(viewAfterKey({ ...plain, key: 'r', ctrlKey: true }, view, 1)).toBeNull();
    expect(viewAfterKey({ ...plain, key: 'ArrowLeft' }, view, 1)).toBeNull();
    expect(turned({ scale: 2, turns: 3 }, 1)).toEqual({ scale: 2, turns: 0 });
  });
});

describe('a TIFF image', () => {
  const sheets = chartSheets();
  const bytes = bytesOf(tiffOf(sheets));

  test('is decoded page by page', () => {
    for (const [page, { width, height, rgb }] of sheets.entries()) {
      const response = decodeTiff(bytes, page);
      if (response.kind !== 'picture') throw new Error(response.kind);
      expect(response.picture).toMatchObject({ width, height, pages: 2 });
      const [first, second, third] = rgb;
      expect([...response.picture.rgba.subarray(0, 4)]).toEqual([first, second, third, 255]);
    }
    expect(decodeTiff(bytes, 2)).toEqual({ kind: 'damaged' });
  });

  test('with too many pixels is refused before decoding', () => {
    const large = Buffer.from(bytes);
    // The second entry of its first directory is the height.
    large.writeUInt32LE(2_000_000, 8 + 2 + 12 + 8);
    expect(decodeTiff(bytesOf(large), 0)).toEqual({ kind: 'too-many-pixels', width: 240, height: 2_000_000 });
  });

  test('that is damaged yields a picture of its size, a reason or an error', () => {
    const random = seededRandom('damaged tiff');
    for (let round = 0; round < 200; round += 1) {
      const damaged = Buffer.from(bytes);
      for (let change = 0; change < 2; change += 1)
        damaged[8 + Math.floor(random() * 130)] = Math.floor(random() * 256);
      const response = outcomeOf(bytesOf(damaged));
      const picture = typeof response === 'object' && response.kind === 'picture' ? response.picture : null;
      expect(picture?.rgba.length).toBe(picture === null ? undefined : picture.width * picture.height * 4);
    }
  });

  // Leaves out fax compressions and LZW. They may take long to decode noise, so the window ends their worker (test/e2e/viewers).
  test.each([1, 8, 32_773])('with noise in compression %i ends within the memory of its image', (coding) => {
    const random = seededRandom(`noise ${String(coding)}`);
    const startedBytes = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 40; round += 1) {
      outcomeOf(bytesOf(noisyTiff(coding, random)));
    }
    expect(process.memoryUsage().arrayBuffers - startedBytes).toBeLessThan(100_000_000);
  });

  test('with endless counts is refused, and one with circular directories ends where they repeat', () => {
    const counts = Buffer.from(bytes);
    counts.writeUInt32LE(0xffff_ffff, 8 + 2 + 5 * 12 + 4);
    expect(() => decodeTiff(bytesOf(counts), 0)).toThrow('directories');
    const circle = Buffer.from(bytes);
    circle.writeUInt32LE(8, 8 + 2 + 9 * 12);
    expect(decodeTiff(bytesOf(circle), 0)).toMatchObject({ kind: 'picture', picture: { pages: 1 } });
    // The strip decompresses to far more bytes than the image has.
    const bomb = Buffer.from(tiffOf([{ width: 8, height: 8, rgb: new Uint8Array(200_000_000) }]));
    const before = process.memoryUsage().arrayBuffers;
    expect(decodeTiff(bytesOf(bomb), 0).kind).toBe('picture');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});
