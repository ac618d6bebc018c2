import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { streamFrom } from '../../../../renderer/features/viewers/frame/bytes.ts';
import { cachedSource, memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';

const content = Uint8Array.from({ length: 1000 }, (_, at) => (at * 7) % 251);
const cache = { blockBytes: 64, blocks: 6 };

function opened() {
  const asked: (readonly [number, number])[] = [];
  const signals: AbortSignal[] = [];
  let gate: Promise<void> = Promise.resolve();
  const source = cachedSource(
    {
      sizeBytes: content.length,
      fetch: async (offset, length, signal) => {
        asked.push([offset, length]);
        signals.push(signal);
        await gate;
        signal.throwIfAborted();
        return content.slice(offset, offset + length);
      },
      stream: async (offset) => await Promise.resolve(new Blob([content.slice(offset)]).stream()),
    },
    cache,
  );
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { source, asked, signals, hold };
}

describe('a source with a block cache', () => {
  test('returns the same bytes as the whole in any order of reads', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(1100), fc.nat(1100)), { maxLength: 12 }),
        fc.boolean(),
        async (reads, together) => {
          const { source } = opened();
          const check = async ([offset, length]: readonly [number, number]) => {
            expect(await source.read(offset, length)).toEqual(content.slice(offset, offset + length));
          };
          if (together) await Promise.all(reads.map(check));
          else for (const read of reads) await check(read);
        },
      ),
    );
  });

  test('requests adjacent blocks together and no block twice', async () => {
    const { source, asked } = opened();
    await source.read(70, 50);
    await source.read(64, 64);
    expect(asked).toEqual([[64, 64]]);
    await source.read(0, 192);
    expect(asked.slice(1)).toEqual([
      [0, 64],
      [128, 64],
    ]);
  });

  test('shares one request between readers of a block', async () => {
    const { source, asked } = opened();
    await Promise.all([source.read(0, 10), source.read(20, 10), source.read(60, 10)]);
    expect(asked).toEqual([
      [0, 64],
      [64, 64],
    ]);
  });

  test('evicts the least recently used blocks', async () => {
    const { source, asked } = opened();
    for (const block of [0, 1, 2, 3, 4, 5, 0, 6]) await source.read(block * 64, 1);
    expect(asked).toHaveLength(7);
    await source.read(0, 1);
    expect(asked).toHaveLength(7);
    await source.read(64, 1);
    expect(asked).toHaveLength(8);
  });

  test('reads ranges above half its size directly', async () => {
    const { source, asked } = opened();
    await source.read(1, 500);
    expect(asked).toEqual([[1, 500]]);
  });

  test('aborts only requests without a waiting reader', async () => {
    const { source, signals, hold } = opened();
    const release = hold();
    const aborter = new AbortController();
    const alone = new AbortController();
    const first = source.read(0, 10, aborter.signal);
    const second = source.read(5, 10);
    const third = source.read(640, 10, alone.signal);
    aborter.abort();
    alone.abort();
    await expect(first).rejects.toThrow(/abort/i);
    await expect(third).rejects.toThrow(/abort/i);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    release();
    expect(await second).toEqual(content.slice(5, 15));
    expect(await source.read(640, 10)).toEqual(content.slice(640, 650));
  });

  test('requests a block again whose aborted request has not settled yet', async () => {
    const { source, asked, hold } = opened();
    const release = hold();
    const aborter = new AbortController();
    const first = source.read(0, 100, aborter.signal);
    aborter.abort();
    await expect(first).rejects.toThrow(/abort/i);
    const releaseSecond = hold();
    const second = source.read(0, 10);
    release();
    // The aborted request settles, and the new one can still be shared.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    const third = source.read(10, 10);
    releaseSecond();
    expect(await second).toEqual(content.slice(0, 10));
    expect(await third).toEqual(content.slice(10, 20));
    expect(asked).toEqual([
      [0, 128],
      [0, 64],
    ]);
  });

  test('rejects all readers of a failed request and retries for the next', async () => {
    let fails = true;
    const source = cachedSource({
      sizeBytes: 10,
      fetch: async (offset, length) => {
        await Promise.resolve();
        if (fails) throw new Error('The network is away.');
        return content.slice(offset, offset + length);
      },
      stream: () => Promise.reject(new Error('No stream here.')),
    });
    const both = await Promise.allSettled([source.read(0, 5), source.read(2, 5)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await source.read(0, 5)).toEqual(content.slice(0, 5));
  });
});

test('a source in memory reads like any other', async () => {
  const source = memorySource(content);
  expect(await source.read(990, 100)).toEqual(content.slice(990));
  const streamed = await new Response(
    await streamFrom(source, 900, new AbortController().signal),
  ).arrayBuffer();
  expect(new Uint8Array(streamed)).toEqual(content.slice(900));
});
