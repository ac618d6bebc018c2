import { expect, test } from 'vitest';
import { createLimiter } from '../../../../electron/core/flow/bandwidth.ts';
import { failure } from '../../../../shared/errors.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';

test('an aborted caller leaves the bandwidth queue at once and delays no other', async () => {
  const clock = manualClock();
  const limiter = createLimiter(clock, () => 1000);
  const stop = new AbortController();
  await limiter.take(60_000, stop.signal);
  const waiting = limiter.take(60_000, stop.signal);
  expect(clock.sleepers).toBe(1);
  stop.abort(failure('cancelled', 'stopped'));
  await expect(waiting).rejects.toMatchObject({ error: { code: 'cancelled' } });
  expect(clock.sleepers).toBe(0);
});

test('bytes pass at the rate in force when they are sent', async () => {
  const clock = manualClock();
  let rate: number | null = 1000;
  const limiter = createLimiter(clock, () => rate);
  const { signal } = new AbortController();
  const passed: number[] = [];
  const take = (bytes: number) =>
    limiter.take(bytes, signal).then(() => {
      passed.push(clock.monotonicMs());
      return undefined;
    });
  const all = [take(1000), take(1000), take(1000)];
  await clock.advance(5000);
  rate = null;
  all.push(take(1_000_000));
  await Promise.all(all);
  expect(passed).toEqual([0, 1000, 2000, 5000]);
});
