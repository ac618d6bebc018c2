import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryBudget } from '../../../../electron/core/transfers/memory-budget.ts';

const never = new AbortController().signal;

test('no more is held at once than there is, nobody overtakes, and all get their turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 1, maxLength: 40 }),
      async (sizes) => {
        const budget = new MemoryBudget(10);
        let held = 0;
        const begun: number[] = [];
        const work = async (bytes: number, index: number): Promise<void> => {
          const giveBack = await budget.take(bytes, never);
          begun.push(index);
          held += bytes;
          expect(held).toBeLessThanOrEqual(10);
          await Promise.resolve();
          held -= bytes;
          giveBack();
        };
        await Promise.all(sizes.map(work));
        expect(begun).toEqual(sizes.map((_, index) => index));
      },
    ),
  );
});

test('more than there is in all is given alone', async () => {
  const budget = new MemoryBudget(10);
  const giveBack = await budget.take(25, never);
  const begun: string[] = [];
  const waiting = budget.take(1, never).finally(() => begun.push('second'));
  await Promise.resolve();
  expect(begun).toEqual([]);
  giveBack();
  (await waiting)();
  expect(begun).toEqual(['second']);
});

test('who is stopped while it waits holds nothing, and those behind it go on', async () => {
  const budget = new MemoryBudget(10);
  const stop = new AbortController();
  const giveBack = await budget.take(6, never);
  const large = budget.take(9, stop.signal);
  const small = budget.take(4, never);
  stop.abort(new Error('stop'));
  await expect(large).rejects.toThrow('stop');
  (await small)();
  giveBack();
  (await budget.take(10, never))();
  await expect(budget.take(1, stop.signal)).rejects.toThrow('stop');
});
