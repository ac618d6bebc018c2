import { assert, constantFrom, integer, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lightWebp } from '../../../../electron/service/samples/kept-files.ts';
import { encodePng } from '../../../../electron/service/samples/landscape.ts';
import { tiffOf } from '../../../../electron/service/samples/sample-files.ts';
import {
  statedOrientation,
  withoutExif,
} from '../../../../renderer/features/viewers/image/worker/stated-orientation.ts';
import {
  avifOf,
  exifOf,
  gifWith,
  jpegExif,
  jpegWith,
  jpegXmp,
  orientations,
  pngWith,
  pngXmp,
  rawProfile,
  webpWith,
  xmpOf,
  type Orientation,
} from '../../../support/files/oriented-files.ts';

const png = await encodePng(4, 3, Buffer.alloc(36));
const jpeg = Buffer.from('\xff\xd8\xff\xdb\0\x04\0\0\xff\xda\0\x02\xff\xd9', 'latin1');
const size = { width: 320, height: 200 };
const gifOf = (xmp: Buffer, isLast = false): Buffer =>
  gifWith({ width: 20, height: 20 }, new Uint8Array(400), { colors: Buffer.alloc(12), xmp, isLast });
const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

const applied: Readonly<Record<string, (stated: Orientation) => readonly [type: string, bytes: Buffer]>> = {
  'EXIF of a JPEG': (stated) => ['image/jpeg', jpegWith(jpeg, jpegExif(exifOf(stated)))],
  'EXIF of a JPEG whose XMP differs': (stated) => [
    'image/jpeg',
    jpegWith(jpeg, jpegXmp(xmpOf(4)), jpegExif(exifOf(stated))),
  ],
  'EXIF before the pixels of a PNG': (stated) => [
    'image/png',
    pngWith(png, { before: [pngXmp(xmpOf(4)), ['eXIf', exifOf(stated)]] }),
  ],
};

const left: typeof applied = {
  'XMP of a JPEG': (stated) => ['image/jpeg', jpegWith(jpeg, jpegXmp(xmpOf(stated)))],
  'XMP of a JPEG as an element': (stated) => [
    'image/jpeg',
    jpegWith(jpeg, jpegXmp(xmpOf(stated, 'element'))),
  ],
  'EXIF after the pixels of a PNG': (stated) => [
    'image/png',
    pngWith(png, { after: [['eXIf', exifOf(stated)]] }),
  ],
  'XMP of a PNG': (stated) => ['image/png', pngWith(png, { before: [pngXmp(xmpOf(stated))] })],
  'compressed XMP of a PNG': (stated) => [
    'image/png',
    pngWith(png, { after: [pngXmp(xmpOf(stated), { isCompressed: true })] }),
  ],
  'a raw profile of a PNG': (stated) => ['image/png', pngWith(png, { before: [rawProfile(exifOf(stated))] })],
  'XMP of a GIF': (stated) => ['image/gif', gifOf(xmpOf(stated))],
  'XMP of a GIF after its image': (stated) => ['image/gif', gifOf(xmpOf(stated, 'element'), true)],
  'EXIF of a WebP': (stated) => ['image/webp', webpWith(lightWebp, size, [['EXIF', exifOf(stated)]])],
  'EXIF of a WebP that begins like that of a JPEG': (stated) => [
    'image/webp',
    webpWith(lightWebp, size, [
      ['XMP ', xmpOf(4)],
      ['EXIF', jpegExif(exifOf(stated))],
    ]),
  ],
  'XMP of a WebP': (stated) => ['image/webp', webpWith(lightWebp, size, [['XMP ', xmpOf(stated)]])],
  'a TIFF': (stated) => [
    'image/tiff',
    Buffer.from(tiffOf([{ width: 1, height: 1, rgb: new Uint8Array(3), orientation: stated }])),
  ],
};

describe('the stated orientation', () => {
  for (const [isApplied, cases] of [
    [true, applied],
    [false, left],
  ] as const)
    for (const [name, make] of Object.entries(cases))
      test(`is read from ${name}`, () => {
        for (const orientation of orientations) {
          const [type, bytes] = make(orientation);
          expect(statedOrientation(copied(bytes), type)).toEqual({ orientation, isApplied });
        }
      });

  test('is 1 where nothing states it, and where only the container of an AVIF does', () => {
    expect(statedOrientation(copied(png), 'image/png')).toMatchObject({ orientation: 1 });
    expect(statedOrientation(copied(lightWebp), 'image/webp')).toMatchObject({ orientation: 1 });
    expect(statedOrientation(copied(avifOf(8, exifOf(6))), 'image/avif')).toMatchObject({ orientation: 1 });
  });

  test('is that of the XMP if the EXIF has no valid one', () => {
    const [exif, xmp] = [exifOf(1), jpegXmp(xmpOf(8))];
    exif.writeUInt16LE(9, exif.indexOf(Buffer.from([0x12, 0x01])) + 8);
    const bytes = jpegWith(jpeg, jpegExif(exif), xmp);
    expect(statedOrientation(copied(bytes), 'image/jpeg')).toEqual({ orientation: 8, isApplied: false });
  });

  test('of a truncated or damaged file is a valid one', () => {
    assert(
      property(
        constantFrom(...Object.values(applied), ...Object.values(left)),
        integer({ min: 0, max: 2000 }),
        uint8Array({ maxLength: 12 }),
        (make, at, noise) => {
          const [type, whole] = make(6);
          const changed = copied(whole);
          changed.set(noise.subarray(0, Math.max(0, changed.length - at)), Math.min(at, changed.length));
          for (const bytes of [changed, changed.slice(0, at)]) {
            const { orientation } = statedOrientation(bytes, type);
            expect(orientations).toContain(orientation);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

test('the EXIF of an embedded thumbnail is hidden without moving a byte', () => {
  const bytes = copied(jpegWith(jpeg, jpegExif(exifOf(6)), jpegXmp(xmpOf(3))));
  const hidden = withoutExif(bytes);
  expect(hidden).toEqual(bytes.map((byte, at) => (at >= 6 && at < 10 ? 0 : byte)));
  expect(statedOrientation(hidden, 'image/jpeg')).toEqual({ orientation: 3, isApplied: false });
});
