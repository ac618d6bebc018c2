import { expect, test, vi } from 'vitest';
import type { NetworkInterfaceInfo } from 'node:os';
import { networkCheckMs, networkKey, watchNetwork } from '../../../electron/host/network.ts';

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
