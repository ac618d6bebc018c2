import type { SettledJob } from '../../../shared/models/jobs.ts';
import type { Place } from '../../../shared/models/objects.ts';

/** The places in which jobs may have changed objects or files. */
export interface ChangedPlaces {
  readonly buckets: readonly Place[];
  readonly isDisk: boolean;
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
