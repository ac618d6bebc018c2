import { expect, test } from 'vitest';
import { slots } from '../../../../electron/core/flow/slots.ts';

test('so many at a time, in their order, also when some fail; whoever is stopped while waiting does not begin', async () => {
  const inSlot = slots(3);
  const stopped = new AbortController();
  const never = new AbortController().signal;
  const begun: number[] = [];
  let underWay = 0;
  const works = Array.from({ length: 20 }, async (_, index) => {
    const signal = index === 10 ? stopped.signal : never;
    return await inSlot(signal, async () => {
      begun.push(index);
      underWay += 1;
      expect(underWay).toBeLessThanOrEqual(3);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      underWay -= 1;
      if (index % 4 === 0) throw new Error('failed');
    });
  });
  stopped.abort(new Error('stopped'));
  const results = await Promise.allSettled(works);
  expect(begun).toEqual(Array.from({ length: 20 }, (_, index) => index).filter((index) => index !== 10));
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(6);
});
