import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { assert, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  copyNameOf,
  holdsFiles,
  isCopyName,
  readCopy,
  readRecord,
  store,
  writeRecord,
  type EditRecord,
} from '../../../../electron/core/edits/edit-file.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const record: EditRecord = {
  version: 1,
  connectionId: 'c',
  bucket: 'papers',
  key: 'letters/a.txt',
  fileName: 'a.txt',
  etag: '"0cc175b9c0f1b6a831c399e269772661"',
  md5: '0cc175b9c0f1b6a831c399e269772661',
};

describe('the name of a copy', () => {
  test('is a single path segment and never the name of the record, for any key', () => {
    assert(
      property(string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (key) => {
        const name = copyNameOf(key);
        expect(path.basename(name)).toBe(name);
        expect(name).not.toMatch(/^\.{0,2}$/u);
        expect(isCopyName(name)).toBe(true);
      }),
    );
  });

  test.each(['edit.json', 'EDIT.JSON', 'edit.json.bak'])('of an object called %s gets a prefix', (key) => {
    expect(copyNameOf(`letters/${key}`)).toBe(`_${key}`);
  });
});

describe('the record of an edit', () => {
  test('is read as it was written', async () => {
    const dir = tempDir();
    await writeRecord(dir, record, 'x');
    expect(await readRecord(dir)).toEqual(record);
  });

  test('is null if the copy was never completed', async () => {
    expect(await readRecord(tempDir())).toBeNull();
  });

  test('that is damaged is refused instead of read as absent', async () => {
    const dir = tempDir();
    writeFileSync(path.join(dir, 'edit.json'), '{"version":1');
    await expect(readRecord(dir)).rejects.toThrow('JSON');
  });

  test('does not count as a file of the user', async () => {
    const dir = tempDir();
    await writeRecord(dir, record, 'x');
    expect(await holdsFiles(dir)).toBe(false);
    writeFileSync(path.join(dir, '~a.tmp'), 'unsaved');
    expect(await holdsFiles(dir)).toBe(true);
  });
});

describe('reading a copy', () => {
  test.each([
    ['a symbolic link', (from: string, to: string) => symlinkSync(from, to)],
    ['a folder', (_from: string, to: string) => mkdirSync(to)],
  ])('is refused if %s has taken its place', async (_name, replace) => {
    const dir = tempDir();
    const secret = path.join(dir, 'secret');
    writeFileSync(secret, 'private');
    const copy = path.join(dir, 'a.txt');
    replace(secret, copy);
    await expect(readCopy(copy)).rejects.toMatchObject({ error: { reason: 'edit-replaced' } });
  });

  test('accepts a file that its program has replaced by a hard link to its backup', async () => {
    const dir = tempDir();
    writeFileSync(path.join(dir, 'a.txt~'), 'saved');
    linkSync(path.join(dir, 'a.txt~'), path.join(dir, 'a.txt'));
    expect(String(await readCopy(path.join(dir, 'a.txt')))).toBe('saved');
  });
});

describe('storing a body', () => {
  const never = new AbortController().signal;

  test('keeps a body of exactly the limit', async () => {
    const file = path.join(tempDir(), 'a');
    await store(Readable.from([Buffer.alloc(6), Buffer.alloc(4)]), file, never, 10);
    expect((await readCopy(file)).length).toBe(10);
  });

  test('stops a body that exceeds its limit, whatever length was announced', async () => {
    const file = path.join(tempDir(), 'a');
    await expect(
      store(Readable.from([Buffer.alloc(6), Buffer.alloc(5)]), file, never, 10),
    ).rejects.toMatchObject({ error: { reason: 'edit-too-large' } });
  });
});
