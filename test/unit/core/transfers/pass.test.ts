import { expect, test } from 'vitest';
import { failure } from '../../../../shared/errors.ts';
import type { ItemStore } from '../../../../electron/core/transfers/item-store.ts';
import { runPass } from '../../../../electron/core/transfers/pass.ts';
import { newItem, type Item } from '../../../../electron/core/transfers/transfer-job.ts';
import { fakeClock, fixedRandom } from '../../../support/s3-client.ts';

const todo = [0, 1, 2].map((seq) =>
  newItem({ seq, key: `k${seq}`, local: `k${seq}`, kind: 'file', sizeBytes: 1 }),
);

function rig(makeSafe: (items: readonly Item[]) => Promise<void>) {
  const rows = new Map<number, Item>();
  const said: string[] = [];
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
      parallel: 2,
      requestsAtOnce: 2,
      largeAtOnce: 2,
      isLarge: () => false,
      signal: new AbortController().signal,
      work: (item) => Promise.resolve({ ...item, state: 'done' }),
      makeSafe: async (settled) => {
        said.push(`safe: ${settled.map(({ key }) => key).join(' ')}`);
        await makeSafe(settled);
      },
      onMoved: (moved, write) => {
        said.push(`stored: ${moved.done} done, ${moved.failed} failed`);
        write();
      },
    });
  return { rows, said, run };
}

test('items are stored as done only after what they need is on disk', async () => {
  const { said, run } = rig(() => Promise.resolve());
  await run();
  expect(said).toEqual(['safe: k0 k1 k2', 'stored: 3 done, 0 failed']);
});

test('what could not be made safe is stored as failed, never as done', async () => {
  const error = failure('storage', 'The folder is gone.', { reason: 'folder-missing', retry: 'after-fix' });
  const { rows, said, run } = rig(() => Promise.reject(error));
  expect((await run()).error).toMatchObject({ reason: 'folder-missing' });
  expect(said).toEqual(['safe: k0 k1 k2', 'stored: 0 done, 3 failed']);
  expect([...rows.values()].map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
});

test('a full disk ends the pass, and nothing counts as done', async () => {
  const error = failure('storage', 'Full.', { reason: 'disk-full', retry: 'after-fix' });
  const { rows, run } = rig(() => Promise.reject(error));
  await expect(run()).rejects.toBe(error);
  expect(rows.size).toBe(0);
});
