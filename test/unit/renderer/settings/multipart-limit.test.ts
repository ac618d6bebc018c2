import { expect, test } from 'vitest';
import { multipartFrom } from '../../../../renderer/features/settings/multipart-limit.ts';

test('a size from 5 MiB to 5 GiB is taken, and nothing else', () => {
  expect(multipartFrom(5)).toBe(5 * 1024 ** 2);
  expect(multipartFrom('5120')).toBe(5 * 1024 ** 3);
  for (const typed of [4, 5121, 5.5, '', ' ', 'many']) expect(multipartFrom(typed)).toBeNull();
});
