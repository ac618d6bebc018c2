import { expect, test } from 'vitest';
import { mayReload } from '../../../../electron/desktop/windows/crash-policy.ts';

test('a crashed window is reloaded, but not in a loop', () => {
  const crashes: number[] = [];
  const crash = (atMs: number): boolean => {
    const again = mayReload(crashes, atMs);
    crashes.push(atMs);
    return again;
  };
  expect([0, 1000, 2000, 3000].map(crash)).toEqual([true, true, true, false]);
  expect(crash(120_000)).toBe(true);
});
