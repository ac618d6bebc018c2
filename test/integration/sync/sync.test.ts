import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makePlan, runPlan } from '../../support/core/sync-rig.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { type TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import type { ConflictAction } from '../../../shared/models/transfers.ts';
import { bytesOf, KiB, smallestPart } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});
beforeEach(() => {
  rig.trash = null;
  rig.folds = false;
});

const at = 1_700_000_000.123;

function write(dir: string, name: string, bytes: Buffer | string, seconds = at): string {
  const file = path.join(dir, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  utimesSync(file, seconds, seconds);
  return file;
}

/** Returns the text of a downloaded file. */
function readFetched(name: string): string {
  return readFileSync(path.join(rig.fetchDir, name), 'utf8');
}

/** Returns a job in which `b.txt` failed once and the user allowed replacing, for `a.txt` and all others. */
async function failedAndAllowed(action: ConflictAction, sizeBytes: number): Promise<string> {
  write(rig.sendDir, 'a.txt', 'mine', Date.now() / 1000 + 1000);
  write(rig.sendDir, 'b.txt', 'x'.repeat(sizeBytes), Date.now() / 1000 + 1000);
  await rig.put('a.txt', Buffer.from('seen'));
  await rig.put('b.txt', Buffer.from('seen, too'));
  const plan = await makePlan(rig, 'up', rig.sendDir, '');
  await rig.put('a.txt', Buffer.from('changed'));
  const refused = { kind: 'status', status: 403, code: 'AccessDenied' } as const;
  for (const operation of ['PutObject', 'CreateMultipartUpload'] as const)
    rig.service.faults.add({ operation, key: 'b.txt', action: refused });
  const jobId = (await runPlan(rig, plan, false)) ?? '';
  expect(rig.items(jobId).map(({ key, state }) => `${state} ${key}`)).toEqual([
    'asking a.txt',
    'failed b.txt',
  ]);
  rig.transfers.answer(jobId, [{ seq: null, action }]);
  await rig.settle(jobId);
  expect((await rig.object('a.txt'))?.toString()).toBe('mine');
  rig.service.faults.clear();
  return jobId;
}

describe('syncing up', () => {
  test('sends everything first, nothing the second time, and then only changes', async () => {
    write(rig.sendDir, 'a.txt', 'aaa');
    write(rig.sendDir, 'b/large.bin', bytesOf(300 * KiB, 1));
    write(rig.sendDir, 'b/c.txt', 'ccc');
    mkdirSync(path.join(rig.sendDir, 'empty'));
    const first = await makePlan(rig, 'up', rig.sendDir, 'p/');
    expect(first.changes).toEqual(['copy a.txt', 'copy b/c.txt', 'copy b/large.bin', 'copy empty/']);
    expect(await rig.keys(), 'a plan changes nothing').toEqual([]);
    const jobId = await runPlan(rig, first, false);
    expect(rig.uploads.jobs.job(jobId ?? '')).toMatchObject({ kind: 'upload', state: 'done' });
    expect(await rig.keys()).toEqual(['p/a.txt', 'p/b/c.txt', 'p/b/large.bin', 'p/empty/']);

    const second = await makePlan(rig, 'up', rig.sendDir, 'p/');
    expect(second.changes).toEqual([]);
    expect(await runPlan(rig, second, true)).toBe(null);

    write(rig.sendDir, 'a.txt', 'longer', at + 10);
    write(rig.sendDir, 'b/c.txt', 'CCC', at + 20);
    write(rig.sendDir, 'new.txt', 'new');
    const third = await makePlan(rig, 'up', rig.sendDir, 'p/');
    expect(third.changes).toEqual(['overwrite a.txt size', 'overwrite b/c.txt time', 'copy new.txt']);
    const again = await runPlan(rig, third, false);
    expect(rig.items(again ?? '').map(({ key, state }) => `${state} ${key}`)).toEqual([
      'done p/new.txt',
      'done p/a.txt',
      'done p/b/c.txt',
    ]);
    expect((await rig.object('p/b/c.txt'))?.toString()).toBe('CCC');
    expect((await makePlan(rig, 'up', rig.sendDir, 'p/')).changes).toEqual([]);
  });

  test('a file with another time and the same bytes only updates its time', async () => {
    write(rig.sendDir, 'a.txt', 'aaa');
    await runPlan(rig, await makePlan(rig, 'up', rig.sendDir, ''), false);
    write(rig.sendDir, 'a.txt', 'aaa', at + 100);
    const plan = await makePlan(rig, 'up', rig.sendDir, '');
    expect(plan.changes).toEqual(['overwrite a.txt time']);
    expect((await makePlan(rig, 'up', rig.sendDir, '', 'hash')).changes).toEqual([]);
    await runPlan(rig, plan, false);
    expect((await makePlan(rig, 'up', rig.sendDir, '')).changes).toEqual([]);
  });

  test('by hash finds changes that size and time hide, also in multipart objects', async () => {
    write(rig.sendDir, 'a.txt', 'aaa');
    write(rig.sendDir, 'large.bin', bytesOf(300 * KiB, 1));
    await runPlan(rig, await makePlan(rig, 'up', rig.sendDir, ''), false);
    expect((await makePlan(rig, 'up', rig.sendDir, '', 'hash')).changes).toEqual([]);
    write(rig.sendDir, 'a.txt', 'bbb');
    expect((await makePlan(rig, 'up', rig.sendDir, '')).changes).toEqual([]);
    const plan = await makePlan(rig, 'up', rig.sendDir, '', 'hash');
    expect(plan.changes).toEqual(['overwrite a.txt hash']);
    await runPlan(rig, plan, false);
    expect((await rig.object('a.txt'))?.toString()).toBe('bbb');
    // The multipart ETag of other content matches no usual part size, so hashes cannot be compared, and the plan reports that.
    write(rig.sendDir, 'large.bin', bytesOf(300 * KiB, 2));
    const unsure = await makePlan(rig, 'up', rig.sendDir, '', 'hash');
    expect(unsure.changes).toEqual([]);
    expect(unsure.status.byTime).toBe(1);
  });

  test('deletes only if confirmed, only the confirmed number and only below the prefix', async () => {
    for (const key of ['p/', 'p/old.txt', 'p/dir/', 'p/dir/x', 'p', 'p0', 'q/other'])
      await rig.put(key, Buffer.from(key === 'p/' || key === 'p/dir/' ? '' : key));
    write(rig.sendDir, 'new.txt', 'new');
    const plan = await makePlan(rig, 'up', rig.sendDir, 'p/');
    expect(plan.changes).toEqual(['delete dir/', 'delete dir/x', 'copy new.txt', 'delete old.txt']);
    await expect(rig.syncs.run(plan.planId, true, 2)).rejects.toMatchObject({
      error: { code: 'invalid-argument', reason: 'count-differs' },
    });
    const upJob = await runPlan(rig, plan, false);
    expect(rig.uploads.jobs.job(upJob ?? '')?.sync).toEqual({ removed: 0, unchanged: 0, skipped: 0 });
    expect(await rig.keys()).toEqual([
      'p',
      'p/',
      'p/dir/',
      'p/dir/x',
      'p/new.txt',
      'p/old.txt',
      'p0',
      'q/other',
    ]);
    const jobId = await runPlan(rig, await makePlan(rig, 'up', rig.sendDir, 'p/'), true);
    expect(rig.uploads.jobs.job(jobId ?? '')).toMatchObject({
      kind: 'delete',
      state: 'done',
      items: { done: 3 },
      sync: { removed: 3, unchanged: 1, skipped: 0 },
    });
    expect(await rig.keys()).toEqual(['p', 'p/', 'p/new.txt', 'p0', 'q/other']);
  });

  test('neither replaces nor deletes what changed on the service since the plan', async () => {
    write(rig.sendDir, 'a.txt', 'local');
    write(rig.sendDir, 'n.txt', 'mine');
    await rig.put('a.txt', Buffer.from('seen'));
    await rig.put('old.txt', Buffer.from('seen'));
    const plan = await makePlan(rig, 'up', rig.sendDir, '');
    expect(plan.changes).toEqual(['overwrite a.txt size', 'copy n.txt', 'delete old.txt']);
    await rig.put('a.txt', Buffer.from('other'));
    await rig.put('n.txt', Buffer.from('theirs'));
    await rig.put('old.txt', Buffer.from('changed'));
    const jobId = (await runPlan(rig, plan, true)) ?? '';
    expect(rig.uploads.jobs.job(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect((await rig.object('a.txt'))?.toString()).toBe('other');
    expect((await rig.object('n.txt'))?.toString()).toBe('theirs');
    expect((await rig.object('old.txt'))?.toString(), 'nothing is deleted while something asks').toBe(
      'changed',
    );
    rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
    await rig.settle(jobId);
    expect((await rig.object('a.txt'))?.toString()).toBe('local');
    expect((await rig.object('n.txt'))?.toString()).toBe('mine');
    expect((await rig.object('old.txt'))?.toString()).toBe('changed');
    expect(rig.items(jobId).find(({ key }) => key === 'old.txt')).toMatchObject({
      state: 'skipped',
      note: 'changed-since',
    });
  });

  test.each([
    ['putObject', 100],
    ['completeMultipartUpload', 3 * smallestPart],
  ] as const)(
    'does not replace a change made just before %s without confirmation',
    async (operation, size) => {
      write(rig.sendDir, 'a.txt', 'x'.repeat(size));
      await rig.put('a.txt', Buffer.from('seen'));
      const plan = await makePlan(rig, 'up', rig.sendDir, '');
      rig.writtenBefore(operation, 'a.txt', Buffer.from('changed'));
      const jobId = (await runPlan(rig, plan, true)) ?? '';
      expect((await rig.object('a.txt'))?.toString()).toBe('changed');
      expect(rig.items(jobId)).toMatchObject([{ state: 'asking', target: { sizeBytes: 7 } }]);
      rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect((await rig.object('a.txt'))?.byteLength).toBe(size);
    },
  );

  describe('after the user allowed replacing all existing items', () => {
    test.each([
      ['overwrite', 100],
      ['newer', 100],
      ['overwrite', 3 * smallestPart],
      ['newer', 3 * smallestPart],
    ] as const)(
      'under %s asks about a file of %i bytes whose object differs from the plan',
      async (action, sizeBytes) => {
        const jobId = await failedAndAllowed(action, sizeBytes);
        await rig.put('b.txt', Buffer.from('changed'));
        rig.transfers.retryFailed(jobId);
        expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
        expect((await rig.object('b.txt'))?.toString()).toBe('changed');
        rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
        expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
        expect((await rig.object('b.txt'))?.byteLength).toBe(sizeBytes);
      },
    );

    test('asks about an object that changes just before it is replaced', async () => {
      const jobId = await failedAndAllowed('overwrite', 100);
      rig.writtenBefore('putObject', 'b.txt', Buffer.from('changed'));
      rig.transfers.retryFailed(jobId);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
      expect((await rig.object('b.txt'))?.toString()).toBe('changed');
    });

    test('replaces an object that is as planned', async () => {
      const jobId = await failedAndAllowed('overwrite', 100);
      rig.transfers.retryFailed(jobId);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect((await rig.object('b.txt'))?.byteLength).toBe(100);
    });

    test('uploads a file whose planned object was deleted meanwhile', async () => {
      const jobId = await failedAndAllowed('overwrite', 100);
      await rig.client.deleteObject({ bucket: rig.bucket, key: 'b.txt' });
      rig.transfers.retryFailed(jobId);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect((await rig.object('b.txt'))?.byteLength).toBe(100);
    });
  });

  test('keeps an object that changes just before its deletion', async () => {
    await rig.put('old.txt', Buffer.from('seen'));
    const plan = await makePlan(rig, 'up', rig.sendDir, '');
    rig.writtenBefore('deleteObjects', 'old.txt', Buffer.from('changed'));
    const jobId = (await runPlan(rig, plan, true)) ?? '';
    expect((await rig.object('old.txt'))?.toString()).toBe('changed');
    expect(rig.items(jobId)).toMatchObject([{ state: 'skipped', note: 'changed-since' }]);
  });

  test.each(['ignored', 'refused'] as const)(
    'replaces and deletes as planned if conditions are %s',
    async (conditionalWrites) => {
      rig.service.quirks.conditionalWrites = conditionalWrites;
      write(rig.sendDir, 'a.txt', 'mine');
      await rig.put('a.txt', Buffer.from('as seen'));
      await rig.put('old.txt', Buffer.from('seen'));
      const plan = await makePlan(rig, 'up', rig.sendDir, '');
      const jobId = (await runPlan(rig, plan, true)) ?? '';
      expect(rig.uploads.jobs.job(jobId)).toMatchObject({ state: 'done' });
      expect(await rig.keys()).toEqual(['a.txt']);
      expect((await rig.object('a.txt'))?.toString()).toBe('mine');
    },
  );

  test('does not delete the objects of unreadable local files', async () => {
    symlinkSync(path.join(rig.dir, 'nowhere'), path.join(rig.sendDir, 'link'));
    await rig.put('link/inner', Buffer.from('x'));
    await rig.put('gone', Buffer.from('x'));
    const plan = await makePlan(rig, 'up', rig.sendDir, '');
    expect(plan.changes).toEqual(['delete gone', 'skipped link unreadable', 'skipped link/inner unreadable']);
    await runPlan(rig, plan, true);
    expect(await rig.keys()).toEqual(['link/inner']);
  });

  test('from a missing folder plans no deletions', async () => {
    await rig.put('a', Buffer.from('x'));
    rmSync(rig.sendDir, { recursive: true });
    const plan = await makePlan(rig, 'up', rig.sendDir, '');
    expect(plan.status).toMatchObject({ state: 'failed', error: { reason: 'folder-missing' } });
    await expect(rig.syncs.run(plan.planId, true, 0)).rejects.toMatchObject({
      error: { reason: 'plan-incomplete' },
    });
  });
});

/** Returns a job in which `b.txt` failed once and the user allowed replacing, for `a.txt` and all others. */
async function failedDownAndAllowed(action: ConflictAction): Promise<string> {
  write(rig.fetchDir, 'a.txt', 'seen');
  write(rig.fetchDir, 'b.txt', 'seen');
  await rig.put('a.txt', Buffer.from('theirs'));
  await rig.put('b.txt', Buffer.from('theirs'));
  const plan = await makePlan(rig, 'down', rig.fetchDir, '');
  write(rig.fetchDir, 'a.txt', 'changed');
  const refused = { kind: 'status', status: 403, code: 'AccessDenied' } as const;
  rig.service.faults.add({ operation: 'GetObject', key: 'b.txt', action: refused });
  const jobId = (await runPlan(rig, plan, false)) ?? '';
  expect(rig.items(jobId).map(({ key, state }) => `${state} ${key}`)).toEqual([
    'asking a.txt',
    'failed b.txt',
  ]);
  rig.transfers.answer(jobId, [{ seq: null, action }]);
  await rig.settle(jobId);
  expect(readFetched('a.txt')).toBe('theirs');
  rig.service.faults.clear();
  return jobId;
}

describe('syncing down', () => {
  test('downloads everything first, nothing the second time, and then only changes', async () => {
    await rig.put('p/a.txt', Buffer.from('aaa'), { mtime: '1600000000.5' });
    await rig.put('p/b/large.bin', bytesOf(300 * KiB, 1));
    await rig.put('p/b/', Buffer.alloc(0));
    await rig.put('p/empty/', Buffer.alloc(0));
    await rig.put('p/..', Buffer.from('dots'));
    const first = await makePlan(rig, 'down', rig.fetchDir, 'p/');
    expect(first.changes).toEqual(['copy ..', 'copy a.txt', 'copy b/', 'copy b/large.bin', 'copy empty/']);
    expect(treeOf(rig.fetchDir).size, 'a plan changes nothing').toBe(0);
    await runPlan(rig, first, false);
    expect([...treeOf(rig.fetchDir).keys()]).toEqual(['a.txt', 'b/large.bin', 'empty', '‛2E‛2E']);
    expect((await makePlan(rig, 'down', rig.fetchDir, 'p/')).changes).toEqual([]);

    await rig.put('p/a.txt', Buffer.from('bbb'), { mtime: '1600000100' });
    await rig.put('p/new', Buffer.from('new'));
    const third = await makePlan(rig, 'down', rig.fetchDir, 'p/');
    expect(third.changes).toEqual(['overwrite a.txt time', 'copy new']);
    await runPlan(rig, third, false);
    expect(readFileSync(path.join(rig.fetchDir, 'a.txt'), 'utf8')).toBe('bbb');
    expect((await makePlan(rig, 'down', rig.fetchDir, 'p/')).changes).toEqual([]);
  });

  test('with deletions makes the folders equal, also if a file is in the way of a folder', async () => {
    await rig.put('way/inner', Buffer.from('x'));
    await rig.put('flat', Buffer.from('y'));
    await rig.put('kept/', Buffer.alloc(0));
    write(rig.fetchDir, 'way', 'a file');
    write(rig.fetchDir, 'flat/deep/file', 'a folder');
    write(rig.fetchDir, 'kept/extra', 'extra');
    write(rig.fetchDir, 'old/tree/file', 'old');
    const plan = await makePlan(rig, 'down', rig.fetchDir, '');
    expect(plan.changes).toEqual([
      'copy flat needs-deletion',
      'delete flat/deep/file',
      'delete kept/extra',
      'delete old/tree/file',
      'delete way',
      'copy way/inner needs-deletion',
    ]);
    expect(await runPlan(rig, plan, false), 'without deletions there is nothing to do').toBe(null);
    await runPlan(rig, await makePlan(rig, 'down', rig.fetchDir, ''), true);
    expect([...treeOf(rig.fetchDir).keys()]).toEqual(['flat', 'kept', 'way/inner']);
    expect((await makePlan(rig, 'down', rig.fetchDir, '')).changes).toEqual([]);
  });

  describe('after the user allowed replacing all existing files', () => {
    test.each(['overwrite', 'newer'] as const)(
      'under %s asks about a file that differs from the plan',
      async (action) => {
        const jobId = await failedDownAndAllowed(action);
        write(rig.fetchDir, 'b.txt', 'changed');
        rig.transfers.retryFailed(jobId);
        expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
        expect(readFetched('b.txt')).toBe('changed');
        rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
        expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
        expect(readFetched('b.txt')).toBe('theirs');
      },
    );

    test('asks about a file that changes during its download', async () => {
      const jobId = await failedDownAndAllowed('overwrite');
      rig.wrapClient = (client) => ({
        ...client,
        getObject: async (input, options) => {
          write(rig.fetchDir, 'b.txt', 'changed');
          return await client.getObject(input, options);
        },
      });
      rig.transfers.retryFailed(jobId);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
      expect(readFetched('b.txt')).toBe('changed');
      rig.transfers.answer(jobId, [{ seq: null, action: 'overwrite' }]);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(readFetched('b.txt')).toBe('theirs');
    });

    test('replaces a file that is as planned', async () => {
      const jobId = await failedDownAndAllowed('overwrite');
      rig.transfers.retryFailed(jobId);
      expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
      expect(readFetched('b.txt')).toBe('theirs');
    });
  });

  test('moves deleted files to the trash if there is one, and keeps them if that fails', async () => {
    const trashed: string[] = [];
    rig.trash = async (file) => {
      trashed.push(path.relative(rig.fetchDir, file));
      await Promise.resolve();
      if (file.endsWith('b')) throw Object.assign(new Error('no'), { code: 'EPERM' });
      rmSync(file);
    };
    await rig.restart();
    write(rig.fetchDir, 'a', 'x');
    write(rig.fetchDir, 'b', 'x');
    const plan = await makePlan(rig, 'down', rig.fetchDir, '');
    expect(plan.status.removal).toBe('trash');
    const jobId = (await runPlan(rig, plan, true)) ?? '';
    expect(trashed.toSorted()).toEqual(['a', 'b']);
    expect(rig.uploads.jobs.job(jobId)).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    expect([...treeOf(rig.fetchDir).keys()]).toEqual(['b']);
    rig.trash = null;
    await rig.restart();
  });

  test('writes and deletes nothing behind a link', async () => {
    const outside = path.join(rig.dir, 'outside');
    rmSync(outside, { recursive: true, force: true });
    write(outside, 'mine', 'mine');
    symlinkSync(outside, path.join(rig.fetchDir, 'link'));
    symlinkSync(path.join(outside, 'mine'), path.join(rig.fetchDir, 'file-link'));
    await rig.put('link/new', Buffer.from('x'));
    await rig.put('file-link', Buffer.from('longer than that'));
    const plan = await makePlan(rig, 'down', rig.fetchDir, '');
    expect(plan.changes).toEqual(['skipped file-link link', 'skipped link/ link', 'skipped link/new link']);
    await runPlan(rig, plan, true);
    expect([...treeOf(outside).keys()]).toEqual(['mine']);
    expect(readFileSync(path.join(outside, 'mine'), 'utf8')).toBe('mine');
  });

  test('neither replaces nor deletes a file that changed locally since the plan', async () => {
    await rig.put('a', Buffer.from('theirs'), { mtime: '1600000000' });
    write(rig.fetchDir, 'a', 'seen');
    write(rig.fetchDir, 'old', 'seen');
    const plan = await makePlan(rig, 'down', rig.fetchDir, '');
    expect(plan.changes).toEqual(['overwrite a size', 'delete old']);
    write(rig.fetchDir, 'a', 'mine!', at + 5);
    write(rig.fetchDir, 'old', 'mine', at + 5);
    const jobId = (await runPlan(rig, plan, true)) ?? '';
    expect(rig.uploads.jobs.job(jobId)).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    expect(readFileSync(path.join(rig.fetchDir, 'a'), 'utf8')).toBe('mine!');
    rig.transfers.answer(jobId, [{ seq: null, action: 'skip' }]);
    await rig.settle(jobId);
    expect(existsSync(path.join(rig.fetchDir, 'old'))).toBe(true);
  });

  test('skips names that this disk treats as one', async () => {
    rig.folds = true;
    await rig.put('A', Buffer.from('1'));
    await rig.put('a', Buffer.from('2'));
    await rig.put('b', Buffer.from('3'));
    write(rig.fetchDir, 'B', 'mine');
    const plan = await makePlan(rig, 'down', rig.fetchDir, '');
    expect(plan.changes).toEqual([
      'copy A',
      'skipped B same-name',
      'skipped a same-name',
      'skipped b same-name',
    ]);
    await rig.syncs.closePlan(plan.planId);
  });

  test('downloads an object without a file time if it is newer or its bytes differ', async () => {
    await rig.put('newer', Buffer.from('new'));
    await rig.put('same', Buffer.from('same'));
    await rig.put('edited', Buffer.from('abc'));
    write(rig.fetchDir, 'newer', 'old', at);
    const later = Date.now() / 1000 + 1000;
    write(rig.fetchDir, 'same', 'same', later);
    write(rig.fetchDir, 'edited', 'xyz', later);
    const plan = await makePlan(rig, 'down', rig.fetchDir, '');
    expect(plan.changes).toEqual(['overwrite edited hash', 'overwrite newer time']);
    await rig.syncs.closePlan(plan.planId);
  });
});

test('a stopped plan cannot be run', async () => {
  write(rig.sendDir, 'a', 'x');
  const { planId } = await rig.syncs.plan({
    connectionId: 'c',
    bucket: rig.bucket,
    prefix: '',
    folderHandle: rig.sendDir,
    direction: 'up',
    comparison: 'size-time',
    takesLinksOut: false,
  });
  rig.syncs.stop(planId);
  let state = '';
  for await (const status of rig.syncs.watch(planId, new AbortController().signal)) ({ state } = status);
  expect(state).toBe('stopped');
  await expect(rig.syncs.run(planId, false, 0)).rejects.toMatchObject({
    error: { reason: 'plan-incomplete' },
  });
});
