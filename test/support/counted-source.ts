import { cachedSource, type RangeSource } from '../../renderer/features/viewers/frame/range-source.ts';

/** Returns a cached source that counts its requests and their bytes, and cannot be streamed. */
export function countedSource(sizeBytes: number, bytesAt: (offset: number, length: number) => Uint8Array) {
  const counts = { requests: 0, bytes: 0 };
  const source: RangeSource = cachedSource({
    sizeBytes,
    fetch: async (offset, length) => {
      counts.requests += 1;
      counts.bytes += length;
      return await Promise.resolve(new Uint8Array(bytesAt(offset, length)));
    },
    stream: async () => await Promise.reject(new Error('Nothing is streamed.')),
  });
  return { source, counts };
}
