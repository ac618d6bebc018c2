import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Coalescer, GroupCommit } from '../../../../electron/core/flow/coalescer.ts';
import { manualClock } from '../../../support/core/fake-ports.ts';

/** A store that records what each transaction wrote, and reports a full disk from one of them on. */
function fakeStore(fullFrom = Number.POSITIVE_INFINITY) {
  const committed: number[][] = [];
  let open: number[] | null = null;
  let transactions = 0;
  return {
    committed,
    write: (entry: number) => () => open?.push(entry),
    transaction: <T>(work: () => T): T => {
      transactions += 1;
      open = [];
      const result = work();
      if (transactions >= fullFrom) throw new Error('disk full');
      committed.push(open);
      open = null;
      return result;
    },
  };
}

const never = new AbortController().signal;

describe('the group commit', () => {
  test('resolves each write in order once the group holding it is committed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        async (pauses, maxCommits) => {
          const store = fakeStore();
          const clock = manualClock();
          const commits = new GroupCommit(store, clock, maxCommits);
          const writes = [];
          for (const [entry, pauseMs] of pauses.entries()) {
            writes.push(
              (async () => {
                await commits.write(store.write(entry), never);
                expect(store.committed.flat()).toContain(entry);
              })(),
            );
            await clock.advance(pauseMs);
          }
          await clock.advance(5);
          await Promise.all(writes);
          expect(store.committed.flat()).toEqual(pauses.map((_, entry) => entry));
          expect(store.committed.every((group) => group.length > 0 && group.length <= maxCommits)).toBe(true);
        },
      ),
    );
  });

  test('commits concurrent writes together', async () => {
    const store = fakeStore();
    const clock = manualClock();
    const commits = new GroupCommit(store, clock, 100);
    const writes = Array.from({ length: 60 }, (_, entry) => commits.write(store.write(entry), never));
    await clock.advance(5);
    await Promise.all(writes);
    expect(store.committed).toHaveLength(1);
  });

  test('rejects all writes of a group whose commit fails', async () => {
    const store = fakeStore(1);
    const clock = manualClock();
    const commits = new GroupCommit(store, clock, 2);
    const results = await Promise.allSettled([
      commits.write(store.write(1), never),
      commits.write(store.write(2), never),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(store.committed).toEqual([]);
  });

  test('skips aborted writes, and commits nothing if none is left', async () => {
    const store = fakeStore();
    const clock = manualClock();
    const commits = new GroupCommit(store, clock, 10);
    const stopped = new AbortController();
    const both = Promise.allSettled([
      commits.write(store.write(1), stopped.signal),
      commits.write(store.write(2), never),
    ]);
    stopped.abort(new Error('stopped'));
    await clock.advance(5);
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    const alone = Promise.allSettled([commits.write(store.write(3), stopped.signal)]);
    await clock.advance(5);
    expect((await alone).map(({ status }) => status)).toEqual(['rejected']);
    expect(store.committed).toEqual([[2]]);
  });
});

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
