import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fenceOff } from '../../../../electron/core/disk/fence.ts';
import { removeEntries, renameEntry } from '../../../../electron/core/files/change-entries.ts';
import { tempDir } from '../../../support/temp-dir.ts';

function folder() {
  const base = tempDir();
  writeFileSync(path.join(base, 'a.txt'), 'a');
  writeFileSync(path.join(base, 'b.txt'), 'b');
  for (const name of ['full', 'empty']) mkdirSync(path.join(base, name));
  writeFileSync(path.join(base, 'full', 'x'), 'x');
  return base;
}

test('renaming a local file or folder keeps its content and its time', async () => {
  const base = folder();
  const { mtimeMs } = statSync(path.join(base, 'a.txt'));
  await renameEntry(base, 'a.txt', 'c.txt');
  await renameEntry(base, 'full', 'moved');
  expect(readdirSync(base).toSorted()).toEqual(['b.txt', 'c.txt', 'empty', 'moved']);
  expect(readFileSync(path.join(base, 'c.txt'), 'utf8')).toBe('a');
  expect(statSync(path.join(base, 'c.txt')).mtimeMs).toBe(mtimeMs);
  expect(statSync(path.join(base, 'c.txt')).nlink).toBe(1);
  expect(readFileSync(path.join(base, 'moved', 'x'), 'utf8')).toBe('x');
});

test.each([
  ['a.txt', 'b.txt'],
  ['a.txt', 'empty'],
  ['full', 'empty'],
  ['full', 'a.txt'],
])(
  'renaming the local entry %s to %s, which exists, is a conflict and changes nothing',
  async (name, existing) => {
    const base = folder();
    await expect(renameEntry(base, name, existing)).rejects.toMatchObject({
      error: { code: 'conflict', reason: 'local-exists' },
    });
    expect(readdirSync(base).toSorted()).toEqual(['a.txt', 'b.txt', 'empty', 'full']);
    expect(readFileSync(path.join(base, 'b.txt'), 'utf8')).toBe('b');
  },
);

test('renaming a local file to another hard link of it in other case loses neither', async () => {
  const base = folder();
  linkSync(path.join(base, 'a.txt'), path.join(base, 'A.txt'));
  await renameEntry(base, 'a.txt', 'A.txt');
  expect(readFileSync(path.join(base, 'A.txt'), 'utf8')).toBe('a');
});

test('a local link is renamed and deleted itself, not its target', async () => {
  const base = folder();
  symlinkSync('full', path.join(base, 'link'));
  await renameEntry(base, 'link', 'other');
  expect(readlinkSync(path.join(base, 'other'))).toBe('full');
  await removeEntries(base, ['other'], null);
  expect(readdirSync(path.join(base, 'full'))).toEqual(['x']);
});

test.each(['..', '.', 'a/b', '../x', 'nul\0byte', ''])(
  'no local entry is renamed to or deleted by the name %j',
  async (name) => {
    const base = folder();
    const refused = { error: { code: 'invalid-argument', reason: 'local-name' } };
    await expect(renameEntry(base, 'a.txt', name)).rejects.toMatchObject(refused);
    await expect(renameEntry(base, name, 'c.txt')).rejects.toMatchObject(refused);
    await expect(removeEntries(base, [name], null)).rejects.toMatchObject(refused);
    expect(readdirSync(base).toSorted()).toEqual(['a.txt', 'b.txt', 'empty', 'full']);
  },
);

test('without a trash only files and empty folders are deleted', async () => {
  const base = folder();
  await removeEntries(base, ['a.txt', 'empty'], null);
  await expect(removeEntries(base, ['full', 'b.txt'], null)).rejects.toMatchObject({
    error: { code: 'conflict', reason: 'local-not-empty' },
  });
  expect(readdirSync(base).toSorted()).toEqual(['b.txt', 'full']);
  expect(existsSync(path.join(base, 'full', 'x'))).toBe(true);
});

test('with a trash each entry is moved there by its path, and the first failure stops', async () => {
  const base = folder();
  const trash = vi
    .fn<(file: string) => Promise<void>>()
    .mockResolvedValueOnce()
    .mockRejectedValue(Object.assign(new Error('no'), { code: 'EPERM' }));
  await expect(removeEntries(base, ['full', 'a.txt', 'b.txt'], trash)).rejects.toMatchObject({
    error: { code: 'access-denied', reason: 'local-denied' },
  });
  expect(trash.mock.calls).toEqual([[path.join(base, 'full')], [path.join(base, 'a.txt')]]);
});

test('neither the data folder nor a folder that contains it is renamed or deleted', async () => {
  const base = folder();
  const dataDir = path.join(base, 'full', 'deeper', 'data');
  mkdirSync(dataDir, { recursive: true });
  onTestFinished(fenceOff(dataDir));
  const trash = vi.fn<(file: string) => Promise<void>>().mockResolvedValue();
  for (const [parent, name] of [
    [base, 'full'],
    [path.join(base, 'full'), 'deeper'],
    [path.join(base, 'full', 'deeper'), 'data'],
  ] as const) {
    const refused = { error: { code: 'access-denied', reason: 'own-data' } };
    await expect(renameEntry(parent, name, 'elsewhere')).rejects.toMatchObject(refused);
    await expect(removeEntries(parent, [name], trash)).rejects.toMatchObject(refused);
  }
  expect(trash).not.toHaveBeenCalled();
  expect(existsSync(dataDir)).toBe(true);
});
