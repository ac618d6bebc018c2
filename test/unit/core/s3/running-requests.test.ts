import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { RunningRequests } from '../../../../electron/core/s3/running-requests.ts';

describe('requests under way', () => {
  test('abort with the caller’s signal, and with its reason', () => {
    const caller = new AbortController();
    const running = new RunningRequests();
    const { signal } = running.begin(caller.signal);
    expect(signal.aborted).toBe(false);
    const reason = new Error('not wanted any more');
    caller.abort(reason);
    expect(signal.reason).toBe(reason);
    expect(running.begin(caller.signal).signal.reason).toBe(reason);
  });

  test('abort when the client is closed, those that come later too', () => {
    const running = new RunningRequests();
    const [one, other] = [running.begin(undefined), running.begin(new AbortController().signal)];
    running.abort();
    expect([one.signal.aborted, other.signal.aborted]).toEqual([true, true]);
    expect(running.begin(undefined).signal.aborted).toBe(true);
  });

  test('leave nothing in the caller’s signal when they are over', () => {
    const caller = new AbortController();
    const running = new RunningRequests();
    const requests = Array.from({ length: 5 }, () => running.begin(caller.signal));
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(5);
    for (const { release } of requests) release();
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
    caller.abort();
    expect(requests.some(({ signal }) => signal.aborted)).toBe(false);
  });
});
