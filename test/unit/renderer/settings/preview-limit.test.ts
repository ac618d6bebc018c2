import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { limitFrom, mebibytesOf } from '../../../../renderer/features/settings/preview-limit.ts';

it('a preview limit is parsed as whole or fractional MiB, and nothing else', () => {
  expect(limitFrom(20)).toBe(20 * 1024 * 1024);
  expect(limitFrom('1.5')).toBe(1_572_864);
  expect(limitFrom(0)).toBe(0);
  expect(limitFrom('')).toBeNull();
  expect(limitFrom(-1)).toBeNull();
  expect(limitFrom(1e300)).toBeNull();
});

it('a preview limit is shown as it was typed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (mebibytes) => {
      expect(mebibytesOf(limitFrom(mebibytes) ?? -1)).toBe(mebibytes);
    }),
  );
});
