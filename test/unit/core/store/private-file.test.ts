import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../electron/core/store/database.ts';
import { makePrivateFile, makePrivateFolder } from '../../../../electron/core/store/private-file.ts';
import { ScratchDatabase } from '../../../../electron/core/store/scratch.ts';
import { takeLock } from '../../../../electron/host/lock.ts';
import { openIndex } from '../../../../electron/service/store/service-schema.ts';
import { Blobs } from '../../../../electron/service/store/blobs.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

describe.runIf(process.platform !== 'win32')('with any umask', () => {
  test.each([0o000, 0o022, 0o077])('%o, the database, its -wal and its -shm have mode 0600', (mask) => {
    const dir = tempDir();
    withUmask(mask);
    const file = path.join(dir, 'cooper.db');
    const { database } = openDatabase(file, { nowMs: 0 });
    database.exec('CREATE TABLE one (a)');
    for (const end of ['', '-wal', '-shm']) expect(modeOf(file + end)).toBe('600');
    database.close();
  });

  test('the files that an earlier version left readable are narrowed, including the -wal', () => {
    const dir = tempDir();
    withUmask(0);
    const file = path.join(dir, 'cooper.db');
    const before = new DatabaseSync(file);
    before.exec('PRAGMA journal_mode = WAL; CREATE TABLE one (a)');
    expect(modeOf(`${file}-wal`)).toBe('644');
    makePrivateFile(file);
    for (const end of ['', '-wal', '-shm']) expect(modeOf(file + end)).toBe('600');
    before.close();
  });

  test('the lock file has mode 0600, also if it was wider, and stays taken while checked', () => {
    const dir = tempDir();
    withUmask(0);
    writeFileSync(path.join(dir, 'lock.db'), '');
    const lock = takeLock(dir);
    expect(modeOf(path.join(dir, 'lock.db'))).toBe('600');
    expect(takeLock(dir)).toBeNull();
    expect(takeLock(dir)).toBeNull();
    lock?.release();
  });

  test('scratch databases and the index and blobs of the sample buckets are private', async () => {
    const dir = tempDir();
    withUmask(0);
    const scratch = new ScratchDatabase(path.join(dir, 'walks', 'w.db'), 'CREATE TABLE t (a)', 100);
    const service = path.join(dir, 'service');
    const index = openIndex(service);
    const blobs = new Blobs(service);
    const blob = await blobs.create();
    await blob.write(Buffer.from('bytes'));
    expect(modeOf(path.join(service, 'incoming', blob.file))).toBe('600');
    await blob.finish();
    for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true }))
      expect(modeOf(path.join(entry.parentPath, entry.name))).toBe(entry.isDirectory() ? '700' : '600');
    expect(existsSync(blobs.path(blob.file))).toBe(true);
    scratch.drop();
    index.close();
  });

  test('an existing folder is narrowed without new rights for its owner', () => {
    const dir = path.join(tempDir(), 'folder');
    mkdirSync(dir);
    chmodSync(dir, 0o577);
    makePrivateFolder(dir);
    expect(modeOf(dir)).toBe('500');
    chmodSync(dir, 0o700);
  });

  test.runIf(process.geteuid?.() === 0)('a second user can neither read the files nor hold the lock', () => {
    const dir = tempDir();
    // Makes the folder readable to others, so that the files' own permissions matter.
    chmodSync(dir, 0o755);
    withUmask(0);
    const { database } = openDatabase(path.join(dir, 'cooper.db'), { nowMs: 0 });
    takeLock(dir)?.release();
    for (const name of ['cooper.db', 'cooper.db-wal', 'cooper.db-shm', 'lock.db']) {
      const { status } = spawnSync('/bin/cat', [path.join(dir, name)], { uid: 54_321, gid: 54_321 });
      expect(status).not.toBe(0);
    }
    database.close();
  });
});
