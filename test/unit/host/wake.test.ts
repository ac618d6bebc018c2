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
    /** Advances the wall clock by this time and runs one check. */
    look: (passedMs: number) => {
      wallMs += passedMs;
      vi.advanceTimersByTime(wakeCheckMs);
      return wakes;
    },
    stop,
  };
}

test('jobs are checked once after each sleep of the computer', () => {
  const { look, stop } = watched();
  expect(look(wakeCheckMs)).toBe(0);
  expect(look(8 * 60 * 60_000)).toBe(1);
  expect(look(wakeCheckMs)).toBe(1);
  expect(look(60_000)).toBe(2);
  stop();
});

test('a short delay is not a sleep, and nothing is reported after the end', () => {
  const { look, stop } = watched();
  expect(look(wakeCheckMs + 20_000)).toBe(0);
  stop();
  expect(look(60 * 60_000)).toBe(0);
});
