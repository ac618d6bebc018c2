import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localFiles, type LocalFiles } from '../../../electron/core/disk/local-files.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import { type TransferRig, treeOf } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';
import { runs } from '../../support/sample.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      'a:b',
      'CON',
      'ends.',
      'line\nbreak',
      '\u201B2E',
      '%2E',
      'ünï',
      'x'.repeat(255),
      ' ',
      '+&?#',
    ),
  )
  .filter(
    (text) =>
      !['.', '..'].includes(text) &&
      !/[/\0\ufffd]/.test(text) &&
      Buffer.byteLength(text) <= 255 &&
      text.isWellFormed(),
  );
const file = fc.record({
  path: fc
    .array(name, { minLength: 1, maxLength: 3 })
    .filter((parts) => Buffer.byteLength(parts.join('/')) < 900),
  sizeBytes: fc.constantFrom(0, 1, 1000, 64 * KiB, 150 * KiB),
  mtime: fc.integer({ min: 0, max: 2_000_000_000 }),
});

test(
  'any tree is uploaded and downloaded with the same bytes, names and times',
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { minLength: 1, maxLength: 8 }),
        fc.array(name, { maxLength: 2 }),
        async (files, empty) => {
          await rig.reset();
          const root = path.join(rig.sendDir, 'tree');
          mkdirSync(root);
          for (const { path: parts, sizeBytes, mtime } of files) {
            const target = path.join(root, ...parts);
            try {
              mkdirSync(path.dirname(target), { recursive: true });
              writeFileSync(target, bytesOf(sizeBytes, mtime), { flag: 'wx' });
              utimesSync(target, mtime, mtime + 0.125);
            } catch {
              // A file already has the name of this folder, so it is left out of the tree.
            }
          }
          for (const folder of empty)
            mkdirSync(path.join(root, `e-${folder}`.slice(0, 60)), { recursive: true });
          const up = await rig.settle(await rig.upload([root], { multipartFromBytes: 100 * KiB }, 'in/'));
          expect(up).toMatchObject({ state: 'done', items: { failed: 0, skipped: 0 } });
          const down = await rig.settle(
            await rig.download([{ kind: 'prefix', prefix: 'in/' }], 'ask', 'in/'),
          );
          expect(down).toMatchObject({ state: 'done', items: { failed: 0 } });
          expect(treeOf(rig.fetchDir)).toEqual(treeOf(rig.sendDir));
        },
      ),
      { numRuns: runs(15) },
    );
  },
);

describe('uploading a folder', () => {
  test('skips and reports link loops and special files', async () => {
    const root = path.join(rig.sendDir, 'tree');
    mkdirSync(path.join(root, 'in/deep'), { recursive: true });
    writeFileSync(path.join(root, 'in/deep/a.txt'), 'a');
    symlinkSync('..', path.join(root, 'in/deep/loop'));
    symlinkSync('self', path.join(root, 'self'));
    symlinkSync('in/deep/a.txt', path.join(root, 'link.txt'));
    execFileSync('mkfifo', [path.join(root, 'pipe')]);
    const job = await rig.settle(await rig.upload([root]));
    expect(job).toMatchObject({ state: 'done', items: { total: 5, done: 2, skipped: 3, noted: 3 } });
    expect(await rig.keys()).toEqual(['tree/in/deep/a.txt', 'tree/link.txt']);
    const notes = rig.transfers
      .items(job.id, 'noted', 0, 10)
      .items.map((item) => `${item.localName}: ${item.note}`);
    expect(notes.toSorted()).toEqual(['loop: symlink-loop', 'pipe: special-file', 'self: symlink-loop']);
  });

  test('fails only a file that vanishes or changes meanwhile, which can be retried', async () => {
    rig.file('tree/a.txt', bytesOf(10, 1));
    const gone = rig.file('tree/b.txt', bytesOf(10, 2));
    const grows = rig.file('tree/c.bin', bytesOf(300 * KiB, 3));
    rig.wrapClient = (client) => ({
      ...client,
      headObject: async (ref, options) => {
        rmSync(gone, { force: true });
        return await client.headObject(ref, options);
      },
      uploadPart: async (input, options) => {
        writeFileSync(grows, bytesOf(310 * KiB, 4));
        return await client.uploadPart(input, options);
      },
    });
    const jobId = await rig.upload([path.join(rig.sendDir, 'tree')]);
    const job = await rig.settle(jobId);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    expect(await rig.object('tree/a.txt')).toEqual(bytesOf(10, 1));
    expect(await rig.object('tree/c.bin')).toBe(null);
    expect(rig.transfers.items(jobId, 'failed', 0, 10).items.map((item) => item.error?.reason)).toContain(
      'file-changed',
    );
    rig.wrapClient = (client) => client;
    writeFileSync(gone, bytesOf(10, 2));
    rig.transfers.retryFailed(jobId);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { total: 3, done: 3, failed: 0 } });
    expect(await rig.object('tree/b.txt')).toEqual(bytesOf(10, 2));
    expect(await rig.object('tree/c.bin')).toEqual(bytesOf(310 * KiB, 4));
  });

  test('fails a key of more than 1024 bytes with its reason and sends one of 1024', async () => {
    const parts = Array.from({ length: 4 }, () => 'd'.repeat(250));
    const fits = 1024 - Buffer.byteLength(`t/${parts.join('/')}/`);
    rig.file(path.join('t', ...parts, 'a'.repeat(fits)), bytesOf(5, 1));
    rig.file(path.join('t', ...parts, 'a'.repeat(fits + 1)), bytesOf(5, 1));
    const job = await rig.settle(await rig.upload([path.join(rig.sendDir, 't')]));
    expect(job).toMatchObject({ reason: 'items-failed', items: { done: 1, failed: 1 } });
    expect(rig.transfers.items(job.id, 'failed', 0, 10).items).toMatchObject([{ note: 'key-too-long' }]);
  });
});

