import { AppFailure, failure } from '../../../shared/errors.ts';
import type { BucketContents, NewBucket } from '../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { EventHub } from '../settings/events.ts';
import type { BucketLists } from '../browse/bucket-lists.ts';
import type { TypedBuckets } from '../browse/list-buckets.ts';
import { objectPages } from '../s3/listing/pages.ts';
import type { Bucket } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { uploadPages } from '../multipart/list-uploads.ts';
import type { ListVersionsPage } from '../s3/model/property-types.ts';

export interface BucketManager {
  create(connectionId: string, bucket: NewBucket): Promise<void>;
  remove(place: Place): Promise<void>;
  contents(place: Place, signal: AbortSignal | undefined): Promise<BucketContents>;
  uploads(
    place: Place,
    signal: AbortSignal | undefined,
  ): Promise<{
    readonly uploads: { readonly key: string; readonly uploadId: string }[];
    readonly more: boolean;
  }>;
}

export interface BucketManagerDeps {
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly bucketLists: Pick<BucketLists, 'drop'>;
  readonly typedBuckets: TypedBuckets;
  readonly events: EventHub;
  /** Called after a bucket was deleted, so that its cached data is dropped. */
  readonly onRemoved: (place: Place) => void;
}

const uploadLimit = 10_000;

/** Creates and deletes buckets. */
export function createBucketManager({
  client,
  bucketLists,
  typedBuckets,
  events,
  onRemoved,
}: BucketManagerDeps): BucketManager {
  return {
    create: async (connectionId, { name, region, objectLock }) => {
      const s3 = await client(connectionId);
      const before = await listed(s3);
      // If the owner creates an existing bucket again, some services respond with 200 as if it were new.
      if (before?.some((bucket) => bucket.name === name)) {
        throw failure('conflict', 'This connection already has a bucket of this name.', {
          retry: 'after-fix',
          reason: 'bucket-yours',
        });
      }
      try {
        await s3.createBucket({ bucket: name, ...(region === null ? {} : { region }), objectLock });
      } catch (thrown) {
        const isUnclear = thrown instanceof AppFailure && thrown.error.outcome === 'unknown';
        // If the bucket exists now, the request succeeded and only its response was lost.
        const after = isUnclear && before !== null ? await listed(s3) : null;
        if (!after?.some((bucket) => bucket.name === name)) throw thrown;
      }
      bucketLists.drop(connectionId);
      if (before === null) typedBuckets.remember(connectionId, name);
      events.emit({ kind: 'buckets-changed', connectionId });
    },

    remove: async ({ connectionId, bucket }) => {
      const s3 = await client(connectionId);
      await refuseUploads(s3, bucket);
      try {
        await s3.deleteBucket({ bucket });
      } catch (thrown) {
        const isUnclear = thrown instanceof AppFailure && thrown.error.outcome === 'unknown';
        if (!isUnclear || !(await isGone(s3, bucket))) throw thrown;
      }
      bucketLists.drop(connectionId);
      typedBuckets.forget(connectionId, bucket);
      onRemoved({ connectionId, bucket });
      events.emit({ kind: 'buckets-changed', connectionId });
    },

    contents: async ({ connectionId, bucket }, signal) => {
      const s3 = await client(connectionId);
      const options = { signal };
      const [isFilled, versions, status, uploads] = await Promise.all([
        hasObjects(s3, bucket, signal),
        orUnknown(async () => await s3.listObjectVersions({ bucket }, options)),
        orUnknown(async () => (await s3.versioningOf({ bucket }, options)) ?? 'never'),
        orUnknown(async () => {
          const found = await s3.listMultipartUploads({ bucket, maxUploads: 1000 }, options);
          return { count: found.uploads.length, more: found.next !== null };
        }),
      ]);
      return {
        hasObjects: isFilled,
        olderVersions: versions === null ? 'unknown' : olderVersions(versions, status ?? 'unknown'),
        uploads,
      };
    },

    uploads: async ({ connectionId, bucket }, signal) => {
      const s3 = await client(connectionId);
      const uploads: { key: string; uploadId: string }[] = [];
      let hasMore = false;
      for await (const page of uploadPages(s3, bucket, '', signal)) {
        for (const { key, uploadId } of page.uploads) uploads.push({ key, uploadId });
        hasMore = page.next !== null;
        if (uploads.length >= uploadLimit) break;
      }
      return { uploads: uploads.slice(0, uploadLimit), more: hasMore || uploads.length > uploadLimit };
    },
  };
}

/**
 * Throws if the bucket has unfinished uploads, which AWS and others delete with it. The uploads shown to the user were aborted
 * before, so any remaining one is newer and unconfirmed. If the service cannot list them, the window warned the user.
 */
async function refuseUploads(s3: S3Client, bucket: string): Promise<void> {
  const hasUploads = await orUnknown(async () => {
    for await (const { uploads } of uploadPages(s3, bucket, '')) if (uploads.length > 0) return true;
    return false;
  });
  if (hasUploads !== true) return;
  throw failure('conflict', 'There are incomplete uploads in the bucket. It was not deleted.', {
    retry: 'after-fix',
    reason: 'bucket-not-empty',
  });
}

/** Returns true if the bucket has objects. Continues after empty pages, from which a service may have removed entries. */
async function hasObjects(s3: S3Client, bucket: string, signal: AbortSignal | undefined): Promise<boolean> {
  for await (const { objects } of objectPages(s3, { bucket, maxKeys: 1 }, { signal }))
    if (objects.length > 0) return true;
  return false;
}

/** Lists the buckets; null if the access key may not list them. */
async function listed(s3: S3Client): Promise<readonly Bucket[] | null> {
  try {
    return await s3.listBuckets();
  } catch (thrown) {
    // An access key that may not list buckets may still create one.
    if (thrown instanceof AppFailure && thrown.error.code === 'access-denied') return null;
    throw thrown;
  }
}

async function isGone(s3: S3Client, bucket: string): Promise<boolean> {
  try {
    await s3.headBucket({ bucket });
    return false;
  } catch (thrown) {
    return thrown instanceof AppFailure && thrown.error.code === 'not-found';
  }
}

/** Calls `ask`. Returns null if the service does not support the list or denies it to this access key. */
async function orUnknown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (thrown) {
    if (!(thrown instanceof AppFailure)) throw thrown;
    const { code } = thrown.error;
    // A service that ignores the query returns an object listing or a web page.
    if (code === 'unsupported' || code === 'access-denied' || code === 'protocol') return null;
    throw thrown;
  }
}

/**
 * Returns whether the first page of a bucket's versions shows older versions or delete markers. For a never-versioned bucket,
 * services list each object as its only version, so one listed version proves nothing.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html
 */
export function olderVersions(
  page: ListVersionsPage,
  status: 'enabled' | 'suspended' | 'never' | 'unknown',
): BucketContents['olderVersions'] {
  if (page.versions.some(({ isLatest, isDeleteMarker }) => isDeleteMarker || !isLatest)) return 'some';
  if (page.nextPageToken === null || status === 'never') return 'none';
  return 'possible';
}
