import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeFileAtomically } from '../../../../electron/core/store/atomic-file.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('a file is replaced as a whole, and nothing else is left in its folder', async () => {
  const file = path.join(tempDir(), 'a.json');
  writeFileSync(file, 'old and much longer than the new');
  await writeFileAtomically(file, 'new', { suffix: 'x' });
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(readdirSync(path.dirname(file))).toEqual(['a.json']);
});

test('the file has its access rights from the first byte on, whatever the old one had', async () => {
  const file = path.join(tempDir(), 'a.json');
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeFileAtomically(file, 'new', { suffix: 'x' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('when it cannot be replaced the old file stays, and no temporary one', async () => {
  const dir = tempDir();
  const file = path.join(dir, 'folder');
  mkdirSync(path.join(file, 'not-empty'), { recursive: true });
  await expect(writeFileAtomically(file, 'new', { suffix: 'x' })).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(dir)).toEqual(['folder']);
});
