import { foreignOf } from '../s3/listing/prefixes.ts';
import { type AppError, AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type {
  DeletedEntry,
  DeletedPage,
  RestoredVersion,
  Unlisted,
  Versioning,
  VersionRef,
  VersionsPage,
} from '../../../shared/models/versions.ts';
import { versionPages } from '../s3/listing/pages.ts';
import type { UploadRef } from '../s3/model/multipart-types.ts';
import type { RequestOptions } from '../s3/model/request-types.ts';
import type { ListedVersion } from '../s3/model/property-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { SmallestSize } from '../../../shared/models/prices.ts';
import { HoldingSums } from '../../../shared/pricing/holdings.ts';
import { listAllParts, uploadPages, type ListedUpload } from '../multipart/list-uploads.ts';

/** The maximum number of older delete markers of a key to skip when searching for its size. */
const maxMarkersBelow = 20;

export interface VersionsPageInput extends Place {
  readonly prefix: string;
  readonly delimiter: '/' | null;
  readonly pageToken: string | null;
}

export interface Versions {
  status(place: Place, signal: AbortSignal | undefined): Promise<{ versioning: Versioning }>;
  list(input: VersionsPageInput, signal: AbortSignal | undefined): Promise<VersionsPage>;
  deleted(input: Omit<VersionsPageInput, 'delimiter'>, signal: AbortSignal | undefined): Promise<DeletedPage>;
  restore(ref: VersionRef): Promise<RestoredVersion>;
  remove(ref: VersionRef): Promise<void>;
  unlisted(
    request: UnlistedQuery & { readonly connectionId: string },
    signal: AbortSignal,
  ): AsyncGenerator<Unlisted, void, void>;
}

/** Lists and manages the versions and delete markers of a bucket's objects. */
export function createVersions(deps: {
  readonly client: (connectionId: string) => Promise<S3Client>;
  /** Starts a job that copies a version over the latest one. */
  readonly copyOver: (ref: VersionRef) => unknown;
}): Versions {
  return {
    status: async ({ connectionId, bucket }, signal) => {
      const client = await deps.client(connectionId);
      try {
        return { versioning: (await client.versioningOf({ bucket }, optionsFor(signal))) ?? 'off' };
      } catch (thrown) {
        if (!(thrown instanceof AppFailure)) throw thrown;
        // A user who may list versions may be denied GetBucketVersioning.
        if (thrown.error.code === 'access-denied') return { versioning: 'unknown' };
        if (thrown.error.code === 'unsupported') return { versioning: 'unsupported' };
        throw thrown;
      }
    },

    list: async (input, signal) => {
      const client = await deps.client(input.connectionId);
      const page = await client.listObjectVersions(
        {
          bucket: input.bucket,
          prefix: input.prefix,
          setsAside: true,
          ...(input.delimiter === null ? {} : { delimiter: input.delimiter }),
          ...(input.pageToken === null ? {} : { pageToken: input.pageToken }),
        },
        optionsFor(signal),
      );
      if (input.delimiter !== null) {
        return {
          commonPrefixes: [...page.commonPrefixes],
          versions: [...page.versions],
          unreadable: [...page.unreadable],
          foreign: foreignOf(page.foreign),
          nextPageToken: page.nextPageToken,
        };
      }
      // A key sorts before all longer keys that start with it, so the first longer key ends its versions.
      const versions = page.versions.filter(({ key }) => key === input.prefix);
      const isOver = versions.length < page.versions.length;
      return {
        commonPrefixes: [],
        versions,
        unreadable: [...page.unreadable],
        foreign: foreignOf(page.foreign),
        nextPageToken: isOver ? null : page.nextPageToken,
      };
    },

    deleted: async ({ connectionId, bucket, prefix, pageToken }, signal) => {
      const client = await deps.client(connectionId);
      const { versions, nextPageToken } = await client.listObjectVersions(
        { bucket, prefix, setsAside: true, ...(pageToken === null ? {} : { pageToken }) },
        optionsFor(signal),
      );
      return { deleted: deletedOf(versions), scanned: versions.length, nextPageToken };
    },

    restore: async ({ connectionId, bucket, key, versionId }) => {
      const client = await deps.client(connectionId);
      const entry = await findVersion(client, { bucket, key, versionId });
      if (entry.isDeleteMarker) {
        await client.deleteObject({ bucket, key, versionId });
        return { how: 'marker-deleted' };
      }
      if (entry.isLatest) return { how: 'already-latest' };
      deps.copyOver({ connectionId, bucket, key, versionId });
      return { how: 'begun' };
    },

    unlisted: async function* ({ connectionId, ...request }, signal) {
      yield* countUnlisted(await deps.client(connectionId), request, signal);
    },

    remove: async ({ connectionId, bucket, key, versionId }) => {
      const client = await deps.client(connectionId);
      await client.deleteObject({ bucket, key, versionId });
    },
  };
}

/** Returns the objects that a delete marker hides. `versions` must be in the service's order, newest of each key first. */
export function deletedOf(versions: readonly ListedVersion[]): DeletedEntry[] {
  return versions.flatMap(({ key, versionId, lastModified, isLatest, isDeleteMarker }, at) => {
    if (!isLatest || !isDeleteMarker) return [];
    const below = versions
      .slice(at + 1, at + 1 + maxMarkersBelow)
      .find((version) => version.key !== key || !version.isDeleteMarker);
    const sizeBytes = below?.key === key ? below.sizeBytes : null;
    return [{ key, versionId, deletedAt: lastModified, sizeBytes }];
  });
}

interface ObjectVersionRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
}

