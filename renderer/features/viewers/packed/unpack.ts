import type { RangeSource } from '../frame/range-source.ts';
import { collected, rangeStream, type Collected } from '../frame/collected.ts';

export type Packing = 'gzip' | 'zstd' | 'brotli';

/** More of a Brotli file is not read, and not unpacked. */
const mostPackedBrotliBytes = 16 * 1024 * 1024;
const mostBrotliBytes = 32 * 1024 * 1024;

/** The unpacked content of a source, up to a limit. Throws if it is damaged. */
export async function unpack(
  source: RangeSource,
  packing: Packing,
  mostBytes: number,
  signal: AbortSignal,
): Promise<Collected> {
  const packed = rangeStream(source, signal);
  switch (packing) {
    case 'gzip': {
      const { gzipStream } = await import('./gzip.ts');
      return await collected(packed.pipeThrough(gzipStream(mostBytes)), mostBytes);
    }
    case 'zstd': {
      const { zstdStream } = await import('./zstd.ts');
      return await collected(packed.pipeThrough(zstdStream(mostBytes)), mostBytes);
    }
    case 'brotli': {
      // The decoder wants all of it, and does nothing else meanwhile.
      const { bytes } = await collected(packed, mostPackedBrotliBytes);
      const { unpackBrotli } = await import('./brotli.ts');
      return unpackBrotli(bytes, Math.min(mostBytes, mostBrotliBytes));
    }
    default:
      return packing satisfies never;
  }
}
