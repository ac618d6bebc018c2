import { describe, expect, test } from 'vitest';
import { parseCount, shownSpeed, speedFrom } from '../../../../../renderer/ui/words/typed-numbers.ts';

describe('a typed speed limit', () => {
  test('is read in MiB a second, with a point or a comma', () => {
    expect(speedFrom('1.5')).toBe(1.5 * 1024 ** 2);
    expect(speedFrom(' 0,5 ')).toBe(512 * 1024);
  });

  test('is never below 1 KiB a second, and no limit if the field is empty', () => {
    expect(speedFrom('0.0001')).toBe(1024);
    expect(speedFrom(' ')).toBeNull();
  });

  test('is refused if it is no number above 0', () => {
    for (const wrong of ['0', '-2', 'fast', 'Infinity']) expect(speedFrom(wrong)).toBe('invalid');
  });

  test('is shown as it was typed', () => {
    for (const typed of ['1', '0.5', '12.25']) expect(shownSpeed(Number(speedFrom(typed)))).toBe(typed);
    expect(shownSpeed(null)).toBe('');
  });
});

test('a typed number of parallel transfers or parts is accepted only from 1 to 64', () => {
  expect(parseCount('64')).toBe(64);
  for (const wrong of ['', '0', '65', '2.5', 'two']) expect(parseCount(wrong)).toBeNull();
});
