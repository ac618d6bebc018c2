import { expect, test } from 'vitest';
import { isSimplifiedByBrowsers, qrPath, secondsOf } from '../../../../renderer/features/links/link-model.ts';

test('a link lasts between one minute and seven days', () => {
  expect(secondsOf({ days: 7, hours: 0, minutes: 0 })).toBe(604_800);
  expect(secondsOf({ days: 7, hours: 0, minutes: 1 })).toBeNull();
  expect(secondsOf({ days: 0, hours: 0, minutes: 0 })).toBeNull();
});

test('keys whose path a browser would normalise are recognised', () => {
  expect(isSimplifiedByBrowsers('a/../b')).toBe(true);
  expect(isSimplifiedByBrowsers('./a')).toBe(true);
  expect(isSimplifiedByBrowsers('a..b/c.')).toBe(false);
});

test('a QR path draws every dark module once', () => {
  const dark = new Set(['0,0', '1,0', '3,0', '2,2', '3,2']);
  const path = qrPath(4, (x, y) => dark.has(`${x},${y}`));
  expect(path).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM2 2h2v1h-2z');
});
