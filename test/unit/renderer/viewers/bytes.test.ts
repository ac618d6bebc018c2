import { afterEach, beforeEach, expect, test } from 'vitest';
import { chunksFrom, collected } from '../../../../renderer/features/viewers/frame/bytes.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { unpack } from '../../../../renderer/features/viewers/packed/unpack.ts';
import { packedText, xzText } from '../../../fixtures/packed.ts';

/** The property that Safari 18 lacks, which the window supports (`target` in build/vite/window.config.ts). */
const iteration = Object.getOwnPropertyDescriptor(ReadableStream.prototype, Symbol.asyncIterator);

beforeEach(() => {
  Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
});

afterEach(() => {
  if (iteration !== undefined)
    Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, iteration);
});

test('a browser without iteration over streams decompresses entries of archives', async () => {
  const packed = new Blob(['text']).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const { bytes, isCut } = await collected(packed.pipeThrough(new DecompressionStream('deflate-raw')), 100);
  expect([new TextDecoder().decode(bytes), isCut]).toEqual(['text', false]);
});

test('a browser without iteration over streams decompresses xz', async () => {
  const source = memorySource(new Uint8Array(xzText));
  const { bytes, remark } = await unpack(source, 'xz', 1e6, new AbortController().signal);
  expect(remark).toBeNull();
  expect(Buffer.from(bytes).equals(packedText)).toBe(true);
});

test('the rest of a stream is cancelled once enough bytes are collected', async () => {
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const { bytes, isCut } = await collected(endless, 25);
  expect([bytes.length, isCut, isCancelled]).toEqual([25, true, true]);
});

test('an aborted search of a file reads no further chunk', async () => {
  const aborter = new AbortController();
  const read: number[] = [];
  const chunks = chunksFrom(memorySource(new Uint8Array(1_000_000)), 0, aborter.signal);
  await expect(async () => {
    for await (const chunk of chunks) {
      read.push(chunk.length);
      aborter.abort(new Error('aborted'));
    }
  }).rejects.toThrow('aborted');
  expect(read).toHaveLength(1);
});
