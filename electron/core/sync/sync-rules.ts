import type { SyncDirection } from '../../../shared/models/sync.ts';

/** The known times of a local file and an object of equal size. */
export interface Times {
  readonly localMs: number | null;
  /** From x-amz-meta-mtime: the time of the file that was sent. */
  readonly metaMs: number | null;
  /** When the object was stored on the service. */
  readonly storedMs: number | null;
}

/** `unsure`: the local file is newer than an object without a stored modification time. */
export type TimeVerdict = 'same' | 'differs' | 'unsure';

const storedToleranceMs = 1000;

/**
 * Compares entries of equal size by time. An object with a stored modification time must match it exactly, as in rclone
 * (https://rclone.org/docs/#sync). Otherwise its upload time counts, as in `aws s3 sync`: it is outdated once the
 * source is newer.
 */
export function timeVerdict(direction: SyncDirection, { localMs, metaMs, storedMs }: Times): TimeVerdict {
  if (localMs === null) return 'same';
  if (metaMs !== null) return Math.abs(localMs - metaMs) < toleranceMs(localMs) ? 'same' : 'differs';
  if (storedMs === null) return 'same';
  if (direction === 'up') return localMs > storedMs + storedToleranceMs ? 'differs' : 'same';
  const tolerance = Math.max(storedToleranceMs, toleranceMs(localMs));
  if (Math.abs(localMs - storedMs) <= tolerance) return 'same';
  return storedMs > localMs ? 'differs' : 'unsure';
}

/** Returns how far equal times may differ: some disks store whole seconds, FAT only even ones. */
export function toleranceMs(localMs: number): number {
  if (localMs % 2000 === 0) return 2000;
  return localMs % 1000 === 0 ? 1000 : 2;
}

/** Returns true for an empty object whose key ends in the delimiter, which represents an empty folder. */
export function isMarkerKey(relative: string, sizeBytes: number): boolean {
  return relative.endsWith('/') && sizeBytes === 0 && relative !== '/';
}
