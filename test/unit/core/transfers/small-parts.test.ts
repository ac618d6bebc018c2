import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentTypeOf } from '../../../../electron/core/s3/model/content-type.ts';
import { PartLimits } from '../../../../electron/core/s3/model/part-limits.ts';
import { memoryRefusals } from '../../../../electron/core/s3/model/service-memory.ts';
import { mtimeText, secondsOfMtime } from '../../../../electron/core/transfers/items/mtime.ts';
import {
  maxParts,
  partSizeFor,
  partSizesOf,
  slotsFor,
} from '../../../../electron/core/transfers/items/part-size.ts';
import type { Side } from '../../../../shared/models/transfers.ts';
import { newerSide } from '../../../../shared/newer-side.ts';

const MiB = 1024 * 1024;
const TiB = MiB * MiB;

test('the part size grows so that 10,000 parts suffice up to 48 TiB', () => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 48 * TiB, noNaN: true }), (size) => {
      const sizeBytes = Math.floor(size);
      const part = partSizeFor(sizeBytes, {
        preferredPartBytes: null,
        fromBytes: 16 * MiB,
        minPartBytes: 5 * MiB,
        limits: new PartLimits({ nowMs: () => 0 }, memoryRefusals()),
      });
      expect(Math.ceil(sizeBytes / part)).toBeLessThanOrEqual(maxParts);
      expect(part).toBeGreaterThanOrEqual(5 * MiB);
      expect(part).toBeLessThanOrEqual(5 * 1024 * MiB);
    }),
  );
});

test('the parts cover the file exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 1, max: 500 }), (sizeBytes, part) => {
      const slots = slotsFor(sizeBytes, part);
      expect(slots.reduce((sum, slot) => sum + slot.sizeBytes, 0)).toBe(sizeBytes);
      expect(slots.every((slot, index) => slot.offset === index * part)).toBe(true);
    }),
  );
});

test('the possible part sizes of an object include the common ones', () => {
  expect(partSizesOf(100 * MiB, 13)).toContain(8 * MiB);
  expect(partSizesOf(100 * MiB, 20)).toContain(5 * MiB);
  expect(partSizesOf(7, 1)).toEqual([7]);
  // If the part sizes of two programs fit, Cooper's comes first, because a wrong guess costs a second read of the file.
  expect(partSizesOf(100 * MiB, 7)[0]).toBe(16 * MiB);
});

test("a file time is written in rclone's format", () => {
  expect(mtimeText(1_354_040_105_123_456_789n)).toBe('1354040105.123456789');
  expect(mtimeText(1_600_000_000_250_000_000n)).toBe('1600000000.25');
  expect(mtimeText(5_000_000_000n)).toBe('5');
  expect(secondsOfMtime('1354040105.123456789')).toBeCloseTo(1_354_040_105.123_456, 5);
  for (const text of [undefined, '', 'now', '1e9', '12.', '2020-01-01'])
    expect(secondsOfMtime(text)).toBe(null);
});

test('content types come from the file extension', () => {
  expect(contentTypeOf('a/B.JPG')).toBe('image/jpeg');
  expect(contentTypeOf('constructor')).toBe('application/octet-stream');
  expect(contentTypeOf('a.constructor')).toBe('application/octet-stream');
});

function at(modifiedAt: string | null): Side {
  return { sizeBytes: 1, modifiedAt, etag: null };
}

test('the newer side of a conflict is named only if the times are conclusive', () => {
  expect(newerSide(at('2024-01-02T00:00:00Z'), at('2024-01-01T00:00:00Z'))).toBe('source');
  expect(newerSide(at('2024-01-01T00:00:00Z'), at('2024-01-01T00:00:01Z'))).toBe(null);
  expect(newerSide(at(null), at('2024-01-01T00:00:01Z'))).toBe(null);
});
