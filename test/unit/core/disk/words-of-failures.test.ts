import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { toAppError } from '../../../../shared/errors.ts';
import { lookAtFile } from '../../../../electron/core/disk/local-file.ts';
import { readFailure } from '../../../../electron/core/disk/read-failure.ts';
import { walkLocal, type Found } from '../../../../electron/core/disk/walk-local.ts';
import { afterFailure } from '../../../../electron/core/jobs/failure.ts';
import { localFileFailure } from '../../../../electron/core/transfers/items/item-context.ts';
import { startDetailOf } from '../../../../electron/host/data-dir.ts';
import { tempDir } from '../../../support/temp-dir.ts';

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: something, write`), { code });
}

test.each([
  ['ENOSPC', 'disk-full'],
  ['EDQUOT', 'quota-full'],
  ['ESTALE', 'drive-stale'],
] as const)('a write that fails with %s has a specific reason (%s)', (code, reason) => {
  expect(toAppError(localFileFailure(systemError(code)))).toMatchObject({ code: 'storage', reason });
  expect(startDetailOf(systemError(code))).not.toContain(code);
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
