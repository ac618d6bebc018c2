import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Coalescer } from '../../../../electron/core/flow/coalescer.ts';

describe('the coalescer', () => {
  test('sends each entry once within the limits of size and concurrency and returns each its own result', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 30 }),
        async (count, size, atOnce, workers) => {
          const sent: number[][] = [];
          let inFlight = 0;
          const batches = new Coalescer<number, string>({
            size,
            atOnce,
            send: async (entries) => {
              inFlight += 1;
              expect(inFlight).toBeLessThanOrEqual(atOnce);
              expect(entries.length).toBeLessThanOrEqual(size);
              sent.push([...entries]);
              await new Promise((resolve) => {
                setImmediate(resolve);
              });
              inFlight -= 1;
              return entries.map((entry) => `r${entry}`);
            },
          });
          const queue = Array.from({ length: count }, (_, index) => index).values();
          const worker = async (): Promise<void> => {
            for (const entry of queue) expect(await batches.add(entry)).toBe(`r${entry}`);
          };
          await Promise.all(Array.from({ length: workers }, worker));
          expect(sent.flat().toSorted((a, b) => a - b)).toEqual(
            Array.from({ length: count }, (_, index) => index),
          );
        },
      ),
    );
  });

  test('fills requests up to the limit when many callers wait', async () => {
    const sizes: number[] = [];
    const batches = new Coalescer<number, number>({
      size: 1000,
      atOnce: 3,
      send: (entries) => {
        sizes.push(entries.length);
        return Promise.resolve(entries);
      },
    });
    await Promise.all(Array.from({ length: 2500 }, async (_, index) => await batches.add(index)));
    expect(sizes).toEqual([1000, 1000, 500]);
  });

  test('rejects only the callers of the failed request', async () => {
    const batches = new Coalescer<number, number>({
      size: 2,
      atOnce: 1,
      send: (entries) => (entries.includes(1) ? Promise.reject(new Error('no')) : Promise.resolve(entries)),
    });
    const ends = await Promise.allSettled([0, 1, 2, 3].map(async (entry) => await batches.add(entry)));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  });
});
