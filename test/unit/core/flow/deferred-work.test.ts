import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeferredWork } from '../../../../electron/core/flow/deferred-work.ts';

test('deferred work starts only within the limits of count and bytes, and all of it is done', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ bytes: fc.integer({ min: 0, max: 10 }), ticks: fc.integer({ min: 0, max: 5 }) }), {
        maxLength: 40,
      }),
      async (all) => {
        const deferred = new DeferredWork(4, 20);
        let items = 0;
        let held = 0;
        let done = 0;
        for (const { bytes, ticks } of all) {
          expect(items).toBeLessThan(4);
          expect(held).toBeLessThan(20);
          await deferred.begin(bytes, async () => {
            items += 1;
            held += bytes;
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
            items -= 1;
            held -= bytes;
            done += 1;
          });
        }
        await deferred.idle();
        expect([items, held, done]).toEqual([0, 0, all.length]);
      },
    ),
  );
});

test('deferred work reports a failure after everything in flight has ended', async () => {
  const deferred = new DeferredWork(4, 20);
  const slow = Promise.withResolvers<void>();
  const ended: string[] = [];
  await deferred.begin(1, () => Promise.reject(new Error('first')));
  await deferred.begin(1, async () => {
    await slow.promise;
    ended.push('slow');
  });
  const idle = deferred.idle();
  slow.resolve();
  await expect(idle).rejects.toThrow('first');
  expect(ended).toEqual(['slow']);
});
