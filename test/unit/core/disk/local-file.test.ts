import { renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { checkUnchanged, lookAtFile, plannedSource } from '../../../../electron/core/disk/local-file.ts';
import { sliceBody } from '../../../../electron/core/disk/slice-body.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const changed = { code: 'storage', reason: 'file-changed' };

async function seen() {
  const file = path.join(tempDir(), 'film.bin');
  writeFileSync(file, 'before');
  const then = new Date('2026-01-01T00:00:00Z');
  utimesSync(file, then, then);
  return { file, time: then, known: await lookAtFile({ path: file }) };
}

test('an untouched file counts as unchanged', async () => {
  const { known } = await seen();
  await expect(checkUnchanged(known)).resolves.toBeUndefined();
});

test('a file of another size counts as changed even if its time was restored', async () => {
  const { file, time, known } = await seen();
  writeFileSync(file, 'before and more');
  utimesSync(file, time, time);
  expect(await errorOf(checkUnchanged(known))).toMatchObject(changed);
});

test('a file written at another time counts as changed even if its size is the same', async () => {
  const { file, known } = await seen();
  writeFileSync(file, 'after!');
  expect(await errorOf(checkUnchanged(known))).toMatchObject(changed);
});

test('a replaced file counts as changed even if size and time are the same', async () => {
  const { file, time, known } = await seen();
  const other = `${file}.new`;
  writeFileSync(other, 'after!');
  utimesSync(other, time, time);
  renameSync(other, file);
  expect(statSync(file).mtimeMs).toBe(time.getTime());
  expect(await errorOf(checkUnchanged(known))).toMatchObject(changed);
});

test('a removed file is reported as file-missing, and a folder as file-unreadable', async () => {
  const { file, known } = await seen();
  rmSync(file);
  expect(await errorOf(checkUnchanged(known))).toMatchObject({ code: 'storage', reason: 'file-missing' });
  expect(await errorOf(checkUnchanged({ ...known, path: path.dirname(file) }))).toMatchObject({
    code: 'storage',
    reason: 'file-unreadable',
  });
  expect(await errorOf(checkUnchanged({ ...known, path: null }))).toMatchObject({ reason: 'file-missing' });
});

test.skipIf(process.platform === 'win32')(
  'a body is not read from a link that leads to another file than the planned one',
  async () => {
    const dir = tempDir();
    const link = path.join(dir, 'link');
    for (const name of ['planned', 'other']) writeFileSync(path.join(dir, name), name.padEnd(10));
    symlinkSync(path.join(dir, 'planned'), link);
    const known = await lookAtFile({ path: link });
    const options = { offset: 0, sizeBytes: 10, bytes: null, limiters: [], onBytes: () => undefined };
    const { signal } = new AbortController();
    const body = sliceBody({ ...options, file: plannedSource(known), signal });
    const read = async (): Promise<string> => {
      const opened = body.open();
      return opened instanceof Uint8Array ? Buffer.from(opened).toString() : await text(opened);
    };
    expect(await read()).toBe('planned   ');
    rmSync(link);
    symlinkSync(path.join(dir, 'other'), link);
    expect(await errorOf(read())).toMatchObject(changed);
  },
);
