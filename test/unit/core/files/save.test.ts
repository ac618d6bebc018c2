import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fenceOff } from '../../../../electron/core/disk/fence.ts';
import { createFiles } from '../../../../electron/core/files/files.ts';
import { fakePorts } from '../../../support/core/fake-ports.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const contentBase64 = Buffer.from('a,b\n1,2\n').toString('base64');

function rig(target: (base: string) => string | null) {
  const base = tempDir();
  const dataDir = path.join(base, 'data');
  mkdirSync(dataDir);
  writeFileSync(path.join(dataDir, 'secrets.json'), 'secret');
  onTestFinished(fenceOff(dataDir));
  const suggested: string[] = [];
  const { random, shell, dialogs } = fakePorts();
  const files = createFiles({
    random,
    shell,
    roots: [base],
    sampleDir: path.join(dataDir, 'sample-files'),
    dialogs: {
      ...dialogs,
      available: true,
      saveFile: ({ suggestedName }) => {
        suggested.push(suggestedName);
        return Promise.resolve(target(base));
      },
    },
  });
  return { files, base, dataDir, suggested };
}

test('a file saved by the window is on the disk under the chosen name when the call returns', async () => {
  const { files, base, suggested } = rig((folder) => path.join(folder, 'mine.csv'));
  writeFileSync(path.join(base, 'mine.csv'), 'replaced by the user\u2019s order');
  expect(await files.save({ fileName: '../up/a:b.csv', contentBase64 })).toEqual({ isSaved: true });
  expect(readFileSync(path.join(base, 'mine.csv'), 'utf8')).toBe('a,b\n1,2\n');
  expect(readdirSync(base)).toEqual(['data', 'mine.csv']);
  expect(suggested).toEqual(['a_b.csv']);
});

test('a cancelled save dialog saves nothing', async () => {
  const { files, base } = rig(() => null);
  expect(await files.save({ fileName: 'a.csv', contentBase64 })).toEqual({ isSaved: false });
  expect(readdirSync(base)).toEqual(['data']);
});

test.each(['data/secrets.json', 'link/secrets.json'])(
  'saving into the data folder is refused: %s',
  async (name) => {
    const { files, base, dataDir } = rig((folder) => path.join(folder, name));
    symlinkSync(dataDir, path.join(base, 'link'));
    await expect(files.save({ fileName: 'a.csv', contentBase64 })).rejects.toMatchObject({
      error: { reason: 'own-data' },
    });
    expect(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')).toBe('secret');
    expect(readdirSync(dataDir)).toEqual(['secrets.json']);
  },
);

test('a failed save is reported as file-unwritable', async () => {
  const { files } = rig((folder) => path.join(folder, 'no', 'such', 'folder.csv'));
  await expect(files.save({ fileName: 'a.csv', contentBase64 })).rejects.toMatchObject({
    error: { code: 'storage', reason: 'file-unwritable' },
  });
});
