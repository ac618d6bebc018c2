import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isCaseInsensitive, probePathOf } from '../../../../electron/core/disk/local-files.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-local-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const jobId = '0e1c3a52-7c1d-4a6b-8f00-1234567890ab';

test('probing how a folder compares names leaves no file behind', async () => {
  await isCaseInsensitive(dir, jobId);
  expect(readdirSync(dir)).toEqual([]);
});

test('a probe file left by a crash is removed by the next probe of the same job', async () => {
  writeFileSync(probePathOf(dir, jobId), '');
  await isCaseInsensitive(dir, jobId);
  expect(readdirSync(dir)).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'the probe does not follow a symbolic link under its own name',
  async () => {
    const other = path.join(dir, 'other');
    symlinkSync(other, probePathOf(dir, jobId));
    await expect(isCaseInsensitive(dir, jobId)).rejects.toMatchObject({ code: 'ELOOP' });
  },
);
