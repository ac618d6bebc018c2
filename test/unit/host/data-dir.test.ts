import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultDataDir, prepareDataDir } from '../../../electron/host/data-dir.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-test-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/cooper'],
  ['linux', {}, '/home/ann/.local/share/cooper'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ann/.local/share/cooper'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/ann/.local/share/cooper'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/home/ann/Library/Application Support/Cooper'],
] as const)('on %s with %j data is kept in %s', (platform, env, expected) => {
  expect(defaultDataDir({ platform, env, home: '/home/ann' })).toBe(expected);
});

test('on Windows data is kept in the roaming folder', () => {
  const home = String.raw`C:\Users\ann`;
  const roaming = String.raw`D:\Roaming`;
  expect(defaultDataDir({ platform: 'win32', env: { APPDATA: roaming }, home })).toBe(
    String.raw`D:\Roaming\Cooper`,
  );
  expect(defaultDataDir({ platform: 'win32', env: {}, home })).toBe(
    String.raw`C:\Users\ann\AppData\Roaming\Cooper`,
  );
});

test('a missing folder is made, with its parents, for this account alone', () => {
  const made = prepareDataDir(path.join(dir, 'a', 'b'));
  expect(statSync(made).mode & 0o777).toBe(0o700);
});

test('the rights of a folder that is there stay as they are', () => {
  chmodSync(dir, 0o755);
  prepareDataDir(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o755);
});

test.each(['file', 'file/below'])(
  'a file in the place of a folder (%s) is refused with a sentence and status 2',
  (name) => {
    writeFileSync(path.join(dir, 'file'), '');
    expect(() => prepareDataDir(path.join(dir, name))).toThrow(
      expect.objectContaining({
        exitStatus: 2,
        message: expect.stringContaining('it is not a folder') as string,
      }),
    );
  },
);

test('a folder on a file system that takes nothing is refused with its reason', () => {
  expect(() => prepareDataDir('/proc/cooper')).toThrow(
    expect.objectContaining({ exitStatus: 2, message: expect.stringContaining('/proc/cooper') as string }),
  );
});
