// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="../libraries.d.ts" />
import readBits from 'unbzip2-stream/lib/bit_iterator.js';
import decoder from 'unbzip2-stream/lib/bzip2.js';
import type { ByteSink, Remark, Unpacker } from './unpacker.ts';

const headerBytes = 4;
/** Size of a block per level (1 to 9). A compressed block may be slightly larger. */
const blockBytesPerLevel = 100_000;
const maxGrowthBytes = 25_000;
const outBytes = 64 * 1024;

class EndsEarly extends Error {}

/** Decompresses all streams of bzip2, block by block, and verifies the checksums of blocks and streams. */
export function bzip2Unpacker(out: ByteSink): Unpacker {
  const queue: Uint8Array[] = [];
  let pushedBytes = 0;
  let bits: ReturnType<typeof readBits> | null = null;
  /** From 1 to 9; 0: between streams. */
  let level = 0;
  let streams = 0;
  let streamChecksum = 0;
  let buffer = new Uint8Array(outBytes);
  let filled = 0;

  const flush = (): void => {
    if (filled > 0) out(buffer.subarray(0, filled));
    buffer = new Uint8Array(outBytes);
    filled = 0;
  };
  const emit = (byte: number): void => {
    if (filled === outBytes) flush();
    buffer[filled] = byte;
    filled += 1;
  };
  const unreadBytes = (): number => pushedBytes - (bits?.bytesRead ?? 0);
  /** Decodes a header or a block. All its bytes have arrived, unless the file ends early. */
  const step = (): Remark | null => {
    bits ??= readBits(() => {
      const next = queue.shift();
      if (next === undefined) throw new EndsEarly();
      return next;
    });
    if (level === 0) {
      try {
        level = decoder.header(bits);
      } catch (thrown) {
        if (streams > 0) return 'trailing';
        throw thrown;
      }
      streamChecksum = 0;
      return null;
    }
    const size = level * blockBytesPerLevel;
    try {
      const next = decoder.decompress(bits, emit, new Int32Array(size), size, streamChecksum);
      flush();
      if (next === null) {
        level = 0;
        streams += 1;
      } else streamChecksum = next;
      return null;
    } catch (thrown) {
      if (!(thrown instanceof decoder.Bzip2Error && /crc32/.test(thrown.message))) throw thrown;
      flush();
      return 'checksum';
    }
  };
  return {
    push: (bytes) => {
      if (bytes.length === 0) return null;
      queue.push(bytes);
      pushedBytes += bytes.length;
      for (;;) {
        const neededBytes = level === 0 ? headerBytes : maxGrowthBytes + level * blockBytesPerLevel;
        if (unreadBytes() < neededBytes) return null;
        const remark = step();
        if (remark !== null) return remark;
      }
    },
    end: () => {
      try {
        for (;;) {
          if (level === 0 && unreadBytes() === 0) return null;
          const remark = step();
          if (remark !== null) return remark;
        }
      } catch (thrown) {
        if (thrown instanceof EndsEarly) return 'ends-early';
        throw thrown;
      }
    },
  };
}
