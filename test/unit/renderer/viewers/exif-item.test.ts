import { parse } from 'exifr';
import { assert, integer, property, uint8Array } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  lightAvif,
  lightHeic,
  lightJpeg,
  lightWebp,
} from '../../../../electron/service/samples/kept-files.ts';
import { exifIn } from '../../../../renderer/features/viewers/image/worker/exif-item.ts';
import { factOptions, factsOf } from '../../../../renderer/features/viewers/image/worker/facts.ts';
import { exifBytes } from '../../../support/files/exif-bytes.ts';
import { heicWith } from '../../../support/files/heic-file.ts';

const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
const keel = exifBytes({ main: { 0x010f: { kind: 'text', text: 'Keel' } } });

async function factsIn(bytes: Uint8Array) {
  const exif = exifIn(copied(bytes));
  return exif === null ? null : factsOf(((await parse(exif, factOptions)) ?? {}) as Record<string, unknown>);
}

/** Returns a WebP with an additional EXIF chunk. */
function webpWith(exif: Uint8Array): Buffer {
  const head = Buffer.from('EXIF\0\0\0\0', 'latin1');
  head.writeUInt32LE(exif.length, 4);
  const whole = Buffer.concat([lightWebp, head, exif]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

describe('EXIF data', () => {
  test('is found in a HEIC with offsets from a base, as written by libheif', async () => {
    expect(await factsIn(lightHeic)).toEqual(await factsIn(lightJpeg));
    expect(await factsIn(lightHeic)).toContainEqual({ name: 'camera', text: 'Slipway Forty' });
  });

  test("is found in a HEIC with offsets from the file's start", async () => {
    expect(await factsIn(heicWith(keel))).toEqual([{ name: 'camera', text: 'Keel' }]);
  });

  test('is found in a WebP, with or without the JPEG segment header', async () => {
    const segment = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), keel]);
    for (const exif of [keel, segment])
      expect(await factsIn(webpWith(exif))).toEqual([{ name: 'camera', text: 'Keel' }]);
  });

  test('is null if the container has none', async () => {
    expect(await factsIn(lightAvif)).toBeNull();
    expect(await factsIn(lightWebp)).toBeNull();
  });

  test('of a damaged or truncated container is null or within its bytes', () => {
    for (const whole of [lightHeic, webpWith(keel), heicWith(keel)])
      assert(
        property(integer({ min: 4, max: whole.length }), uint8Array({ maxLength: 12 }), (at, noise) => {
          const bytes = copied(whole.subarray(0, at + noise.length));
          bytes.set(noise, bytes.length - noise.length);
          const changed = copied(whole);
          changed.set(noise.subarray(0, changed.length - Math.min(at, changed.length)), at);
          for (const damaged of [bytes, changed]) {
            const exif = exifIn(damaged);
            expect(exif === null || exif.buffer === damaged.buffer).toBe(true);
          }
        }),
        { numRuns: 300 },
      );
  });
});
