import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { SmallestSize } from '../../../shared/models/prices.ts';
import type { Unlisted } from '../../../shared/models/versions.ts';
import { HoldingSums } from '../../../shared/pricing/holdings.ts';
import { uploadPages } from '../multipart/list-uploads.ts';
import { listAllParts } from '../multipart/parts/list-parts.ts';
import { versionPages } from '../s3/listing/pages.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

export interface UnlistedWish {
  readonly bucket: string;
  readonly prefix: string;
  /** The minimum billed sizes, which apply to older versions too. */
  readonly smallest: readonly SmallestSize[];
}

/**
 * Counts what a listing of a folder does not show and the service bills: older versions, and the parts of unfinished uploads. Yields
 * after each page. If the service refuses one of the two, the other is counted and the refusal is returned with it.
 */
export async function* countUnlisted(
  client: S3Client,
  { bucket, prefix, smallest }: UnlistedWish,
  signal: AbortSignal,
): AsyncGenerator<Unlisted, void, void> {
  const versions = new HoldingSums(smallest);
  const parts = new Map<string, number>();
  const counts = { requests: 0, olderVersions: 0, deleteMarkers: 0, uploads: 0 };
  const refused: { versions: AppError | null; uploads: AppError | null } = { versions: null, uploads: null };
  const now = (isComplete: boolean): Unlisted => ({
    ...counts,
    versions: versions.all(),
    parts: [...parts].map(([storageClass, sizeBytes]) => ({ storageClass, sizeBytes })),
    refused: { ...refused },
    isComplete,
  });
  try {
    for await (const page of versionPages(client, { bucket, prefix, setsAside: true }, { signal })) {
      counts.requests += 1;
      for (const { isLatest, isDeleteMarker, sizeBytes, storageClass, lastModified } of page.versions)
        if (isDeleteMarker) counts.deleteMarkers += 1;
        else if (!isLatest) {
          counts.olderVersions += 1;
          const modifiedMs = lastModified === null ? Number.NaN : Date.parse(lastModified);
          versions.add({ sizeBytes: sizeBytes ?? 0, storageClass, modifiedMs });
        }
      yield now(false);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    refused.versions = toAppError(thrown);
  }
  try {
    for await (const page of uploadPages(client, bucket, prefix, signal, { setsAside: true })) {
      counts.requests += 1;
      for (const { key, uploadId, storageClass } of page.uploads) {
        const listed = await listAllParts(client, { bucket, key, uploadId }, signal);
        counts.requests += 1;
        counts.uploads += 1;
        const name = storageClass ?? listed.storageClass ?? 'STANDARD';
        const stored = listed.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        parts.set(name, (parts.get(name) ?? 0) + stored);
      }
      yield now(false);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    refused.uploads = toAppError(thrown);
  }
  yield now(true);
}
