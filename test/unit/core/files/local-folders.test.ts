import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { fenceOff } from '../../../../electron/core/disk/fence.ts';
import { createFiles, type Files } from '../../../../electron/core/files/files.ts';
import { isLocalName } from '../../../../electron/core/files/local-names.ts';
import type { Values } from '../../../../electron/core/store/records.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const page = { offset: 0, limit: 100, text: '' };

function memoryValues(): Values {
  const kept = new Map<string, string>();
  return {
    get: (name) => JSON.parse(kept.get(name) ?? 'null') as unknown,
    set: (name, value) => void kept.set(name, JSON.stringify(value)),
  };
}

function rig(values?: Values, base = tempDir(), trashItem?: (file: string) => Promise<void>) {
  const home = path.join(base, 'home');
  const dataDir = path.join(home, '.data');
  for (const dir of ['docs', '.config', '.data', 'empty'])
    mkdirSync(path.join(home, dir), { recursive: true });
  mkdirSync(path.join(base, 'outside'), { recursive: true });
  writeFileSync(path.join(home, 'docs', 'a.txt'), 'abc');
  utimesSync(path.join(home, 'docs', 'a.txt'), 1e9, 1e9);
  writeFileSync(path.join(home, 'docs', '.hidden'), '');
  const { random, dialogs } = fakePorts();
  onTestFinished(fenceOff(dataDir, ['sample-files']));
  const revealInFolder = vi.fn<(file: string) => Promise<void>>().mockResolvedValue();
  const files = createFiles({
    random,
    dialogs,
    shell: { revealInFolder, ...(trashItem === undefined ? {} : { trashItem }) },
    roots: [home],
    sampleDir: path.join(dataDir, 'sample-files'),
    ...(values === undefined ? {} : { values }),
  });
  return { files, home, base, revealInFolder };
}

async function handleOf(files: Files, ...way: readonly string[]): Promise<string> {
  const [root] = await files.roots();
  let handle = root?.handle ?? '';
  for (const name of way) {
    const { entries } = await files.list({ folderHandle: handle, ...page, showHidden: true });
    handle = entries.find((entry) => entry.name === name)?.handle ?? '';
  }
  return handle;
}

const namesIn = async (files: Files, folderHandle: string, showHidden = false): Promise<string[]> =>
  (await files.list({ folderHandle, ...page, showHidden })).entries.map(({ name }) => name);

test("local folders list hidden files on request, and never Cooper's own data", async () => {
  const { files } = rig();
  const home = await handleOf(files);
  expect(await namesIn(files, home)).toEqual(['docs', 'empty']);
  expect(await namesIn(files, home, true)).toEqual(['.config', 'docs', 'empty']);
  expect(await namesIn(files, await handleOf(files, 'docs'), true)).toEqual(['.hidden', 'a.txt']);
});

test('local folders list size and time of a file', async () => {
  const { files } = rig();
  const { entries } = await files.list({ folderHandle: await handleOf(files, 'docs'), ...page });
  expect(entries).toMatchObject([{ name: 'a.txt', sizeBytes: 3, modifiedAt: '2001-09-09T01:46:40.000Z' }]);
});

test('links out of the roots or in a circle are counted and hidden; a link to a parent folder can be opened', async () => {
  const { files, home, base } = rig();
  const links = path.join(home, 'empty');
  symlinkSync(path.join(base, 'outside'), path.join(links, 'out'));
  symlinkSync(path.join(links, 'b'), path.join(links, 'a'));
  symlinkSync(path.join(links, 'a'), path.join(links, 'b'));
  symlinkSync(home, path.join(links, 'up'));
  const listed = await files.list({ folderHandle: await handleOf(files, 'empty'), ...page });
  expect(listed.entries.map(({ name }) => name)).toEqual(['up']);
  expect(listed.leftOut).toBe(3);
  expect(await namesIn(files, listed.entries[0]?.handle ?? '')).toEqual(['docs', 'empty']);
});

test('all pages of a local folder come from the snapshot of its first page', async () => {
  const { files, home } = rig();
  for (const name of ['1', '2', '3', '4']) writeFileSync(path.join(home, 'empty', name), '');
  const folderHandle = await handleOf(files, 'empty');
  const first = await files.list({ folderHandle, offset: 0, limit: 2, text: '' });
  writeFileSync(path.join(home, 'empty', '0'), '');
  const second = await files.list({ folderHandle, offset: 2, limit: 2, text: '' });
  expect([...first.entries, ...second.entries].map(({ name }) => name)).toEqual(['1', '2', '3', '4']);
  expect(await namesIn(files, folderHandle)).toEqual(['0', '1', '2', '3', '4']);
});

test('a removed local folder fails with local-gone, unlike one without permission', async () => {
  const { files, home } = rig();
  const gone = await handleOf(files, 'docs');
  rmSync(path.join(home, 'docs'), { recursive: true });
  await expect(files.list({ folderHandle: gone, ...page })).rejects.toMatchObject({
    error: { code: 'not-found', reason: 'local-gone' },
  });
});

