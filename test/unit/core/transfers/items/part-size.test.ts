import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyPartBytes, copyParts } from '../../../../../electron/core/transfers/items/part-size.ts';

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
const limits = { smallest: 5 * MiB, largest: 5 * GiB, maxParts: 10_000 };

describe('the parts of a copy', () => {
  test('cover the object exactly, each byte once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5000 }),
        fc.integer({ min: 1, max: 700 }),
        (sizeBytes, partBytes) => {
          const parts = copyParts(sizeBytes, partBytes);
          let next = 0;
          for (const [index, part] of parts.entries()) {
            expect(part.partNumber).toBe(index + 1);
            expect(part.range.firstByte).toBe(next);
            expect(part.range.lastByte - part.range.firstByte + 1).toBe(part.sizeBytes);
            const isLast = index === parts.length - 1;
            expect(part.sizeBytes).toBe(isLast ? sizeBytes - next : partBytes);
            next = part.range.lastByte + 1;
          }
          expect(next).toBe(sizeBytes);
        },
      ),
    );
  });

  test('number at most 10,000 and stay within the size limits of one request', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5 * GiB + 1, max: 48 * 1024 * GiB }),
        fc.option(fc.integer({ min: 1, max: 20_000 })),
        (sizeBytes, count) => {
          const etag = count === null ? `"${'a'.repeat(32)}"` : `"${'a'.repeat(32)}-${count}"`;
          const partBytes = copyPartBytes(sizeBytes, etag, limits);
          expect(Math.ceil(sizeBytes / partBytes)).toBeLessThanOrEqual(10_000);
          expect(partBytes).toBeGreaterThanOrEqual(limits.smallest);
          expect(partBytes).toBeLessThanOrEqual(limits.largest);
        },
      ),
    );
  });

  test("match the source's parts if its ETag gives their number", () => {
    const sizeBytes = 6 * GiB;
    for (const partBytes of [8 * MiB, 16 * MiB, 64 * MiB, 512 * MiB]) {
      const etag = `"${'0'.repeat(32)}-${Math.ceil(sizeBytes / partBytes)}"`;
      expect(copyPartBytes(sizeBytes, etag, limits)).toBe(partBytes);
    }
  });
});
