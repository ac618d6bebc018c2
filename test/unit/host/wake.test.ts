import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { wakeCheckMs, watchSleep } from '../../../electron/host/wake.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function watched() {
  let wallMs = 1_000_000;
  let wakes = 0;
  const stop = watchSleep(
    () => wallMs,
    () => (wakes += 1),
  );
  return {
    /** One check, after this much time on the wall clock. */
    look: (passedMs: number) => {
      wallMs += passedMs;
      vi.advanceTimersByTime(wakeCheckMs);
      return wakes;
    },
    stop,
  };
}

test('jobs are looked at again once after each sleep of this computer', () => {
  const { look, stop } = watched();
  expect(look(wakeCheckMs)).toBe(0);
  expect(look(8 * 60 * 60_000)).toBe(1);
  expect(look(wakeCheckMs)).toBe(1);
  expect(look(60_000)).toBe(2);
  stop();
});

test('a busy moment is no sleep, and nothing is told after the end', () => {
  const { look, stop } = watched();
  expect(look(wakeCheckMs + 20_000)).toBe(0);
  stop();
  expect(look(60 * 60_000)).toBe(0);
});