/** Finds one version by listing, because HEAD cannot distinguish a delete marker from a refusal. */
async function findVersion(client: S3Client, { bucket, key, versionId }: ObjectVersionRef) {
  for await (const { versions } of versionPages(client, { bucket, prefix: key })) {
    const found = versions.find((entry) => entry.key === key && entry.versionId === versionId);
    if (found !== undefined) return found;
    if (versions.some((entry) => entry.key !== key)) break;
  }
  throw failure('not-found', 'This version no longer exists.', { reason: 'no-such-key' });
}

function optionsFor(signal: AbortSignal | undefined): RequestOptions | undefined {
  return signal === undefined ? undefined : { signal };
}

interface UnlistedQuery {
  readonly bucket: string;
  readonly prefix: string;
  /** The minimum billed sizes, which apply to older versions too. */
  readonly smallest: readonly SmallestSize[];
}

/**
 * Counts bytes that the service bills but a folder listing does not show: older versions, and parts of unfinished uploads. Yields
 * after each page. If the service refuses one of the two, counts the other and returns the refusal with it.
 */
async function* countUnlisted(
  client: S3Client,
  { bucket, prefix, smallest }: UnlistedQuery,
  signal: AbortSignal,
): AsyncGenerator<Unlisted, void, void> {
  const versions = new HoldingSums(smallest);
  const parts = new Map<string, number>();
  const counts = { requests: 0, olderVersions: 0, deleteMarkers: 0, uploads: 0 };
  const refused: { versions: AppError | null; uploads: AppError | null } = { versions: null, uploads: null };
  const countsSoFar = (isComplete: boolean): Unlisted => ({
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
      yield countsSoFar(false);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    refused.versions = toAppError(thrown);
  }
  try {
    for await (const page of uploadPages(client, bucket, prefix, signal, { setsAside: true })) {
      counts.requests += 1;
      for (const { key, uploadId, storageClass } of page.uploads) {
        const listed = await listPartsUnlessGone(client, { bucket, key, uploadId }, signal);
        counts.requests += 1;
        if (listed === null) continue;
        counts.uploads += 1;
        const name = storageClass ?? listed.storageClass ?? 'STANDARD';
        const stored = listed.parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
        parts.set(name, (parts.get(name) ?? 0) + stored);
      }
      yield countsSoFar(false);
    }
  } catch (thrown) {
    signal.throwIfAborted();
    refused.uploads = toAppError(thrown);
  }
  yield countsSoFar(true);
}

/** Lists the parts of an upload; null if it was completed or aborted after ListMultipartUploads listed it. */
async function listPartsUnlessGone(
  client: S3Client,
  ref: UploadRef,
  signal: AbortSignal,
): Promise<ListedUpload | null> {
  try {
    return await listAllParts(client, ref, signal);
  } catch (thrown) {
    if (toAppError(thrown).code === 'upload-gone') return null;
    throw thrown;
  }
}
