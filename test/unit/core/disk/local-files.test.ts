import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foldsNames, probePathOf } from '../../../../electron/core/disk/local-files.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-local-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const jobId = '0e1c3a52-7c1d-4a6b-8f00-1234567890ab';

test('looking how a folder takes names leaves nothing in it', async () => {
  await foldsNames(dir, jobId);
  expect(readdirSync(dir)).toEqual([]);
});

test('what a killed look left is removed by the next one of the same job', async () => {
  writeFileSync(probePathOf(dir, jobId), '');
  await foldsNames(dir, jobId);
  expect(readdirSync(dir)).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a link under the name of the look is not followed', async () => {
  const other = path.join(dir, 'other');
  symlinkSync(other, probePathOf(dir, jobId));
  await expect(foldsNames(dir, jobId)).rejects.toMatchObject({ code: 'ELOOP' });
});
