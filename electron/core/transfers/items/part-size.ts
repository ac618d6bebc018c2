import { failure } from '../../../../shared/errors.ts';
import type { PartLimits } from '../../s3/model/part-limits.ts';
import type { JudgedSlot } from '../../multipart/parts/judge.ts';
import { bareEtag } from '../../s3/model/etag.ts';
import type { ByteRange } from '../../s3/model/object-types.ts';

const MiB = 1024 * 1024;
export const maxParts = 10_000;
export const usualPartBytes = 16 * MiB;

/**
 * Returns the part size for a new upload in bytes: the wanted or default size, or a larger one in whole MiB if more than 10,000
 * parts would be needed. Throws `AppError('invalid-argument')` if no size fits the limits of the service.
 */
export function partSizeFor(
  sizeBytes: number,
  { preferredPartBytes, fromBytes, minPartBytes, limits }: PartSizeOptions,
): number {
  const size = Math.max(minPartBytes, preferredPartBytes ?? Math.min(usualPartBytes, fromBytes));
  const needed = Math.ceil(sizeBytes / maxParts);
  const usual = needed <= size ? size : Math.ceil(needed / MiB) * MiB;
  const fitting = limits.fitting(sizeBytes, usual, minPartBytes);
  if (fitting !== null) return fitting;
  throw failure('invalid-argument', 'No part size satisfies the limits of the service.', {
    reason: 'too-large',
    retry: 'after-fix',
  });
}

export interface PartSizeOptions {
  /** The part size from the user's settings; null for the default. */
  readonly preferredPartBytes: number | null;
  /** The size from which files are uploaded in parts, in bytes. */
  readonly fromBytes: number;
  /** The service's minimum size for all parts but the last. */
  readonly minPartBytes: number;
  /** The limits learned from the service's responses. */
  readonly limits: PartLimits;
}

/** Returns the parts of an upload that has not sent anything yet. */
export function slotsFor(sizeBytes: number, partSizeBytes: number): readonly JudgedSlot[] {
  const count = Math.max(1, Math.ceil(sizeBytes / partSizeBytes));
  return Array.from({ length: count }, (_, index) => ({
    partNumber: index + 1,
    offset: index * partSizeBytes,
    sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes),
    listed: null,
    state: 'missing',
    md5: null,
  }));
}

/**
 * Part sizes in MiB, those of common programs first: Cooper 16, awscli 8, rclone 5, s3cmd 15. If several sizes fit an object, a
 * wrong guess costs reading the file again.
 */
const usualSizes = [16, 8, 5, 15, 6, 7, 10, 12, 20, 24, 25, 32, 48, 50, 64, 96, 100, 128, 256, 512, 1024];

/** Returns the part sizes that give this number of parts for an object of this size, the most likely ones first. */
export function partSizesOf(sizeBytes: number, parts: number): readonly number[] {
  if (parts === 1) return [sizeBytes];
  const fits = (size: number): boolean => Math.ceil(sizeBytes / size) === parts;
  const found = usualSizes.map((size) => size * MiB).filter(fits);
  for (let size = 64 * 1024; size <= 4096 * MiB; size *= 2) if (fits(size)) found.push(size);
  const from = Math.ceil(sizeBytes / parts / MiB);
  const to = Math.floor((sizeBytes - 1) / (parts - 1) / MiB);
  for (let size = from; size <= to && size < from + 4; size += 1)
    if (fits(size * MiB)) found.push(size * MiB);
  if (fits(Math.ceil(sizeBytes / parts))) found.push(Math.ceil(sizeBytes / parts));
  return [...new Set(found)].slice(0, 4);
}

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
    return { partNumber: index + 1, range: { firstByte, lastByte: firstByte + size - 1 }, sizeBytes: size };
  });
}