test('a wake from sleep continues a waiting job, but retries none of its failed items', async () => {
  rig.file('tree/a', bytesOf(3, 1));
  symlinkSync('target', path.join(rig.sendDir, 'tree/link'));
  const jobId = await rig.upload([path.join(rig.sendDir, 'tree')]);
  expect(await rig.settle(jobId)).toMatchObject({ reason: 'items-failed', items: { done: 1, failed: 1 } });
  rig.file('tree/target', bytesOf(3, 2));
  const { store, transferDriver, jobs } = rig.queue;
  const job = transferDriver.parse(JSON.parse(store.load(jobId)?.data ?? ''));
  store.update({ ...job, state: 'retry-scheduled', dueMs: rig.clock.nowMs() + 3_600_000 });
  jobs.wake();
  expect(await rig.settle(jobId)).toMatchObject({ reason: 'items-failed', items: { done: 1, failed: 1 } });
  jobs.send(jobId, { kind: 'retry-now' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { done: 2, failed: 0 } });
});

test('files of equal names from different folders are all stored, and replace no other object', async () => {
  await rig.put('r (2).pdf', bytesOf(9, 9));
  const chosen = ['one', 'two', 'three'].map((folder, at) => rig.file(`${folder}/r.pdf`, bytesOf(3, at)));
  rig.file('one/x/a', bytesOf(4, 1));
  rig.file('two/x/a', bytesOf(4, 2));
  rig.file('two/x/b', bytesOf(4, 3));
  const folders = ['one', 'two'].map((folder) => path.join(rig.sendDir, folder, 'x'));
  const job = await rig.settle(await rig.upload([...chosen, ...folders], { onConflict: 'overwrite' }));
  expect(job).toMatchObject({ state: 'done', items: { total: 6, done: 6 } });
  expect(await rig.object('r.pdf')).toEqual(bytesOf(3, 0));
  expect(await rig.object('r (2).pdf')).toEqual(bytesOf(9, 9));
  expect(await rig.object('r (2) (2).pdf')).toEqual(bytesOf(3, 1));
  expect(await rig.object('r (3).pdf')).toEqual(bytesOf(3, 2));
  expect(await rig.object('x/a')).toEqual(bytesOf(4, 1));
  expect(await rig.object('x/a (2)')).toEqual(bytesOf(4, 2));
  expect(await rig.object('x/b')).toEqual(bytesOf(4, 3));
  const { items } = rig.transfers.items(job.id, 'noted', 0, 10);
  expect(items.map(({ key, note }) => `${key} ${String(note)}`)).toEqual([
    'r (2) (2).pdf renamed',
    'r (3).pdf renamed',
    'x/a (2) renamed',
  ]);
});

