import { expect, test } from 'vitest';
import { always, smallestLimit, slots } from '../../../../electron/core/flow/slots.ts';

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
