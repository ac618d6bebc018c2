import type { RangeSource } from '../frame/range-source.ts';
import type { FromUnpacker, ToUnpacker } from './packed-messages.ts';
import { unpack } from './unpack.ts';

/** True while the window awaits a message. */
let isOwed = false;
let result: FromUnpacker | null = null;
let takeBytes: ((bytes: Uint8Array<ArrayBuffer>) => void) | null = null;

function answer(reply: FromUnpacker): void {
  isOwed = false;
  self.postMessage(reply, { transfer: reply.kind === 'done' ? [reply.unpacked.bytes.buffer] : [] });
}

/** Sends the result. If the worker ended while bytes were on their way, it is sent when they arrive. */
function finish(reply: FromUnpacker): void {
  result = reply;
  if (isOwed) answer(reply);
}

/** Returns the compressed bytes as a source, which the window reads. One read at a time. */
function sourceOf(sizeBytes: number): RangeSource {
  return {
    sizeBytes,
    etag: null,
    asked: { requests: 0, bytes: 0 },
    read: async (offset, length) => {
      const { promise, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
      takeBytes = resolve;
      answer({ kind: 'read', offset, length });
      return await promise;
    },
    stream: async () => await Promise.reject(new Error('The bytes are read by ranges.')),
  };
}

self.addEventListener('message', ({ data }: MessageEvent<ToUnpacker>) => {
  isOwed = true;
  if (data.kind === 'bytes') {
    if (result === null) takeBytes?.(data.bytes);
    else answer(result);
    return;
  }
  const { packing, sizeBytes, maxBytes } = data;
  unpack(sourceOf(sizeBytes), packing, maxBytes, new AbortController().signal).then(
    (unpacked) => {
      finish({ kind: 'done', unpacked });
      return null;
    },
    // The decoders throw arbitrary errors for damaged files.
    () => {
      finish({ kind: 'damaged' });
    },
  );
});
