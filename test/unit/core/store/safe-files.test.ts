import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomically } from '../../../../electron/core/store/safe-files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('an atomic write replaces the file as a whole and leaves no temporary file', async () => {
  const file = path.join(tempDir(), 'a.json');
  writeFileSync(file, 'old and much longer than the new');
  await writeFileAtomically(file, 'new', { suffix: 'x' });
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(path.dirname(file))).toEqual(['a.json']);
});

test('an atomic write creates the file with narrow permissions, whatever the old ones were', async () => {
  const file = path.join(tempDir(), 'a.json');
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeFileAtomically(file, 'new', { suffix: 'x' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a failed atomic write keeps the old file and leaves no temporary file', async () => {
  const dir = tempDir();
  const file = path.join(dir, 'folder');
  mkdirSync(path.join(file, 'not-empty'), { recursive: true });
  await expect(writeFileAtomically(file, 'new', { suffix: 'x' })).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(dir)).toEqual(['folder']);
});
