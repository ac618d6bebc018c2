import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxPartsIn, PartLimits } from '../../../../electron/core/s3/model/part-limits.ts';
import { memoryRefusals } from '../../../../electron/core/s3/model/service-memory.ts';
import { failure } from '../../../../shared/errors.ts';

test.each([
  ['Part number must be an integer between 1 and 10000, inclusive', 10_000],
  ['Part number must be between 1 and 1000', 1000],
  ['PartNumber must be an integer from 1 to 500.', 500],
  ['The partNumber exceeds 100.', 100],
  ['The part number may be at most 50.', 50],
  ['The size must be between 1 and 5', null],
  ['Invalid part number.', null],
  [null, null],
])('the most parts in %j are %j', (message, maxParts) => {
  expect(maxPartsIn(message)).toBe(maxParts);
});

const limitsOf = (known: Partial<Pick<PartLimits, 'maxParts' | 'namedBytes'>>): PartLimits =>
  Object.assign(new PartLimits({ nowMs: () => 0 }, memoryRefusals()), known);

test('a part size within both limits of a service is found if one exists', () => {
  const limit = fc.option(fc.integer({ min: 1, max: 500 }));
  const MiB = 1024 * 1024;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2000 * MiB }), limit, limit, (sizeBytes, maxParts, maxPartMiB) => {
      const maxPartBytes = maxPartMiB === null ? null : maxPartMiB * MiB;
      const size = limitsOf({ maxParts, namedBytes: maxPartBytes }).fitting(sizeBytes, 16 * MiB, 5 * MiB);
      const fits = (each: number): boolean =>
        each >= 5 * MiB &&
        each <= (maxPartBytes ?? Infinity) &&
        Math.ceil(sizeBytes / each) <= (maxParts ?? Infinity);
      const least = Math.max(5 * MiB, Math.ceil(sizeBytes / (maxParts ?? Infinity)));
      expect(fits(size ?? least)).toBe(size !== null);
    }),
  );
});

test('a refusal without a limit halves the size that was refused, again and again', async () => {
  const limits = new PartLimits({ nowMs: () => 0 }, memoryRefusals());
  const refuse = async (sizeBytes: number): Promise<void> => {
    const sent = limits.learnFrom({ partNumber: 1, sizeBytes }, async () => {
      throw failure('invalid-argument', '413', { reason: 'part-too-large' });
    });
    await expect(sent).rejects.toThrow('413');
  };
  await refuse(100);
  expect(limits.maxPartBytes(5)).toBe(50);
  await refuse(50);
  expect(limits.maxPartBytes(5)).toBe(25);
  // Cooper tries the service's minimum part size before it gives up.
  expect(limits.maxPartBytes(40)).toBe(40);
  expect(limits.maxPartBytes(60)).toBe(49);
});
