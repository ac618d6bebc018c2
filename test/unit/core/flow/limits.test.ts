import { expect, test } from 'vitest';
import { always, smallestLimit, slots, createLimiter } from '../../../../electron/core/flow/limits.ts';
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

test('slots run tasks in order within the limit, also after failures, and never start an aborted one', async () => {
  const inSlot = slots(always(3));
  const stopped = new AbortController();
  const never = new AbortController().signal;
  const begun: number[] = [];
  let inFlight = 0;
  const works = Array.from({ length: 20 }, async (_, index) => {
    const signal = index === 10 ? stopped.signal : never;
    return await inSlot(signal, async () => {
      begun.push(index);
      inFlight += 1;
      expect(inFlight).toBeLessThanOrEqual(3);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      inFlight -= 1;
      if (index % 4 === 0) throw new Error('failed');
    });
  });
  stopped.abort(new Error('stopped'));
  const results = await Promise.allSettled(works);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index).filter((index) => index !== 10));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(6);
});

test('slots start more tasks after the limit grows, and fewer after it shrinks', async () => {
  const limit = { limit: 1, maxLimit: 8 };
  const inSlot = slots(limit);
  const never = new AbortController().signal;
  let inFlight = 0;
  let maxInFlight = 0;
  const ends: (() => void)[] = [];
  const works = Array.from({ length: 12 }, async () => {
    await inSlot(never, async () => {
      inFlight += 1;
      maxInFlight = Math.max(maxInFlight, inFlight);
      await new Promise<void>((resolve) => ends.push(resolve));
      inFlight -= 1;
    });
  });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  };
  await endOne();
  expect(inFlight).toBe(1);
  limit.limit = 4;
  await endOne();
  expect(inFlight).toBe(4);
  limit.limit = 2;
  await endOne();
  await endOne();
  expect(inFlight).toBe(2);
  while (ends.length > 0) await endOne();
  await Promise.all(works);
  expect(maxInFlight).toBe(4);
});

test('the smaller of two limits applies, also after they change', () => {
  const left = { limit: 4, maxLimit: 8 };
  const other = { limit: 6, maxLimit: 7 };
  const both = smallestLimit(left, other);
  expect([both.limit, both.maxLimit]).toEqual([4, 7]);
  left.limit = 8;
  expect(both.limit).toBe(6);
});
