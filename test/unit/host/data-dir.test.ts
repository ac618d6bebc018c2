import {
  appendFileSync,
  chmodSync,
  closeSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
] as const)('on %s with %j the data folder is %s', (platform, env, expected) => {
  expect(defaultDataDir({ platform, env, home: '/home/ann' })).toBe(expected);
});

test('on Windows the data folder is in the roaming folder', () => {
  const home = String.raw`C:\Users\ann`;
  const roaming = String.raw`D:\Roaming`;
  expect(defaultDataDir({ platform: 'win32', env: { APPDATA: roaming }, home })).toBe(
    String.raw`D:\Roaming\Cooper`,
  );
  expect(defaultDataDir({ platform: 'win32', env: {}, home })).toBe(
    String.raw`C:\Users\ann\AppData\Roaming\Cooper`,
  );
});

test('a missing data folder is created with its parents, private to its owner', () => {
  const made = prepareDataDir(path.join(dir, 'a', 'b'));
  expect(statSync(made).mode & 0o777).toBe(0o700);
});

const modeOf = (...names: string[]): number => statSync(path.join(dir, ...names)).mode & 0o777;
const hasRights = process.platform !== 'win32';
const isRoot = process.geteuid?.() === 0;
const refusal = (reason: string) =>
  expect.objectContaining({ exitStatus: 2, message: expect.stringContaining(reason) as string });

describe.runIf(hasRights)('other users of this computer', () => {
  test.each([0o755, 0o777, 0o750, 0o701])(
    'lose all rights to an existing data folder with mode %o and its contents',
    (mode) => {
      mkdirSync(path.join(dir, 'sample-buckets', 'blobs'), { recursive: true });
      writeFileSync(path.join(dir, 'cooper.db.damaged-2026'), '');
      writeFileSync(path.join(dir, 'sample-buckets', 'blobs', 'b'), '');
      for (const name of ['sample-buckets', 'sample-buckets/blobs']) chmodSync(path.join(dir, name), 0o777);
      for (const name of ['cooper.db.damaged-2026', 'sample-buckets/blobs/b'])
        chmodSync(path.join(dir, name), 0o666);
      chmodSync(dir, mode);
      prepareDataDir(dir);
      expect(modeOf()).toBe(0o700);
      expect(modeOf('sample-buckets', 'blobs')).toBe(0o700);
      expect(modeOf('cooper.db.damaged-2026')).toBe(0o600);
      expect(modeOf('sample-buckets', 'blobs', 'b')).toBe(0o600);
    },
  );

  test('lose their rights to a file in a private folder, and links are not followed', () => {
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'cooper-test-'));
    chmodSync(elsewhere, 0o755);
    symlinkSync(elsewhere, path.join(dir, 'link'));
    writeFileSync(path.join(dir, 'cooper.db'), '');
    chmodSync(path.join(dir, 'cooper.db'), 0o644);
    prepareDataDir(dir);
    expect(modeOf('cooper.db')).toBe(0o600);
    expect(statSync(elsewhere).mode & 0o777).toBe(0o755);
    rmSync(elsewhere, { recursive: true });
  });

  test.each([
    ['that all may write to, as /tmp', 0o1777],
    ['that is the home folder', 0o755],
  ])('cannot share a folder %s, which is refused unchanged', (_name, mode) => {
    chmodSync(dir, mode);
    expect(() => prepareDataDir(dir, dir)).toThrow(refusal('Cooper needs a folder of its own'));
    expect(statSync(dir).mode & 0o7777).toBe(mode);
  });

  test.runIf(isRoot).each([0o755, 0o700])(
    'cannot own a data folder with mode %o, which is refused unchanged',
    (mode) => {
      chmodSync(dir, mode);
      chownSync(dir, 54_321, 54_321);
      expect(() => prepareDataDir(dir)).toThrow(refusal('belongs to another user'));
      expect(modeOf()).toBe(mode);
    },
  );
});

test.each(['file', 'file/below'])(
  'a file in place of the data folder (%s) is refused with a message and status 2',
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

test('a data folder on a file system that allows no folder is refused with its reason', () => {
  expect(() => prepareDataDir('/proc/cooper')).toThrow(
    expect.objectContaining({ exitStatus: 2, message: expect.stringContaining('/proc/cooper') as string }),
  );
});

test.runIf(process.platform !== 'win32')(
  'a log opened by others before the start is continued in a new private file',
  () => {
    const log = path.join(dir, 'cooper.log');
    writeFileSync(log, 'before\n');
    chmodSync(log, 0o644);
    const early = openSync(log, 'r');
    prepareDataDir(dir);
    appendFileSync(log, 'after\n');
    expect(readFileSync(early, 'utf8')).toBe('before\n');
    closeSync(early);
    expect(readFileSync(log, 'utf8')).toBe('before\nafter\n');
    expect(statSync(log).mode & 0o777).toBe(0o600);
  },
);
