import { bareEtag } from '../../s3/model/etag.ts';
import { partSizesOf } from '../../transfers/items/part-size.ts';
import type { ByteRange } from '../../s3/model/object-types.ts';

const MiB = 1024 * 1024;
/** The usual size of a part that the service copies: large to save requests, small enough to copy several in parallel. */
const usualCopyBytes = 128 * MiB;

export interface CopyPart {
  readonly partNumber: number;
  readonly range: ByteRange;
  readonly sizeBytes: number;
}

/**
 * Returns the part size for a copy. If the source's part size can be inferred, it is used, because then the ETag of the copy
 * proves it. Otherwise returns the usual size, or a larger one if there would be too many parts.
 */
export function copyPartBytes(
  sizeBytes: number,
  etag: string | null,
  limits: { readonly smallest: number; readonly largest: number; readonly maxParts: number },
): number {
  const count = /^[0-9a-f]{32}-([0-9]{1,5})$/.exec(etag === null ? '' : bareEtag(etag))?.[1];
  const sourceParts = count === undefined ? 0 : Number(count);
  const fits = (size: number): boolean =>
    size >= limits.smallest && size <= limits.largest && Math.ceil(sizeBytes / size) <= limits.maxParts;
  if (sourceParts > 1 && sourceParts <= limits.maxParts) {
    const like = partSizesOf(sizeBytes, sourceParts).find(fits);
    if (like !== undefined) return like;
  }
  const needed = Math.ceil(Math.ceil(sizeBytes / limits.maxParts) / MiB) * MiB;
  return Math.max(limits.smallest, Math.min(limits.largest, Math.max(usualCopyBytes, needed)));
}

/** Returns parts from number 1 on that cover the object exactly. */
export function copyParts(sizeBytes: number, partBytes: number): readonly CopyPart[] {
  const count = Math.max(1, Math.ceil(sizeBytes / partBytes));
  return Array.from({ length: count }, (_, index) => {
    const firstByte = index * partBytes;
    const size = Math.min(partBytes, sizeBytes - firstByte);
    return {
      partNumber: index + 1,
      range: { firstByte, lastByte: firstByte + size - 1 },
      sizeBytes: size,
    };
  });
}
