import type { SyncDirection } from '../../../shared/models/sync.ts';

/** The known times of a local file and an object of the same size. */
export interface Times {
  readonly localMs: number | null;
  /** The modification time of the uploaded file, from x-amz-meta-mtime; null if the object has none. */
  readonly metaMs: number | null;
  /** The time at which the service stored the object. */
  readonly storedMs: number | null;
}

/** The result of comparing times. `unsure`: the file is newer than an object without a modification time in its metadata. */
export type TimeVerdict = 'same' | 'differs' | 'unsure';

const storedToleranceMs = 1000;

/**
 * Compares a file and an object of equal size by their times. If the object's metadata has a modification time, it must be equal,
 * as in rclone (https://rclone.org/docs/#sync). Otherwise the time of the upload decides, as in `aws s3 sync`.
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

/** Returns by how many milliseconds equal times may differ. Some disks store whole seconds, and FAT only even ones. */
export function toleranceMs(localMs: number): number {
  if (localMs % 2000 === 0) return 2000;
  return localMs % 1000 === 0 ? 1000 : 2;
}

/** Returns true for the placeholder of an empty folder: an empty object whose key ends with the delimiter. */
export function isMarkerKey(relative: string, sizeBytes: number): boolean {
  return relative.endsWith('/') && sizeBytes === 0 && relative !== '/';
}
