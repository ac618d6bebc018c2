import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { RunningRequests } from '../../../../../electron/core/s3/http/request-report.ts';

describe('requests in flight', () => {
  test("abort with the caller's signal and reason", () => {
    const caller = new AbortController();
    const running = new RunningRequests();
    const signal = running.signalFor(caller.signal);
    expect(signal.aborted).toBe(false);
    const reason = new Error('not wanted any more');
    caller.abort(reason);
    expect(signal.reason).toBe(reason);
    expect(running.signalFor(caller.signal).reason).toBe(reason);
    expect(running.signalFor(new AbortController().signal).aborted).toBe(false);
  });

  test('abort when the client closes, including later ones', () => {
    const running = new RunningRequests();
    const signals = [running.signalFor(undefined), running.signalFor(new AbortController().signal)];
    running.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(running.signalFor(undefined).aborted).toBe(true);
    expect(running.signalFor(new AbortController().signal).aborted).toBe(true);
  });

  test("of one caller share one signal and leave no listener on the caller's", () => {
    const caller = new AbortController();
    const running = new RunningRequests();
    const signals = new Set(Array.from({ length: 1000 }, () => running.signalFor(caller.signal)));
    expect(signals.size).toBe(1);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });
});
