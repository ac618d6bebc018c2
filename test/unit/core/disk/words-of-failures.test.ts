import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { toAppError } from '../../../../shared/errors.ts';
import errors from '../../../../shared/messages/en/errors.json' with { type: 'json' };
import jobs from '../../../../shared/messages/en/jobs.json' with { type: 'json' };
import { lookAtFile } from '../../../../electron/core/disk/local-file.ts';
import { readFailure, diskFailure, localFileFailure } from '../../../../electron/core/disk/disk-failure.ts';
import { saveFile } from '../../../../electron/core/disk/save-file.ts';
import { walkLocal, type Found } from '../../../../electron/core/disk/walk-local.ts';
import { localNameFailure } from '../../../../electron/core/files/local-names.ts';
import { afterFailure } from '../../../../electron/core/jobs/failure.ts';
import { startDetailOf } from '../../../../electron/host/data-dir.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const codes = [
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'quota-full'],
  ['ESTALE', 'drive-stale'],
  ['EROFS', 'disk-read-only'],
  ['EIO', 'disk-broken'],
  ['EMFILE', 'too-many-open-files'],
  ['ENFILE', 'too-many-open-files'],
  ['ENAMETOOLONG', 'name-too-long'],
] as const;

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, write`), { code, syscall: 'write' });
}

async function* brokenAfterBytes(code: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('new'));
  throw systemError(code);
}

describe.each(codes)('if the disk fails with %s,', (code, reason) => {
  test('a transfer, a read, a local folder and a call report the same reason, without the code', () => {
    const thrown = systemError(code);
    const failures = [
      localFileFailure(thrown),
      readFailure(code),
      localNameFailure(thrown),
      diskFailure(thrown),
    ].map(toAppError);
    for (const error of failures) {
      expect(error).toMatchObject({ code: 'storage', reason });
      expect(error.message).not.toContain(code);
    }
  });

  test('the reason has words for people, and so has the start of the program', () => {
    expect(Object.keys(errors.reasons)).toContain(reason);
    expect(Object.keys(jobs.failedItems.why)).toContain(reason);
    expect(startDetailOf(systemError(code))).not.toContain(code);
  });

  test('a save from the dialog keeps the existing file and leaves nothing beside it', async () => {
    const dir = tempDir();
    const target = path.join(dir, 'kept');
    writeFileSync(target, 'kept');
    await expect(
      saveFile(target, brokenAfterBytes(code), new AbortController().signal),
    ).rejects.toMatchObject({ error: { code: 'storage', reason } });
    expect(readdirSync(dir)).toEqual(['kept']);
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });
});

test('a refused permission has words in a call and at the start', () => {
  const thrown = Object.assign(systemError('EACCES'), { path: 'folder' });
  expect(toAppError(diskFailure(thrown))).toMatchObject({ code: 'storage', reason: 'folder-unwritable' });
  expect(startDetailOf(thrown)).not.toContain('EACCES');
});

test('errors of sockets and of the program are not taken for errors of the disk', () => {
  for (const thrown of [
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    Object.assign(new Error('connect EACCES'), { code: 'EACCES', syscall: 'connect' }),
    Object.assign(new TypeError('no such argument'), { code: 'ERR_INVALID_ARG_TYPE' }),
  ])
    expect(diskFailure(thrown)).toBe(thrown);
});

test('a job repeats while too many files are open, a limited number of times', () => {
  const error = toAppError(localFileFailure(systemError('EMFILE')));
  expect(afterFailure(error, 0)).toEqual({ kind: 'repeat' });
  expect(afterFailure(error, 1000)).toEqual({ kind: 'attention', reason: 'file-unreadable' });
});

test('an exceeded quota pauses a job as a full disk does', () => {
  const error = toAppError(localFileFailure(systemError('EDQUOT')));
  expect(afterFailure(error, 0)).toEqual({ kind: 'pause', reason: 'quota-full' });
});

test('a read from a network drive that lost the file fails with drive-stale', () => {
  expect(toAppError(readFailure('ESTALE'))).toMatchObject({ reason: 'drive-stale' });
});

test.skipIf(process.platform === 'win32')(
  'a symbolic link without a target is reported as link-dangling',
  async () => {
    const dir = path.join(tempDir(), 'chosen');
    mkdirSync(dir);
    writeFileSync(path.join(dir, 'file'), 'x');
    symlinkSync(path.join(dir, 'nothing'), path.join(dir, 'link'));
    const found: Found[] = [];
    for await (const entry of walkLocal([{ path: dir, real: null }], true, new AbortController().signal))
      found.push(entry);
    expect(found.find(({ path: at }) => at.endsWith('link'))?.error).toMatchObject({
      reason: 'link-dangling',
    });
    expect(found.find(({ path: at }) => at.endsWith('file'))?.error).toBeNull();
    await expect(lookAtFile({ path: path.join(dir, 'link') })).rejects.toMatchObject({
      error: { reason: 'link-dangling' },
    });
    await expect(lookAtFile({ path: path.join(dir, 'nothing') })).rejects.toMatchObject({
      error: { reason: 'file-missing' },
    });
  },
);
