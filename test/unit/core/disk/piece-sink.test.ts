import { createHash } from 'node:crypto';
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHashPool, type Hasher } from '../../../../electron/core/disk/hash-pool.ts';

let hasher: Hasher;
let folder = '';
beforeAll(() => {
  hasher = createHashPool();
  folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-sink-'));
});
afterAll(async () => {
  await hasher.close();
  rmSync(folder, { recursive: true, force: true });
});

const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

test('concurrent pieces are written at their offsets and hashed per part', async () => {
  const file = path.join(folder, 'a');
  const fd = openSync(file, 'w+');
  const sinks = [0, 1, 2].map(() => hasher.openPiece({ fd, partBytes: 4 }));
  const texts = ['abcdefghij', 'klmnopqrst', 'uvw'];
  const md5s = await Promise.all(
    sinks.map(async (sink, index) => {
      const text = texts[index] ?? '';
      // Writes blocks that end in the middle of parts.
      for (let at = 0; at < text.length; at += 3)
        await sink.write(bytesOf(text.slice(at, at + 3)), index * 10 + at);
      return await sink.end();
    }),
  );
  closeSync(fd);
  expect(readFileSync(file, 'utf8')).toBe(texts.join(''));
  expect(md5s).toEqual(
    texts.map((text) => (text.match(/.{1,4}/g) ?? []).map((part) => md5(Buffer.from(part)))),
  );
});

test('a block is transferred to the thread while it is written and returned whole', async () => {
  const fd = openSync(path.join(folder, 'c'), 'w+');
  const sink = hasher.openPiece({ fd, partBytes: null });
  const block = new Uint8Array(8);
  const writing = sink.write(block.subarray(0, 3), 0);
  expect(block.byteLength).toBe(0);
  expect((await writing).byteLength).toBe(8);
  await sink.end();
  closeSync(fd);
});

test("a failed disk write rejects with the system's code, and the thread serves the next piece", async () => {
  const file = path.join(folder, 'b');
  const fd = openSync(file, 'w+');
  closeSync(fd);
  const sink = hasher.openPiece({ fd: 99_999, partBytes: null });
  await expect(sink.write(bytesOf('x'), 0)).rejects.toMatchObject({ code: 'EBADF' });
  expect(await sink.end()).toEqual([]);
  const again = openSync(file, 'w+');
  const other = hasher.openPiece({ fd: again, partBytes: null });
  await other.write(bytesOf('x'), 0);
  expect(await other.end()).toEqual([]);
  closeSync(again);
  expect(readFileSync(file, 'utf8')).toBe('x');
});
