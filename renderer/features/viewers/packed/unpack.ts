import { collected, joinedBytes, rangeStream } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import type { ByteSink, Compression, Remark, Unpacked, Unpacker } from './unpacker.ts';

/** Limits for Brotli, for the bytes read and the decompressed bytes. */
const maxPackedBrotliBytes = 16 * 1024 * 1024;
const maxBrotliBytes = 32 * 1024 * 1024;
/** The length of an empty Brotli file is one or two bytes (RFC 7932, section 9.2). */
const emptyBrotliBytes = 2;
const readBytes = 256 * 1024;
/** Bytes given to the decoder per call. The output is at most about a thousand times as large. */
const pushedBytes = 8 * 1024;

class Full extends Error {}

/** Decompresses a source up to a limit. Throws if nothing can be decompressed. */
export async function unpack(
  source: RangeSource,
  compression: Compression,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  switch (compression) {
    case 'xz': {
      const { unpackXz } = await import('./xz.ts');
      return await unpackXz(source, maxBytes, signal);
    }
    case 'brotli': {
      // The Brotli decoder needs all bytes at once and blocks its thread.
      const { bytes } = await collected(rangeStream(source, signal), maxPackedBrotliBytes);
      const { unpackBrotli } = await import('./brotli.ts');
      const unpacked = unpackBrotli(bytes, Math.min(maxBytes, maxBrotliBytes));
      // The decoder ends without an error at the first end mark, even if other bytes follow, so an empty result is suspicious.
      if (unpacked.bytes.length === 0 && bytes.length > emptyBrotliBytes)
        throw new Error('The bytes are not Brotli.');
      return { ...unpacked, remark: null };
    }
    default:
      return await unpackWith(await unpackers[compression](), source, maxBytes, signal);
  }
}

/** The decoders that take compressed bytes in pieces. */
const unpackers: Readonly<
  Record<Exclude<Compression, 'xz' | 'brotli'>, () => Promise<(out: ByteSink) => Unpacker>>
> = {
  gzip: async () => (await import('./gzip.ts')).inflateUnpacker('gzip'),
  zlib: async () => (await import('./gzip.ts')).inflateUnpacker('zlib'),
  deflate: async () => (await import('./gzip.ts')).inflateUnpacker('deflate'),
  zstd: async () => (await import('./zstd.ts')).zstdUnpacker,
  bzip2: async () => (await import('./bzip2.ts')).bzip2Unpacker,
};

async function unpackWith(
  make: (out: ByteSink) => Unpacker,
  source: RangeSource,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Unpacked> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const unpacker = make((bytes) => {
    const fitting = bytes.subarray(0, maxBytes - size);
    pieces.push(fitting);
    size += fitting.length;
    if (fitting.length < bytes.length) throw new Full();
  });
  /** Passes bytes to the decoder. Returns null while the decoder accepts more. */
  const push = (bytes: Uint8Array): Remark | null => {
    for (let at = 0; at < bytes.length; at += pushedBytes) {
      const remark = unpacker.push(bytes.subarray(at, at + pushedBytes));
      if (remark !== null) return remark;
    }
    return null;
  };
  let isCut = false;
  let remark: Remark | null = null;
  for (let at = 0; at < source.sizeBytes && remark === null && !isCut;) {
    const bytes = await source.read(at, readBytes, signal);
    at += bytes.length;
    try {
      remark = push(bytes);
      if (remark === null && (bytes.length === 0 || at >= source.sizeBytes)) remark = unpacker.end();
    } catch (thrown) {
      if (thrown instanceof Full) isCut = true;
      else if (size === 0) throw thrown;
      else remark = 'damaged';
    }
    if (bytes.length === 0) break;
  }
  if (size === 0 && remark === 'ends-early')
    throw new Error('The file ends before anything could be unpacked.');
  return { bytes: joinedBytes(pieces), isCut, remark };
}
