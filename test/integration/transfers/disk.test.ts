import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB } from '../../support/core/uploads-rig.ts';

const isRoot = process.getuid?.() === 0;

function mount(...parameters: readonly string[]): boolean {
  return spawnSync('mount', parameters, { stdio: 'ignore' }).status === 0;
}

/** Returns true if a test may mount a small file system on this computer. */
function mayMount(): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-mount-'));
  const could = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', dir);
  if (could) spawnSync('umount', [dir]);
  rmSync(dir, { recursive: true, force: true });
  return could;
}

const canMount = mayMount();
let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

async function downloadAll(): Promise<string> {
  return await rig.download([{ kind: 'prefix', prefix: '' }]);
}

describe.skipIf(!canMount)('a file system of one megabyte (if it can be mounted)', () => {
  beforeEach(() => {
    if (!mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', rig.fetchDir))
      throw new Error('Nothing was mounted.');
  });
  afterEach(() => {
    spawnSync('umount', [rig.fetchDir]);
  });

  test('that fills up pauses a download without partial files, which resumes with room', async () => {
    const objects = new Map([
      ['a', bytesOf(10, 1)],
      ['b', bytesOf(700 * KiB, 2)],
      ['c', bytesOf(200 * KiB, 3)],
    ]);
    for (const [key, bytes] of objects) await rig.put(key, bytes);
    const ballast = path.join(rig.fetchDir, 'ballast');
    writeFileSync(ballast, Buffer.alloc(600 * KiB));
    const jobId = await downloadAll();
    expect(await rig.settle(jobId)).toMatchObject({ state: 'paused', reason: 'disk-full' });
    for (const name of readdirSync(rig.fetchDir).filter((found) => objects.has(found)))
      expect(readFileSync(path.join(rig.fetchDir, name))).toEqual(objects.get(name));
    expect(readdirSync(rig.fetchDir)).not.toContain('b');
    rmSync(ballast);
    rig.uploads.jobs.send(jobId, { kind: 'resume' });
    expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
    expect(readdirSync(rig.fetchDir).toSorted()).toEqual([...objects.keys()]);
    for (const [name, bytes] of objects)
      expect(readFileSync(path.join(rig.fetchDir, name)).equals(bytes)).toBe(true);
  });

  test('that is read-only is reported, and nothing is lost', async () => {
    await rig.put('a', bytesOf(10, 1));
    expect(mount('-o', 'remount,ro', rig.fetchDir)).toBe(true);
    const job = await rig.settle(await downloadAll());
    expect(job.error ?? rig.items(job.id)[0]?.error).toMatchObject({ reason: 'disk-read-only' });
    expect(await rig.object('a')).toEqual(bytesOf(10, 1));
    expect(mount('-o', 'remount,rw', rig.fetchDir)).toBe(true);
    rig.transfers.retryFailed(job.id);
    expect(await rig.settle(job.id)).toMatchObject({ state: 'done' });
  });
});

test.skipIf(isRoot)(
  'a folder without write permission (except for root) is reported as unwritable',
  async () => {
    await rig.put('a', bytesOf(10, 1));
    chmodSync(rig.fetchDir, 0o555);
    try {
      const job = await rig.settle(await downloadAll());
      expect(job.error ?? rig.items(job.id)[0]?.error).toMatchObject({ reason: 'folder-unwritable' });
    } finally {
      chmodSync(rig.fetchDir, 0o755);
    }
  },
);

test('a file that grows while it is sent fails and is sent completely by a retry', async () => {
  const log = rig.file('grows.log', bytesOf(300 * KiB, 1));
  let grown = 0;
  rig.wrapClient = (client) => ({
    ...client,
    uploadPart: async (input, options) => {
      if (grown === 0) appendFileSync(log, 'more');
      grown += 1;
      return await client.uploadPart(input, options);
    },
  });
  const jobId = await rig.upload([log]);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'needs-attention' });
  expect(rig.items(jobId)).toMatchObject([{ state: 'failed', error: { reason: 'file-changed' } }]);
  expect(await rig.object('grows.log')).toBeNull();
  rig.wrapClient = (client) => client;
  rig.transfers.retryFailed(jobId);
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done' });
  expect((await rig.object('grows.log'))?.equals(readFileSync(log))).toBe(true);
});

const many = Number(process.env['COOPER_MANY_FILES'] ?? 0);

test.skipIf(many === 0)(
  'COOPER_MANY_FILES files are listed before anything is sent while the program responds (if set)',
  { timeout: 3_600_000 },
  async () => {
    const root = manyFiles();
    const began = performance.now();
    const jobId = await rig.upload([root]);
    let longestMs = 0;
    for (let last = performance.now(); ; last = performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      longestMs = Math.max(longestMs, performance.now() - last);
      const job = rig.uploads.jobs.job(jobId);
      if (job?.state !== 'preparing' && job?.state !== 'waiting') break;
    }
    const listed = performance.now();
    expect(rig.uploads.jobs.job(jobId)?.items?.total).toBe(many);
    rig.uploads.jobs.send(jobId, { kind: 'cancel' });
    await patiently(jobId);
    const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
    process.stdout.write(
      `${many} files: written down in ${seconds(began, listed)} s, longest pause ${Math.round(longestMs)} ms, ${megabytes} MB with the service\n`,
    );
  },
);

test.skipIf(many === 0)(
  'COOPER_MANY_FILES files are uploaded and downloaded again (if set)',
  { timeout: 3_600_000 },
  async () => {
    const root = manyFiles();
    const began = performance.now();
    const up = await rig.upload([root]);
    expect(await patiently(up)).toMatchObject({ state: 'done', items: { total: many, done: many } });
    const uploaded = performance.now();
    rmSync(root, { recursive: true });
    const down = await downloadAll();
    expect(await patiently(down)).toMatchObject({ state: 'done', items: { total: many, done: many } });
    const downloaded = performance.now();
    for (let index = 0; index < many; index += 997)
      expect(
        readFileSync(path.join(rig.fetchDir, 'many', String(Math.floor(index / 1000)), `f${index}`), 'utf8'),
      ).toBe(`file ${index}`);
    const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
    process.stdout.write(
      `${many} files: up ${seconds(began, uploaded)} s, down ${seconds(uploaded, downloaded)} s, ${megabytes} MB with the service\n`,
    );
  },
);

function manyFiles(): string {
  const root = path.join(rig.sendDir, 'many');
  for (let index = 0; index < many; index += 1) {
    const folder = path.join(root, String(Math.floor(index / 1000)));
    if (index % 1000 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `f${index}`), `file ${index}`);
  }
  return root;
}

function seconds(fromMs: number, toMs: number): string {
  return ((toMs - fromMs) / 1000).toFixed(1);
}

async function patiently(jobId: string) {
  for (;;) {
    try {
      return await rig.settle(jobId);
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.message.startsWith('The job does not come to rest')))
        throw thrown;
    }
  }
}
