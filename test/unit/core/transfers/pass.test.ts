import { expect, test } from 'vitest';
import type { ErrorReason } from '../../../../shared/error-reasons.ts';
import { failure } from '../../../../shared/errors.ts';
import type { ItemStore } from '../../../../electron/core/transfers/items/item-store.ts';
import { always } from '../../../../electron/core/flow/limits.ts';
import { maxUnsettled, runPass } from '../../../../electron/core/transfers/pass.ts';
import type { Deferred } from '../../../../electron/core/transfers/items/item-context.ts';
import { newDownloadItem, type Item } from '../../../../electron/core/transfers/items/transfer-item.ts';
import { fakeClock, fixedRandom } from '../../../support/servers/s3-client.ts';

const itemsTodo = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, seq) =>
    newDownloadItem({ seq, key: `k${seq}`, localName: `k${seq}`, kind: 'file', sizeBytes: 1 }),
  );

function rig(
  makeSafe: (items: readonly Item[]) => Promise<void>,
  work: (item: Item) => Promise<Item | Deferred> = (item) => Promise.resolve({ ...item, state: 'done' }),
  todo: readonly Item[] = itemsTodo(3),
) {
  const rows = new Map<number, Item>();
  const events: string[] = [];
  const items: Pick<ItemStore, 'due' | 'put' | 'get' | 'nextDueMs'> = {
    due: (_jobId, _nowMs, afterSeq) => todo.filter(({ seq }) => seq > afterSeq),
    put: (_jobId, item) => void rows.set(item.seq, item),
    get: (_jobId, seq) => rows.get(seq) ?? null,
    nextDueMs: () => null,
  };
  const run = async () =>
    await runPass({
      jobId: 'j',
      items: items as ItemStore,
      clock: fakeClock(),
      random: fixedRandom,
      parallel: always(2),
      largeAtOnce: 2,
      isLarge: () => false,
      signal: new AbortController().signal,
      work,
      makeSafe: async (settled) => {
        events.push(`safe: ${settled.map(({ key }) => key).join(' ')}`);
        await makeSafe(settled);
      },
      onMoved: (moved, write) => {
        events.push(`stored: ${moved.done} done, ${moved.failed} failed`);
        write();
      },
    });
  return { rows, said: events, run };
}

test('items are stored as done only after their data is on disk', async () => {
  const { said: events, run } = rig(() => Promise.resolve());
  await run();
  expect(events).toEqual(['safe: k0 k1 k2', 'stored: 3 done, 0 failed']);
});

test('items whose data could not be synced are stored as failed, never as done', async () => {
  const error = failure('storage', 'The folder is gone.', { reason: 'folder-missing', retry: 'after-fix' });
  const { rows, said: events, run } = rig(() => Promise.reject(error));
  expect((await run()).error).toMatchObject({ reason: 'folder-missing' });
  expect(events).toEqual(['safe: k0 k1 k2', 'stored: 0 done, 3 failed']);
  expect([...rows.values()].map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
});

test('a full disk ends the pass without marking anything done', async () => {
  const error = failure('storage', 'Full.', { reason: 'disk-full', retry: 'after-fix' });
  const { rows, run } = rig(() => Promise.reject(error));
  await expect(run()).rejects.toBe(error);
  expect(rows.size).toBe(0);
});

test('the next items start while the last step of an item is in flight, and that item counts as done only after it', async () => {
  const order: string[] = [];
  const disk = Promise.withResolvers<void>();
  const {
    rows,
    said: events,
    run,
  } = rig(
    () => Promise.resolve(),
    (item) => {
      order.push(`begun ${item.key}`);
      if (item.key === 'k2') disk.resolve();
      const finish = async (): Promise<Item> => {
        await disk.promise;
        order.push(`finished ${item.key}`);
        return { ...item, state: 'done' };
      };
      return Promise.resolve({ heldBytes: 1, finish });
    },
  );
  await run();
  expect(order.slice(0, 3)).toEqual(['begun k0', 'begun k1', 'begun k2']);
  expect(events.at(-1)).toBe('stored: 3 done, 0 failed');
  expect(rows.size).toBe(3);
});

const failing = (reason: ErrorReason) =>
  rig(
    () => Promise.resolve(),
    (item) => {
      const thrown = failure('storage', 'No.', { reason, retry: 'after-fix' });
      const finish = (): Promise<Item> =>
        item.key === 'k1' ? Promise.reject(thrown) : Promise.resolve({ ...item, state: 'done' });
      return Promise.resolve({ heldBytes: 1, finish });
    },
  );

test('a failed last step of an item is retried, and a full disk in it ends the pass', async () => {
  const error = failing('folder-unwritable');
  expect((await error.run()).error).toMatchObject({ reason: 'folder-unwritable' });
  expect([...error.rows.values()].map(({ key, state }) => `${key} ${state}`).toSorted()).toEqual([
    'k0 done',
    'k1 failed',
    'k2 done',
  ]);
  await expect(failing('disk-full').run()).rejects.toMatchObject({ error: { reason: 'disk-full' } });
});

test('with a slow disk no more items start than a cancelled job checks for partial files', async () => {
  const disk = Promise.withResolvers<void>();
  let begun = 0;
  const finish = async (item: Item): Promise<Item> => {
    // The first 2,999 results fill the queue of results to store, one less than would block the workers. Later items wait here.
    if (item.seq >= 2999) await disk.promise;
    return { ...item, state: 'done' };
  };
  const { rows, run } = rig(
    () => disk.promise,
    (item) => {
      begun += 1;
      return Promise.resolve({ heldBytes: 1, finish: async () => await finish(item) });
    },
    itemsTodo(2 * maxUnsettled),
  );
  const ended = run();
  for (let before = -1; before !== begun;) {
    before = begun;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toBeGreaterThan(maxUnsettled - 250);
  expect(begun).toBeLessThanOrEqual(maxUnsettled);
  disk.resolve();
  await ended;
  expect(rows.size).toBe(2 * maxUnsettled);
});
