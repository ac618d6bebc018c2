import type { RangeSource } from '../frame/range-source.ts';
import { type FromUnpacker, type ToUnpacker, UnknownCompression } from './unpacker.ts';
import { unpack } from './unpack.ts';

/** True while the window waits for a response. */
let isOwed = false;
let result: FromUnpacker | null = null;
let takeBytes: ((bytes: Uint8Array<ArrayBuffer>) => void) | null = null;

function answer(reply: FromUnpacker): void {
  isOwed = false;
  self.postMessage(reply, { transfer: reply.kind === 'done' ? [reply.unpacked.bytes.buffer] : [] });
}

/**
 * Sends the result to the window. While bytes from the window are on their way, the result waits and becomes the response to
 * them.
 */
function finish(reply: FromUnpacker): void {
  result = reply;
  if (isOwed) answer(reply);
}

/** Returns a source whose bytes the window reads on request. Supports one read at a time. */
function sourceOf(sizeBytes: number): RangeSource {
  return {
    sizeBytes,
    read: async (offset, length) => {
      const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
      takeBytes = resolve;
      answer({ kind: 'read', offset, length });
      return await promise;
    },
  };
}

self.addEventListener('message', ({ data }: MessageEvent<ToUnpacker>) => {
  isOwed = true;
  if (data.kind === 'bytes') {
    if (result === null) takeBytes?.(data.bytes);
    else answer(result);
    return;
  }
  const { compression, sizeBytes, maxBytes } = data;
  unpack(sourceOf(sizeBytes), compression, maxBytes, new AbortController().signal).then(
    (unpacked) => {
      finish({ kind: 'done', unpacked });
      return null;
    },
    // The decoders throw arbitrary errors for damaged files.
    (thrown: unknown) => finish({ kind: thrown instanceof UnknownCompression ? 'unknown' : 'damaged' }),
  );
});
