import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findElectron, obtainElectron } from '../../../build/scripts/electron/electron-binary.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** A mirror whose port nothing listens on. */
const unreachableMirror = 'http://127.0.0.1:9/';
const onLinux = process.platform === 'linux';

/** An installer that, like Electron's, writes `path.txt` last. */
const installer = `
const fs = require('fs'), path = require('path');
fs.mkdirSync(path.join(__dirname, 'dist'), { recursive: true });
fs.writeFileSync(path.join(__dirname, 'dist', 'electron'), '');
fs.writeFileSync(path.join(__dirname, 'dist', 'version'), '45.4.1');
fs.writeFileSync(path.join(__dirname, 'path.txt'), 'electron');
`;

function rootWith(files: Readonly<Record<string, string>>): string {
  const root = tempDir();
  const all = { 'package.json': '{"version":"45.4.1"}', 'install.js': installer, ...files };
  for (const [name, text] of Object.entries(all)) {
    const file = path.join(root, 'node_modules/electron', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return root;
}

const whole = { 'dist/electron': '', 'dist/version': 'v45.4.1', 'path.txt': 'electron' };

beforeEach(() => {
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined);
  vi.stubEnv('ELECTRON_MIRROR', unreachableMirror);
  vi.stubEnv('electron_config_cache', tempDir());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe.skipIf(!onLinux)('Electron’s binary', () => {
  test('is found when it is whole and of the wanted version', () => {
    const root = rootWith(whole);
    expect(findElectron(root)).toBe(path.join(root, 'node_modules/electron/dist/electron'));
  });

  test.each([
    ['whose unpacking was cut short', { 'dist/electron': '', 'dist/version': '45.4.1' }],
    ['of an older version', { ...whole, 'dist/version': '44.0.0' }],
    ['without its executable', { 'dist/version': '45.4.1', 'path.txt': 'electron' }],
  ])('with %s does not count as installed', (_what, files) => {
    expect(findElectron(rootWith(files))).toBeNull();
  });

  test('that was cut short is downloaded again from a warm cache, also without a network', async () => {
    const cache = tempDir();
    const name = `electron-v45.4.1-${process.platform}-${process.arch}.zip`;
    mkdirSync(path.join(cache, 'ab12'));
    writeFileSync(path.join(cache, 'ab12', name), '');
    vi.stubEnv('electron_config_cache', cache);
    const root = rootWith({ 'dist/electron': '' });
    const got = await obtainElectron(root, { insist: false, onFetch: () => undefined });
    expect(got).toEqual({ kind: 'here', file: path.join(root, 'node_modules/electron/dist/electron') });
  });

  test('is not requested again for a day after its server could not be reached', async () => {
    const root = rootWith({});
    const fetches: number[] = [];
    const options = { insist: false, onFetch: (bytes: number) => void fetches.push(bytes) };
    const first = await obtainElectron(root, options);
    expect(first).toMatchObject({ kind: 'missing', reason: expect.stringContaining('127.0.0.1') });
    vi.stubEnv('ELECTRON_MIRROR', 'http://127.0.0.1:10/');
    expect(await obtainElectron(root, options)).toEqual(first);
    expect(fetches).toEqual([]);
  });

  test('reports its progress while the download grows', async () => {
    const seen = path.join(tempDir(), 'seen');
    const growing = `
const fs = require('fs'), path = require('path'), os = require('os');
fs.mkdirSync(path.join(os.tmpdir(), 'electron-download-x'));
fs.writeFileSync(path.join(os.tmpdir(), 'electron-download-x', 'electron.zip'), Buffer.alloc(21e6));
const wait = setInterval(() => {
  if (!fs.existsSync(${JSON.stringify(seen)})) return;
  clearInterval(wait);
  ${installer.replaceAll("const fs = require('fs'), path = require('path');", '')}
}, 5);`;
    const cache = tempDir();
    mkdirSync(path.join(cache, 'ab12'));
    writeFileSync(path.join(cache, 'ab12', `electron-v45.4.1-${process.platform}-${process.arch}.zip`), '');
    vi.stubEnv('electron_config_cache', cache);
    const progress: number[] = [];
    await obtainElectron(rootWith({ 'install.js': growing }), {
      insist: false,
      measureEveryMs: 5,
      onFetch: (bytes) => {
        progress.push(bytes);
        if (bytes > 0) writeFileSync(seen, '');
      },
    });
    expect(progress[0]).toBe(0);
    expect(progress.at(-1)).toBeGreaterThanOrEqual(20e6);
  });
});
