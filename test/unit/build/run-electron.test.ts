import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runElectron } from '../../../build/scripts/run-electron.ts';
import { tempDir } from '../../support/temp-dir.ts';

const isWindows = process.platform === 'win32';
const run = (file: string, stop: AbortSignal = new AbortController().signal) =>
  runElectron(file, { root: '/cooper', dataDir: '/data', link: null, print: () => undefined, stop });

test('names the reason if the binary does not exist', async () => {
  expect(await run(path.join(tempDir(), 'electron'))).toContain('ENOENT');
});

test.skipIf(isWindows)('names the reason if the binary is not executable', async () => {
  const file = path.join(tempDir(), 'electron');
  writeFileSync(file, 'not a program');
  chmodSync(file, 0o600);
  expect(await run(file)).toContain('EACCES');
});

test('names the reason if the folder of the binary is a file', async () => {
  const file = path.join(tempDir(), 'electron');
  writeFileSync(file, '');
  expect(await run(path.join(file, 'electron'))).toMatch(/ENOTDIR|ENOENT/);
});

test.skipIf(process.platform === 'win32')(
  'names the exit status of a binary that ends silently',
  async () => {
    const file = path.join(tempDir(), 'electron');
    writeFileSync(file, '#!/bin/sh\nexit 3\n', { mode: 0o700 });
    expect(await run(file)).toBe('status 3');
  },
);

test.skipIf(isWindows)('does not start Electron if Ctrl-C was pressed during its download', async () => {
  const dir = tempDir();
  const file = path.join(dir, 'electron');
  writeFileSync(file, `#!/bin/sh\n: > '${dir}/started'\n`, { mode: 0o700 });
  expect(await run(file, AbortSignal.abort())).toBeNull();
  expect(existsSync(path.join(dir, 'started'))).toBe(false);
});
