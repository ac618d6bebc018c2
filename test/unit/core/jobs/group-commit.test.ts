import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GroupCommit } from '../../../../electron/core/jobs/group-commit.ts';
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
