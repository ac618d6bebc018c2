import { describe, expect, test } from 'vitest';
import type { TakeChunk } from '../../../../../electron/core/s3/http/response-body.ts';
import { receive, type ReceivingContext } from '../../../../../electron/core/transfers/downloads/receive.ts';
import { Blocks } from '../../../../../electron/core/transfers/items/blocks.ts';
import type { PieceSink } from '../../../../../electron/core/disk/piece-sink.ts';

const context: ReceivingContext = {
  deps: { settings: () => ({ bandwidthBytesPerSecond: null }) },
  limiter: { take: () => Promise.resolve() },
  signal: new AbortController().signal,
};

/** Simulates the worker, to which the memory of a piece is transferred with a write and which returns it afterwards. */
function sinkInto(file: Uint8Array, failsAt = Infinity): PieceSink {
  return {
    write: async (bytes, position) => {
      const { byteLength } = bytes;
      const memory = bytes.buffer.transfer();
      await Promise.resolve();
      if (position >= failsAt) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      file.set(new Uint8Array(memory, 0, byteLength), position);
      return memory;
    },
    end: () => Promise.resolve([]),
  };
}

/** A response that sends each chunk only after the previous chunk has been consumed. */
function answerOf(chunks: readonly Uint8Array[]): { read: (take: TakeChunk) => Promise<void> } {
  return {
    read: async (take) => {
      for (const chunk of chunks) await take(chunk);
    },
  };
}

function numbered(sizeBytes: number, from: number): Uint8Array {
  return Uint8Array.from({ length: sizeBytes }, (_, index) => (from + index) % 251);
}

describe('receiving a piece of a download', () => {
  test('writes chunks of any size at their offsets with a bounded number of blocks', async () => {
    const sizes = [1, 700_000, 3, 0, 1_500_000, 65_536, 0, 9];
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0);
    const whole = numbered(sizeBytes, 0);
    let at = 0;
    const chunks = sizes.map((size) => whole.slice(at, (at += size)));
    const file = new Uint8Array(sizeBytes + 10);
    await receive(context, answerOf(chunks), {
      sink: sinkInto(file),
      blocks: new Blocks(1, sizeBytes),
      position: 10,
      sizeBytes,
      onBytes: () => undefined,
    });
    expect(Buffer.compare(file.subarray(10), whole)).toBe(0);
  });

  test('skips an empty chunk, whose buffer undici reuses', async () => {
    const empty = Buffer.alloc(0);
    const file = new Uint8Array(4);
    await receive(context, answerOf([numbered(2, 1), empty, numbered(2, 3), empty]), {
      sink: sinkInto(file),
      blocks: new Blocks(1, 4),
      position: 0,
      sizeBytes: 4,
      onBytes: () => undefined,
    });
    await Promise.resolve();
    expect(empty.buffer.detached).toBe(false);
    expect([...file]).toEqual([1, 2, 3, 4]);
  });

  test('returns the blocks of a failed write to the pool', async () => {
    const blocks = new Blocks(1, 4);
    const receiving = (failsAt: number): Promise<readonly string[]> =>
      receive(context, answerOf(Array.from({ length: 40 }, () => numbered(4, 0))), {
        sink: sinkInto(new Uint8Array(160), failsAt),
        blocks,
        position: 0,
        sizeBytes: 160,
        onBytes: () => undefined,
      });
    for (let time = 0; time < 4; time += 1)
      await expect(receiving(0)).rejects.toMatchObject({ error: { reason: 'disk-full' } });
    await expect(receiving(Infinity)).resolves.toEqual([]);
  });

  test('detaches freed blocks at once, also those returned later', async () => {
    const blocks = new Blocks(1, 4);
    const [idle, away] = [await blocks.take(), await blocks.take()];
    blocks.give(idle.buffer);
    blocks.free();
    expect(idle.buffer.detached).toBe(true);
    blocks.give(away.buffer);
    expect(away.buffer.detached).toBe(true);
  });
});
