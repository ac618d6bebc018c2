import { expect, test, vi, afterEach, beforeEach } from 'vitest';
import type { NetworkInterfaceInfo } from 'node:os';
import {
  networkCheckMs,
  networkKey,
  watchNetwork,
  wakeCheckMs,
  watchSleep,
} from '../../../electron/host/watch-computer.ts';

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

const address = (text: string, internal = false) => ({ address: text, internal }) as NetworkInterfaceInfo;

test('the network key ignores loopback addresses and order', () => {
  const lan = { lo: [address('127.0.0.1', true)], eth0: [address('10.0.0.2'), address('fe80::1')] };
  expect(networkKey(lan)).toBe(networkKey({ eth0: [address('fe80::1'), address('10.0.0.2')] }));
  expect(networkKey({ lo: [address('::1', true)], eth0: undefined })).toBe('');
});

test('a network that appears, vanishes or changes is reported once', () => {
  vi.useFakeTimers();
  let now: Record<string, NetworkInterfaceInfo[]> = {};
  const listener = vi.fn<() => void>();
  const stop = watchNetwork(listener, () => now);
  vi.advanceTimersByTime(networkCheckMs * 3);
  expect(listener).toHaveBeenCalledTimes(0);
  now = { wlan0: [address('10.0.0.2')] };
  vi.advanceTimersByTime(networkCheckMs * 3);
  expect(listener).toHaveBeenCalledTimes(1);
  now = {};
  vi.advanceTimersByTime(networkCheckMs);
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  now = { wlan0: [address('10.0.0.3')] };
  vi.advanceTimersByTime(networkCheckMs * 3);
  expect(listener).toHaveBeenCalledTimes(2);
  vi.useRealTimers();
});
