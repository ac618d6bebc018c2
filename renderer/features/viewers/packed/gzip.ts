import { Gunzip } from 'fflate';

/** The bytes given to the decoder at once: its output is at most about a thousand times as large. */
const pushedBytes = 8 * 1024;

function drop(_bytes: Uint8Array): void {}

/**
 * Unpacks gzip, all members of it: logs that were joined have several, and bgzip writes nothing else. The browser's own
 * DecompressionStream takes a second member for an error (whatwg/compression#39). Ends soon after the limit.
 */
export function gzipStream(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let out = drop;
  let cameBytes = 0;
  const decoder = new Gunzip((bytes) => {
    cameBytes += bytes.length;
    out(bytes);
  });
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      out = (bytes) => {
        if (bytes.length > 0) controller.enqueue(bytes);
      };
      // oxlint-disable-next-line no-unmodified-loop-condition -- the decoder's output counts
      for (let at = 0; at < chunk.length && cameBytes <= mostBytes; at += pushedBytes)
        decoder.push(chunk.subarray(at, at + pushedBytes), false);
      if (cameBytes > mostBytes) controller.terminate();
    },
    flush: (controller) => {
      out = (bytes) => {
        if (bytes.length > 0) controller.enqueue(bytes);
      };
      decoder.push(new Uint8Array(0), true);
    },
  });
}
