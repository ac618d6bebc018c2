import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeLocal } from '../../../../electron/core/sync/remove-local.ts';
import type { ItemContext } from '../../../../electron/core/transfers/items/item-context.ts';
import {
  newDownloadItem,
  type DownloadItem,
} from '../../../../electron/core/transfers/items/transfer-item.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** Returns the deletion of a file as two jobs plan it, with a trash whose moves wait until they are released. */
function plannedTwice() {
  const folder = tempDir();
  const file = path.join(folder, 'old.txt');
  writeFileSync(file, 'old');
  const { size, mtimeMs } = statSync(file);
  const target = { sizeBytes: size, modifiedAt: new Date(mtimeMs).toISOString(), etag: null };
  const trashed: PromiseWithResolvers<void>[] = [];
  const trash = async (): Promise<void> => {
    const move = Promise.withResolvers<void>();
    trashed.push(move);
    await move.promise;
    rmSync(file);
  };
  const context = {
    job: { folder },
    deps: { trash },
    signal: new AbortController().signal,
  } as unknown as ItemContext;
  const itemOf = (seq: number): DownloadItem =>
    newDownloadItem({
      seq,
      key: 'old.txt',
      kind: 'file',
      sizeBytes: null,
      localName: 'old.txt',
      sync: { action: 'remove', target, keep: '', isBlocked: false },
    });
  return { file, trashed, remove: async (seq: number) => await removeLocal(context, itemOf(seq)) };
}

test('two jobs that remove one file at once each get their own item, and the file is moved once', async () => {
  const { file, trashed, remove } = plannedTwice();
  const both = Promise.all([remove(3), remove(7)]);
  await expect.poll(() => trashed.length).toBe(1);
  trashed[0]?.resolve();
  expect(await both).toMatchObject([
    { seq: 3, state: 'done', note: 'removed' },
    { seq: 7, state: 'done', note: 'removed' },
  ]);
  expect(trashed).toHaveLength(1);
  expect(existsSync(file)).toBe(false);
});

test('a job whose file another job could not remove tries itself', async () => {
  const { file, trashed, remove } = plannedTwice();
  const first = remove(3);
  const second = remove(7);
  await expect.poll(() => trashed.length).toBe(1);
  trashed[0]?.reject(Object.assign(new Error('no'), { code: 'EPERM' }));
  await expect(first).rejects.toMatchObject({ error: { code: 'storage' } });
  await expect.poll(() => trashed.length).toBe(2);
  trashed[1]?.resolve();
  expect(await second).toMatchObject({ seq: 7, state: 'done' });
  expect(existsSync(file)).toBe(false);
});