// Skipped for root, who can read every folder.
test.skipIf(process.getuid?.() === 0)(
  'a local folder without read permission fails with local-denied',
  async () => {
    const { files, home } = rig();
    const closed = await handleOf(files, 'docs');
    chmodSync(path.join(home, 'docs'), 0);
    await expect(files.list({ folderHandle: closed, ...page })).rejects.toMatchObject({
      error: { code: 'access-denied', reason: 'local-denied' },
    });
    chmodSync(path.join(home, 'docs'), 0o700);
  },
);

test('a new folder is created in the requested folder, and an existing name is a conflict', async () => {
  const { files, home } = rig();
  const made = await files.makeFolder({ folderHandle: await handleOf(files, 'docs'), name: 'new one' });
  expect(made).toMatchObject({ name: 'new one', kind: 'folder' });
  expect(existsSync(path.join(home, 'docs', 'new one'))).toBe(true);
  await expect(
    files.makeFolder({ folderHandle: await handleOf(files, 'docs'), name: 'new one' }),
  ).rejects.toMatchObject({ error: { code: 'conflict', reason: 'local-exists' } });
});

test.each(['..', '.', 'a/b', '../x', '/etc/x', 'nul\0byte', '\uD800', 'x'.repeat(256)])(
  'a new local folder cannot be named %j',
  async (name) => {
    const { files, home } = rig();
    const folderHandle = await handleOf(files, 'docs');
    await expect(files.makeFolder({ folderHandle, name })).rejects.toMatchObject({
      error: { code: 'invalid-argument', reason: 'local-name' },
    });
    expect(readdirSync(path.join(home, 'docs')).toSorted()).toEqual(['.hidden', 'a.txt']);
  },
);

test('local names are checked by the rules of the operating system', () => {
  expect(isLocalName('con', 'win32')).toBe(false);
  expect(isLocalName('a\\b', 'win32')).toBe(false);
  expect(isLocalName('a\\b', 'linux')).toBe(true);
  expect(isLocalName('ordinary.txt', 'win32')).toBe(true);
});

test('no folder is created or revealed behind a link out of the roots', async () => {
  const { files, home, base, revealInFolder } = rig();
  const folderHandle = await handleOf(files, 'empty');
  rmSync(path.join(home, 'empty'), { recursive: true });
  symlinkSync(path.join(base, 'outside'), path.join(home, 'empty'));
  const refused = { error: { code: 'access-denied', reason: 'outside-roots' } };
  await expect(files.makeFolder({ folderHandle, name: 'x' })).rejects.toMatchObject(refused);
  await expect(files.reveal(folderHandle)).rejects.toMatchObject(refused);
  expect(readdirSync(path.join(base, 'outside'))).toEqual([]);
  expect(revealInFolder).not.toHaveBeenCalled();
});

test("a file is revealed in the system's file manager by its path", async () => {
  const { files, home, revealInFolder } = rig();
  await files.reveal(await handleOf(files, 'docs', 'a.txt'));
  expect(revealInFolder).toHaveBeenCalledWith(path.join(home, 'docs', 'a.txt'));
});

test('handles of opened local folders stay valid after a restart, others do not', async () => {
  const values = memoryValues();
  const base = tempDir();
  const before = rig(values, base).files;
  const docs = await handleOf(before, 'docs');
  const empty = await handleOf(before, 'empty');
  await before.list({ folderHandle: docs, ...page });
  const after = rig(values, base).files;
  // Checked first, because after a restart the fake repeats the names of handles.
  await expect(after.list({ folderHandle: empty, ...page })).rejects.toMatchObject({
    error: { reason: 'file-handle' },
  });
  expect(await namesIn(after, docs)).toEqual(['a.txt']);
});

test('local files are moved to the trash only if the host has one', async () => {
  const trashItem = vi.fn<(file: string) => Promise<void>>().mockResolvedValue();
  const { files, home } = rig(undefined, tempDir(), trashItem);
  const request = { folderHandle: await handleOf(files, 'docs'), names: ['a.txt'], isPermanent: false };
  await files.remove(request);
  expect(trashItem).toHaveBeenCalledWith(path.join(home, 'docs', 'a.txt'));
  expect(existsSync(path.join(home, 'docs', 'a.txt'))).toBe(true);
  const without = rig();
  await expect(
    without.files.remove({ ...request, folderHandle: await handleOf(without.files, 'docs') }),
  ).rejects.toMatchObject({ error: { code: 'unsupported', reason: 'no-trash' } });
});

test('a renamed local file is listed under its new name, with a handle that works', async () => {
  const { files, home } = rig();
  const folderHandle = await handleOf(files, 'docs');
  const renamed = await files.rename({ folderHandle, name: 'a.txt', newName: 'b.txt' });
  expect(renamed).toMatchObject({ name: 'b.txt', kind: 'file', sizeBytes: 3 });
  expect(await files.realPathOf(renamed.handle)).toBe(path.join(home, 'docs', 'b.txt'));
  expect(await namesIn(files, folderHandle)).toEqual(['b.txt']);
});
