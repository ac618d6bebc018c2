import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checkReal } from '../../../electron/core/disk/fence.ts';
import { coreUnderTest } from '../../support/core/core-under-test.ts';
import { tempDir } from '../../support/temp-dir.ts';

const isAllowed = (file: string): boolean => {
  try {
    checkReal(file, undefined);
    return true;
  } catch {
    return false;
  }
};

test('the core keeps transfers out of its data folder except samples, dropped files, files to drag out and batch lists', () => {
  const { dataDir } = coreUnderTest();
  const open = ['sample-files/a', 'dropped/a', 'drag-out/a', 'batches/a'];
  const allowed = ['secrets.json', 'cooper.db', 'edits/a', ...open].filter((name) =>
    isAllowed(path.join(dataDir, name)),
  );
  expect(allowed).toEqual(open);
  expect(isAllowed(path.join(path.dirname(dataDir), 'a'))).toBe(true);
});

test('the data folder is recognised by its inode under another path', () => {
  const base = tempDir();
  const dataDir = path.join(base, 'data');
  mkdirSync(dataDir);
  coreUnderTest({ dataDir });
  writeFileSync(path.join(dataDir, 'secrets.json'), '');
  // As with a folder that is mounted twice, neither path is within the other.
  renameSync(dataDir, path.join(base, 'moved'));
  symlinkSync(path.join(base, 'moved'), dataDir);
  expect(isAllowed(path.join(base, 'moved', 'secrets.json'))).toBe(false);
});