describe('downloading a prefix', () => {
  test('saves an object with content whose key is the prefix, and skips an empty placeholder', async () => {
    await rig.put('p/', bytesOf(3, 1));
    await rig.put('p/a', bytesOf(3, 2));
    const base = 'p/';
    const wanted = { kind: 'prefix', prefix: base } as const;
    expect(await rig.settle(await rig.download([wanted], 'ask', base))).toMatchObject({
      state: 'done',
      items: { total: 2, done: 2, skipped: 0 },
    });
    const saved = path.join(rig.fetchDir, '\u201B_');
    expect(readFileSync(saved)).toEqual(Buffer.from(bytesOf(3, 1)));
    rmSync(saved);
    await rig.settle(await rig.download([{ kind: 'key', key: base }], 'ask', base));
    expect(readFileSync(saved)).toEqual(Buffer.from(bytesOf(3, 1)));
    await rig.put(base, new Uint8Array(0));
    rmSync(path.join(rig.fetchDir, 'a'));
    expect(await rig.settle(await rig.download([wanted], 'ask', base))).toMatchObject({
      state: 'done',
      items: { total: 2, done: 1, skipped: 1 },
    });
  });

  test('escapes and reports names that the system cannot hold, and stays in the folder', async () => {
    for (const key of ['../out', '/abs', 'a//b', 'nul\u0001x', `${'l'.repeat(300)}/x`, '..', 'a/./b'])
      await rig.put(key, bytesOf(3, 1));
    const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
    expect(job).toMatchObject({ state: 'done', items: { total: 7, done: 7 } });
    expect(readdirSync(rig.dir).toSorted()).toEqual(
      readdirSync(rig.dir)
        .filter((name) => name !== 'out')
        .toSorted(),
    );
    expect(treeOf(rig.fetchDir).size).toBe(7);
    expect(rig.transfers.items(job.id, 'noted', 0, 10).total).toBe(6);
    expect(await rig.settle(await rig.upload([rig.fetchDir], { onConflict: 'skip' }))).toMatchObject({
      state: 'done',
    });
    expect(await rig.keys()).toContain('fetch/../out');
  });

  test('renames one of a file and a folder with the same name', async () => {
    await rig.put('a', bytesOf(3, 1));
    await rig.put('a/b', bytesOf(3, 2));
    const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
    expect(job.state).toBe('done');
    expect([...treeOf(rig.fetchDir).keys()].toSorted()).toEqual(['a (2)', 'a/b']);
    expect(rig.transfers.items(job.id, 'noted', 0, 10).items).toMatchObject([{ key: 'a', note: 'renamed' }]);
  });

  test('never follows a link out of the folder', async () => {
    const outside = path.join(rig.dir, 'outside');
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, path.join(rig.fetchDir, 'in'));
    await rig.put('in/a', bytesOf(3, 1));
    const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }], 'overwrite'));
    expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { reason: 'unsafe-path' } }]);
    expect(readdirSync(outside)).toEqual([]);
  });

  test('asks about conflicts page by page, and a decision for all applies to all', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => rig.put(`p/${index}`, bytesOf(5, index))));
    mkdirSync(path.join(rig.fetchDir, 'p'));
    for (let index = 0; index < 40; index += 1)
      writeFileSync(path.join(rig.fetchDir, 'p', String(index)), 'mine');
    const listed: number[] = [];
    rig.wrapClient = (client) => ({
      ...client,
      listObjects: async (input, options) => {
        const page = await client.listObjects({ ...input, maxKeys: 7 }, options);
        listed.push(page.objects.length);
        return page;
      },
    });
    const jobId = await rig.download([{ kind: 'prefix', prefix: 'p/' }]);
    expect(await rig.settle(jobId)).toMatchObject({ reason: 'conflicts', items: { total: 40, asking: 40 } });
    expect(listed).toEqual([7, 7, 7, 7, 7, 5]);
    rig.transfers.answer(jobId, [
      { seq: 3, action: 'skip' },
      { seq: null, action: 'overwrite' },
    ]);
    expect(await rig.settle(jobId)).toMatchObject({
      state: 'done',
      items: { done: 39, skipped: 1, asking: 0 },
    });
    const mine = [...treeOf(rig.fetchDir).values()].filter((entry) => entry.bytes?.toString() === 'mine');
    expect(mine).toHaveLength(1);
  });
});

const refused = (): Promise<never> => Promise.reject(Object.assign(new Error('EROFS'), { code: 'EROFS' }));

function failing(code: string): LocalFiles {
  return {
    placeSmall: () => Promise.reject(Object.assign(new Error(code), { code })),
    openPart: async (filePath) => await localFiles.openPart(filePath),
    openPiece: () => ({
      write: () => Promise.reject(Object.assign(new Error(code), { code })),
      end: () => Promise.resolve([]),
    }),
  };
}

describe('a disk that cannot be written', () => {
  test('pauses the whole job if full, without partial files, and resumes it', async () => {
    await rig.put('a', bytesOf(10, 1));
    await rig.put('b', bytesOf(300 * KiB, 1));
    rig.files = failing('ENOSPC');
    const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
    expect(await rig.settle(jobId)).toMatchObject({ state: 'paused', reason: 'disk-full' });
    expect(readdirSync(rig.fetchDir)).not.toContain('a');
    expect(readdirSync(rig.fetchDir)).not.toContain('b');
    rig.files = localFiles;
    rig.uploads.jobs.send(jobId, { kind: 'resume' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(readFileSync(path.join(rig.fetchDir, 'b'))).toEqual(bytesOf(300 * KiB, 1));
    expect(readdirSync(rig.fetchDir)).toEqual(['a', 'b']);
  });

  test('fails the item with its reason if read-only', async () => {
    await rig.put('a', bytesOf(10, 1));
    rig.files = { ...localFiles, openPart: refused, placeSmall: refused };
    const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
    rig.files = localFiles;
    expect(rig.items(job.id)).toMatchObject([{ state: 'failed', error: { reason: 'disk-read-only' } }]);
  });
});
