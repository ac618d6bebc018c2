// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="../libraries.d.ts" />
import { decompressBrotli } from 'hyparquet-compressors/src/brotli.js';
import { BrotliOutput } from 'hyparquet-compressors/src/brotli.streams.js';
import type { Collected } from '../frame/bytes.ts';

/** The longest meta-block after decompression (RFC 7932, section 9.2). */
const longestBlockBytes = 16 * 1024 * 1024;

class Full extends Error {}

interface Output {
  readonly buffer: Uint8Array<ArrayBuffer>;
  readonly pos: number;
}

let maxBytes = Infinity;
let last: Output | null = null;
const buffers = new WeakMap<object, Uint8Array<ArrayBuffer>>();

// The decoder grows its output to any size that the file demands. A setter that throws limits the size.
Object.defineProperty(BrotliOutput.prototype, 'buffer', {
  get(this: object) {
    return buffers.get(this);
  },
  set(this: Output, buffer: Uint8Array<ArrayBuffer>) {
    if (buffer.length > maxBytes + longestBlockBytes) throw new Full('More comes out than was allowed for.');
    buffers.set(this, buffer);
    // oxlint-disable-next-line no-this-alias -- the decoder creates its output and does not return it
    last = this;
  },
});

/**
 * Decompresses the beginning of Brotli data, up to a limit. Browser engines have no decoder for it (Chromium 156). Throws if
 * damaged.
 */
export function unpackBrotli(packed: Uint8Array, limitBytes: number): Collected {
  maxBytes = limitBytes;
  last = null;
  let isFull = false;
  try {
    decompressBrotli(packed, 0);
  } catch (thrown) {
    if (!(thrown instanceof Full)) throw thrown;
    isFull = true;
  } finally {
    maxBytes = Infinity;
  }
  const output = last as Output | null;
  if (output === null) throw new Error('The decoder returned nothing.');
  return {
    bytes: output.buffer.slice(0, Math.min(output.pos, limitBytes)),
    isCut: isFull || output.pos > limitBytes,
  };
}
