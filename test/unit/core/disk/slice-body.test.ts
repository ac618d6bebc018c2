import { readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sliceBody, type SliceOptions } from '../../../../electron/core/disk/slice-body.ts';
import { openBody } from '../../../../electron/core/s3/http/request-body.ts';
import { bodyBytes } from '../../../support/core/body-bytes.ts';
import { bytesOf } from '../../../support/core/uploads-rig.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const MiB = 1024 * 1024;
const bytes = bytesOf(4 * MiB, 3);

function setUp(change: Partial<SliceOptions> = {}) {
  const file = path.join(tempDir(), 'file');
  writeFileSync(file, bytes);
  const body = sliceBody({
    file: { path: file },
    offset: 0,
    sizeBytes: bytes.length,
    bytes: null,
    limiters: [],
    signal: new AbortController().signal,
    onBytes: () => undefined,
    ...change,
  });
  const chunksOf = (): AsyncGenerator<Uint8Array> => {
    const opened = body.open();
    if (opened instanceof Uint8Array) throw new Error('It is held in memory.');
    return opened as AsyncGenerator<Uint8Array>;
  };
  return { file, body, chunksOf };
}

/** Returns true if this process has the file open (Linux only). */
function isOpen(file: string): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  });
}

describe('a slice of a file as a request body', () => {
  test.each([
    [0, 0],
    [0, 1],
    [5, 256 * 1024],
    [7, 256 * 1024 + 1],
    [0, 2 * MiB],
    [MiB + 3, 3 * MiB - 3],
  ])('is exactly the bytes from %d on, %d of them, at each attempt', async (offset, sizeBytes) => {
    const passed: number[] = [];
    const { body } = setUp({ offset, sizeBytes, onBytes: (count) => passed.push(count) });
    for (let tries = 1; tries <= 2; tries += 1) {
      const read = await bodyBytes(body);
      expect(read.equals(bytes.subarray(offset, offset + sizeBytes))).toBe(true);
    }
    expect(passed.at(-1) ?? 0).toBe(sizeBytes);
  });

  test('holds two blocks of memory, and changes a chunk only after the next one is requested', async () => {
    const { chunksOf, body } = setUp();
    const buffers = new Set<ArrayBufferLike>();
    let done = 0;
    for await (const chunk of chunksOf()) {
      const before = Buffer.from(chunk);
      // The next block is read meanwhile.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      expect(before.equals(chunk)).toBe(true);
      expect(before.equals(bytes.subarray(done, done + before.length))).toBe(true);
      done += chunk.byteLength;
      buffers.add(chunk.buffer);
    }
    expect(done).toBe(bytes.length);
    expect([...buffers].map((buffer) => buffer.byteLength)).toEqual([256 * 1024, 256 * 1024]);
    body.free();
    expect([...buffers].map((buffer) => buffer.byteLength)).toEqual([0, 0]);
  });

  test('keeps blocks that the file or the socket may still use when a response comes before the request is read', async () => {
    const { chunksOf, body } = setUp();
    const reading = chunksOf();
    const { value: first } = (await reading.next()) as { readonly value: Uint8Array };
    body.free();
    expect(first.byteLength).toBe(256 * 1024);
    // The read of the second block was in progress.
    const { value: second } = (await reading.next()) as { readonly value: Uint8Array };
    expect(Buffer.from(second).equals(bytes.subarray(256 * 1024, 512 * 1024))).toBe(true);
    await reading.return(undefined);
    body.free();
    expect([first.byteLength, second.byteLength]).toEqual([256 * 1024, 256 * 1024]);
  });

  test('keeps a short last chunk, which a socket may hold after it asks for more', async () => {
    const { chunksOf, body } = setUp({ sizeBytes: MiB + 5 });
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf()) chunks.push(chunk);
    body.free();
    const last = chunks.at(-1) ?? bytes;
    expect(Buffer.from(last).equals(bytes.subarray(MiB, MiB + 5))).toBe(true);
    expect(chunks.filter(({ buffer }) => buffer !== last.buffer).map(({ byteLength }) => byteLength)).toEqual(
      [0, 0],
    );
  });

  test('does not reuse the memory of an attempt that failed, because its socket may still read it', async () => {
    const { chunksOf } = setUp();
    const first = chunksOf();
    const { value } = (await first.next()) as { readonly value: Uint8Array };
    const before = Buffer.from(value);
    await first.return(undefined);
    for await (const chunk of chunksOf()) expect(chunk.buffer).not.toBe(value.buffer);
    expect(before.equals(value)).toBe(true);
  });

  test.skipIf(process.platform !== 'linux')(
    'closes the file at its end and if the consumer stops early, and does not open it unread',
    async () => {
      const { file, body, chunksOf } = setUp();
      await bodyBytes(body);
      expect(isOpen(file)).toBe(false);
      const stopped = chunksOf();
      await stopped.next();
      expect(isOpen(file)).toBe(true);
      await stopped.return(undefined);
      expect(isOpen(file)).toBe(false);
      const unread = await openBody(body, true);
      unread.close();
      expect(isOpen(file)).toBe(false);
    },
  );

  test('of a file that became shorter fails the request', async () => {
    const { file, body } = setUp();
    truncateSync(file, 2 * MiB);
    const opened = await openBody(body, true);
    const read = async (): Promise<void> => {
      for await (const chunk of opened.content as AsyncIterable<Uint8Array>) expect(chunk).toBeDefined();
    };
    expect(await errorOf(read())).toMatchObject({ code: 'storage', reason: 'body-changed' });
    expect(opened.allSent()).toBe(false);
  });

  test('is read whole for a signed request although its blocks are reused', async () => {
    const { body } = setUp({ sizeBytes: MiB });
    const { content } = await openBody(body, false);
    expect(Buffer.from(content as Uint8Array).equals(bytes.subarray(0, MiB))).toBe(true);
  });

  test('waits for the bandwidth limit, and ends with its error when the job stops', async () => {
    const counts: number[] = [];
    const { chunksOf, file } = setUp({
      limiters: [
        {
          take: (count) => {
            counts.push(count);
            return counts.length < 3 ? Promise.resolve() : Promise.reject(new Error('stopped'));
          },
        },
      ],
    });
    const read = async (): Promise<void> => {
      for await (const chunk of chunksOf()) expect(chunk.byteLength).toBe(256 * 1024);
    };
    await expect(read()).rejects.toThrow('stopped');
    expect(counts).toHaveLength(3);
    expect(isOpen(file)).toBe(false);
  });
});
