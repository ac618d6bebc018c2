import { assertNever } from '../../../shared/assert-never.ts';
import type { SettledJob } from '../../../shared/models/jobs.ts';
import type { Place } from '../../../shared/models/objects.ts';

/** The places in which jobs may have changed objects or files. */
export interface ChangedPlaces {
  readonly buckets: readonly Place[];
  readonly isDisk: boolean;
}

/**
 * Returns the buckets whose objects settled jobs may have created, replaced or deleted. Unlike `placesChangedBy`, it
 * leaves out the source of a copy and buckets in which only stalled uploads changed.
 */
export function bucketsWrittenBy(settled: readonly SettledJob[]): readonly Place[] {
  return settled.flatMap(({ kind, connectionId, bucket, target }) => {
    const here = { connectionId, bucket };
    switch (kind) {
      case 'download':
      case 'abort':
      case 'abort-many':
        return [];
      case 'copy':
        return [target ?? here];
      case 'move':
        return target === undefined ? [here] : [here, target];
      case 'upload':
      case 'delete':
      case 'change':
      case 'complete':
      case 'resume':
      case 'complete-many':
      case 'resume-many':
      case 'batch':
        return [here];
      default:
        return assertNever(kind);
    }
  });
}

/** Returns the places that settled jobs may have changed, each bucket once. A job can also have ended halfway. */
export function placesChangedBy(settled: readonly SettledJob[]): ChangedPlaces {
  const buckets = new Map<string, Place>();
  for (const { kind, connectionId, bucket, target } of settled)
    for (const place of [
      ...(kind === 'download' ? [] : [{ connectionId, bucket }]),
      ...(target === undefined ? [] : [target]),
    ])
      buckets.set(JSON.stringify([place.connectionId, place.bucket]), place);
  return { buckets: [...buckets.values()], isDisk: settled.some(({ kind }) => kind === 'download') };
}
