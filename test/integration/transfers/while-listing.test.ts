import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { failure } from '../../../shared/errors.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
rigOfFile((started) => {
  rig = started;
});

const names = Array.from({ length: 30 }, (_, index) => `tree/f-${String(index).padStart(2, '0')}`);

async function fill(keys: readonly string[]): Promise<void> {
  for (const [index, key] of keys.entries()) await rig.put(key, bytesOf(50 + index, index));
}

/** Lists in pages of five objects, and runs `before` with a page's number before each. */
function inPages(before: (page: number) => Promise<void> | void): void {
  let page = 0;
  rig.wrapClient = (client) => ({
    ...client,
    listObjects: async (input, options) => {
      await before((page += 1));
      return await client.listObjects({ ...input, maxKeys: 5 }, options);
    },
  });
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

/** Returns the names of finished files. Reads no contents, because partial files may vanish meanwhile. */
const named = (): readonly string[] =>
  readdirSync(rig.fetchDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.cooper-'))
    .map((entry) => path.relative(rig.fetchDir, path.join(entry.parentPath, entry.name)));

test('the first objects are saved before the list is complete', async () => {
  await fill(names);
  // The last pages are returned only when the files of the first are on disk.
  inPages(async (page) => {
    if (page >= 4) await until(() => named().length >= 9);
  });
  const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
  expect(job).toMatchObject({ state: 'done', items: { total: 30, done: 30 } });
  expect(named()).toHaveLength(30);
});

test('an interrupted list is resumed and each object saved once', async () => {
  await fill(names);
  let broken = false;
  inPages(async (page) => {
    if (broken || page < 4) return;
    broken = true;
    await until(() => named().length >= 9);
    throw failure('server', 'Out of order.', { retry: 'backoff' });
  });
  const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
  expect(job).toMatchObject({ state: 'done', items: { total: 30, done: 30 } });
  expect(named()).toHaveLength(30);
  expect(broken).toBe(true);
});

test('a file is renamed for keys below its name, also if these are listed pages later', async () => {
  const between = Array.from({ length: 12 }, (_, index) => `tree/a!${String(index).padStart(2, '0')}`);
  await fill(['tree/a', ...between, 'tree/a/below', 'tree/b']);
  inPages(() => undefined);
  const job = await rig.settle(await rig.download([{ kind: 'prefix', prefix: '' }]));
  expect(job).toMatchObject({ state: 'done', items: { total: 15, done: 15, noted: 1 } });
  expect(named()).toContain('tree/a/below');
  expect(named()).toContain('tree/a (2)');
});

test('a transfer cancelled while it is listed leaves no partial file and requests no more pages', async () => {
  await fill(names);
  const listed = Promise.withResolvers<void>();
  let pages = 0;
  inPages(async (page) => {
    pages = page;
    if (page !== 4) return;
    await until(() => named().length >= 9);
    listed.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  });
  const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
  await listed.promise;
  rig.uploads.jobs.send(jobId, { kind: 'cancel' });
  expect(await rig.settle(jobId)).toMatchObject({ state: 'cancelled' });
  expect(pages).toBeLessThanOrEqual(5);
  expect(
    readdirSync(rig.fetchDir, { recursive: true }).filter((name) => String(name).includes('.cooper-')),
  ).toEqual([]);
});

test('a restart while listing resumes after the last persisted page', async () => {
  await fill(names);
  const held = Promise.withResolvers<void>();
  let isHeld = false;
  inPages(async (page) => {
    if (page !== 4) return;
    await until(() => named().length >= 9);
    isHeld = true;
    await held.promise;
  });
  const jobId = await rig.download([{ kind: 'prefix', prefix: '' }]);
  await until(() => isHeld);
  inPages(() => undefined);
  const restarting = rig.restart();
  held.resolve();
  await restarting;
  expect(await rig.settle(jobId)).toMatchObject({ state: 'done', items: { total: 30, done: 30 } });
  expect(named()).toHaveLength(30);
});
