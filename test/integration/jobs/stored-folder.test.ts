import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openFolder } from '../../support/core/stored-folder.ts';
import { TransferRig } from '../../support/core/transfers-rig.ts';
import { contentOf } from '../../fixtures/contents.ts';

let rig: TransferRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

const textOf = (name: string): string => String(contentOf(name));

/** Data folders, each saved before a change of the stored format of jobs; the last one has the current format. */
const folders = [
  ['jobs-1', 'of version 1.0.0'],
  ['jobs-2', 'whose items are separated by kind'],
  ['jobs-3', 'with jobs of many uploads'],
] as const;

test.each(folders)(
  'jobs of every kind, interrupted in the folder %s (%s), are read and resumed to their end',
  async (name) => {
    const { dir, jobs } = openFolder(name);
    const running = (rig = await TransferRig.start({ dir }));
    const idOf = (job: string): string => jobs[job]?.id ?? '';
    const { jobs: engine } = running.uploads;
    const rests = Object.entries(jobs).filter(([, { state }]) =>
      /^(?:paused|needs-attention|done)$/u.test(state),
    );
    expect(rests.map(([job, { id }]) => [job, engine.job(id)?.state])).toEqual(
      rests.map(([job, { state }]) => [job, state]),
    );
    // The parts that each job stored before it was stopped are still counted.
    const part = 64 * 1024;
    expect(engine.job(idOf('upload in parts'))).toMatchObject({ bytesDone: 4 * part });
    expect(engine.job(idOf('resume'))).toMatchObject({ bytesDone: 2 * part, partsDone: 2, partsTotal: 5 });
    expect(engine.job(idOf('move of many'))).toMatchObject({ items: { total: 24 } });
    expect(running.items(idOf('sync')).map(({ key, state }) => `${key} ${state}`)).toEqual([
      'sync/b todo',
      'sync/old held',
    ]);
    const [refused] = running.items(idOf('upload that failed'));
    expect(refused).toMatchObject({ state: 'failed', error: { code: 'access-denied', reason: 'denied' } });
    const [asking] = running.items(idOf('upload that asks'));
    expect(asking).toMatchObject({ state: 'asking', source: { sizeBytes: 200 }, target: { sizeBytes: 13 } });

    for (const [job, { id, state }] of Object.entries(jobs)) {
      if (state === 'paused') engine.send(id, { kind: 'resume' });
      if (job.endsWith('that asks')) running.transfers.answer(id, [{ seq: null, action: 'overwrite' }]);
      if (job === 'upload that failed') running.transfers.retryFailed(id);
    }
    for (const { id } of Object.values(jobs))
      expect(await running.settle(id)).toMatchObject({ state: 'done' });

    const sent = [
      'up/one.txt',
      'up/two.txt',
      'up/large.bin',
      'running/large.bin',
      'conflict.txt',
      'refused.txt',
    ];
    for (const key of [...sent, 'sync/a', 'sync/b', 'stalled/resume.bin', 'stalled/complete.bin'])
      expect({ key, text: String(await running.object(key)) }).toEqual({ key, text: textOf(key) });
    for (const key of ['down/one.txt', 'down/large.bin', 'asked.txt', 'brought.txt'])
      expect({ key, text: readFileSync(path.join(running.fetchDir, key), 'utf8') }).toEqual({
        key,
        text: textOf(key),
      });
    expect(String(await running.object('copied/large.bin', running.otherBucket))).toBe(
      textOf('copy/large.bin'),
    );
    for (let index = 0; index < 24; index += 1) {
      const key = `move/${String(index).padStart(2, '0')}`;
      const text = String(await running.object(`moved/${key}`, running.otherBucket));
      expect({ key, text }).toEqual({ key, text: textOf(key) });
    }
    const head = await running.client.headObject({ bucket: running.bucket, key: 'change/b' });
    expect(head.headers).toMatchObject({ 'cache-control': 'no-cache' });
    // Only the sources of the move, the deleted objects, and those that the sync removes are gone.
    const left = await running.keys();
    expect(left.filter((key) => /^(?:move|gone)\/|^sync\/old$/u.test(key))).toEqual([]);
    expect(left.filter((key) => /^(?:copy|change|down)\//u.test(key))).toHaveLength(6);
    for (const bucket of [running.bucket, running.otherBucket])
      expect((await running.client.listMultipartUploads({ bucket })).uploads).toEqual([]);
  },
  120_000,
);

test.each(folders)(
  'a job in the folder %s (%s) whose local file changed needs attention and sends nothing of it',
  async (name) => {
    const { dir, jobs } = openFolder(name);
    const running = (rig = await TransferRig.start({ dir }));
    const id = jobs['resume']?.id ?? '';
    // Both files exist at the same time: otherwise the file system could reuse the inode of the removed one.
    const other = running.file('stalled/other.bin', contentOf('stalled/other.bin'));
    renameSync(other, path.join(running.sendDir, 'stalled/resume.bin'));
    running.uploads.jobs.send(id, { kind: 'resume' });
    expect(await running.settle(id)).toMatchObject({ state: 'needs-attention', reason: 'file-changed' });
    expect(await running.object('stalled/resume.bin')).toBeNull();
  },
  60_000,
);

test('interrupted jobs of many uploads complete or abort each upload once', async () => {
  const { dir, jobs } = openFolder('jobs-3');
  const running = (rig = await TransferRig.start({ dir }));
  const completing = jobs['completion of many that ran']?.id ?? '';
  const aborting = jobs['abort of many that ran']?.id ?? '';
  expect(await running.settle(completing)).toMatchObject({ state: 'done', items: { total: 3, done: 3 } });
  expect(await running.settle(aborting)).toMatchObject({
    state: 'done',
    items: { total: 3, done: 3, skipped: 0 },
  });
  for (const key of ['stalled/each/1', 'stalled/each/2', 'stalled/each/3'])
    expect({ key, text: String(await running.object(key)) }).toEqual({ key, text: textOf(key) });
  expect(await running.object('stalled/none/2')).toBeNull();
}, 60_000);
