import { rmSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { DownloadResults } from '../../../electron/core/transfers/results.ts';
import { rigOfFile } from '../../support/core/rig-of-file.ts';
import type { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';

let rig: TransferRig;
let dragged: (readonly string[])[];
let shown: string[];
let results: DownloadResults;

rigOfFile((started) => {
  rig = started;
});
beforeEach(() => {
  dragged = [];
  shown = [];
  results = rig.resultsFor({
    revealInFolder: (file) => Promise.resolve(void shown.push(file)),
    startDrag: (files) => Promise.resolve(void dragged.push(files)),
  });
});

function at(...names: readonly string[]): readonly string[] {
  return names.map((name) => path.join(rig.fetchDir, name));
}

test('the results of a finished download can be dragged out as files and folders', async () => {
  for (const key of ['p/a.txt', 'p/box/b', 'p/box/deep/c', 'other']) await rig.put(key, bytesOf(10, 1));
  const jobId = await rig.download(
    [
      { kind: 'key', key: 'p/a.txt' },
      { kind: 'prefix', prefix: 'p/box/' },
    ],
    'ask',
    'p/',
  );
  await rig.settle(jobId);
  await results.dragOut(jobId);
  expect(dragged).toEqual([at('a.txt', 'box')]);
  await results.reveal(jobId);
  expect(shown).toEqual(at('a.txt'));
});

test('a drag of results leaves out removed ones, and fails if none is left', async () => {
  for (const key of ['a', 'b']) await rig.put(key, bytesOf(10, 1));
  const jobId = await rig.download([
    { kind: 'key', key: 'a' },
    { kind: 'key', key: 'b' },
  ]);
  await rig.settle(jobId);
  rmSync(path.join(rig.fetchDir, 'a'));
  await results.dragOut(jobId);
  expect(dragged).toEqual([at('b')]);
  rmSync(path.join(rig.fetchDir, 'b'));
  await expect(results.dragOut(jobId)).rejects.toMatchObject({ error: { reason: 'results-gone' } });
});

test('dragging results fails for an upload and on a host that does not support it', async () => {
  const jobId = await rig.upload([rig.file('u', bytesOf(3, 1))]);
  await rig.settle(jobId);
  await expect(results.dragOut(jobId)).rejects.toMatchObject({ error: { reason: 'not-a-transfer' } });
  await expect(results.dragOut('none')).rejects.toMatchObject({ error: { reason: 'job-gone' } });
  const browser = rig.resultsFor({ revealInFolder: () => Promise.resolve() });
  await expect(browser.dragOut(jobId)).rejects.toMatchObject({ error: { code: 'unsupported' } });
  expect([dragged, shown]).toEqual([[], []]);
});
