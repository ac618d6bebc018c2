import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fenceOff } from '../../../../electron/core/disk/fence.ts';
import { createFiles } from '../../../../electron/core/files/files.ts';
import { isPickable } from '../../../../electron/core/files/folder-entries.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const page = { offset: 0, limit: 100, text: '' };

function rig() {
  const base = tempDir();
  const [home, outside, dataDir] = ['home', 'outside', 'home/data'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const dir of ['home/docs', 'home/.ssh', 'home/data/sample-files', 'outside'])
    mkdirSync(path.join(base, dir), { recursive: true });
  for (const file of [
    'home/.ssh/id',
    'home/data/secrets.json',
    'outside/x',
    'home/docs/a',
    'home/data/sample-files/s',
  ])
    writeFileSync(path.join(base, file), '');
  symlinkSync(outside, path.join(home, 'docs', 'away'));
  symlinkSync(path.join(home, '.ssh'), path.join(home, 'docs', 'keys'));
  symlinkSync(dataDir, path.join(home, 'docs', 'data'));
  symlinkSync(path.join(outside, 'x'), path.join(home, 'docs', 'file'));
  symlinkSync('/', path.join(home, 'docs', 'root'));
  symlinkSync(path.join(home, 'docs'), path.join(home, 'loop'));
  onTestFinished(fenceOff(dataDir, ['sample-files']));
  const { random, dialogs, shell } = fakePorts();
  const files = createFiles({
    random,
    dialogs,
    shell,
    roots: [home],
    sampleDir: path.join(dataDir, 'sample-files'),
  });
  return { files, home, outside, dataDir };
}

test('links, dot folders and the data folder are not listed if they lead out of the roots', async () => {
  const { files } = rig();
  const [home, samples] = await files.roots();
  const top = await files.list({ folderHandle: home?.handle ?? '', ...page });
  expect(top.entries.map(({ name }) => name)).toEqual(['docs', 'loop']);
  const docs = await files.list({ folderHandle: top.entries[0]?.handle ?? '', ...page });
  expect(docs.entries.map(({ name }) => name)).toEqual(['a']);
  const shown = await files.list({ folderHandle: samples?.handle ?? '', ...page });
  expect(shown.entries.map(({ name }) => name)).toEqual(['s']);
});

test('a folder replaced by a link after it was listed is not followed', async () => {
  const { files, home, outside } = rig();
  const { rmSync } = await import('node:fs');
  const [root] = await files.roots();
  const top = await files.list({ folderHandle: root?.handle ?? '', ...page });
  const docs = top.entries.find(({ name }) => name === 'docs');
  rmSync(path.join(home, 'docs'), { recursive: true });
  symlinkSync(outside, path.join(home, 'docs'));
  await expect(files.list({ folderHandle: docs?.handle ?? '', ...page })).rejects.toThrow('cannot be shown');
});

test('a handle that the core did not issue is refused', async () => {
  const { files } = rig();
  for (const handle of ['..', '/etc', '../../etc/passwd', '', '__proto__', 'C:\\'])
    await expect(files.list({ folderHandle: handle, ...page })).rejects.toThrow('no longer known');
});

test.each([
  ['home/docs', true],
  ['home', true],
  ['home/.ssh/id', false],
  ['home/docs/.git/x', false],
  ['other', false],
  ['home2', false],
  ['.', false],
  ['home/data', false],
  ['home/data/secrets.json', false],
  ['home/data/sample-files/a', true],
])('%s may be picked in a dialog: %s', (real, isAllowed) => {
  const { home } = rig();
  const within = { roots: [home], showHidden: false };
  expect(isPickable(path.join(path.dirname(home), real), within)).toBe(isAllowed);
});
