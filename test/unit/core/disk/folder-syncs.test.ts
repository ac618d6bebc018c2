import { expect, test } from 'vitest';
import { FolderSyncs, KnownFolders } from '../../../../electron/core/disk/folder-syncs.ts';

test('concurrent requests share one folder fsync that starts after them', async () => {
  const begun: (() => void)[] = [];
  const syncs = new FolderSyncs(async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    begun.push(resolve);
    await promise;
  });
  const ended: string[] = [];
  const ask = async (name: string): Promise<void> => {
    await syncs.sync('/folder');
    ended.push(name);
  };
  const first = ask('first');
  await Promise.resolve();
  const second = ask('second');
  const third = ask('third');
  await Promise.resolve();
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await first;
  expect(ended).toEqual(['first']);
  await Promise.resolve();
  expect(begun).toHaveLength(2);
  begun[1]?.();
  await Promise.all([second, third]);
  expect(ended).toEqual(['first', 'second', 'third']);
});

test('a failed folder fsync fails only the callers that waited for it', async () => {
  let count = 0;
  const syncs = new FolderSyncs(async () => {
    count += 1;
    await Promise.resolve();
    if (count === 1) throw new Error('EIO');
  });
  await expect(syncs.sync('/folder')).rejects.toThrow('EIO');
  await expect(syncs.sync('/folder')).resolves.toBeUndefined();
});

test('a known folder is checked again after a second', async () => {
  const known = new KnownFolders();
  let looks = 0;
  const make = async () => {
    looks += 1;
    return await Promise.resolve({ path: '/a', isNew: false });
  };
  for (const nowMs of [0, 10, 999, 1001]) await known.ensure('/a', nowMs, make);
  expect(looks).toBe(2);
});

const made = (isNew: boolean) => () => Promise.resolve({ path: '/a', isNew });

test('a folder created in this run counts as created here, also for callers that found it existing', async () => {
  const known = new KnownFolders();
  const together = [known.ensure('/a', 0, made(true)), known.ensure('/a', 0, made(false))];
  for (const folder of await Promise.all(together))
    expect(folder).toMatchObject({ path: '/a', isCreatedByJob: true });
  expect(await known.ensure('/a', 500, made(false))).toMatchObject({ isCreatedByJob: true });
  expect(await known.ensure('/a', 5000, made(false))).toMatchObject({ isCreatedByJob: true });
  expect(await known.ensure('/b', 0, made(false))).toMatchObject({ isCreatedByJob: false });
});

test('concurrent callers share one folder check, and a failed check is not cached', async () => {
  const known = new KnownFolders();
  const looks: PromiseWithResolvers<{ path: string; isNew: boolean }>[] = [];
  const make = () => {
    const look = Promise.withResolvers<{ path: string; isNew: boolean }>();
    looks.push(look);
    return look.promise;
  };
  const failing = [known.ensure('/a', 0, make), known.ensure('/a', 0, make)];
  expect(looks).toHaveLength(1);
  looks[0]?.reject(new Error('full'));
  for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected');
  const next = known.ensure('/a', 0, make);
  looks[1]?.resolve({ path: '/a', isNew: true });
  await expect(next).resolves.toMatchObject({ isCreatedByJob: true });
});
