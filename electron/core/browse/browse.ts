import { AppFailure, failure } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import type {
  Addresses,
  BucketList,
  FolderPage,
  ObjectDetails,
  ObjectRef,
  Place,
  Preview,
} from '../../../shared/models/objects.ts';
import type { BucketLists } from './bucket-lists.ts';
import type { Ticketed, Tickets } from '../bytes/tickets.ts';
import { refOf, type ObjectHead } from '../s3/model/object-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { detailsOf, isArchived, previewOf } from './object-details.ts';
import { listFolder, type FolderInput } from './folder.ts';
import { type TypedBuckets, listBuckets } from './list-buckets.ts';

export interface Browse {
  /** Lists the buckets. `recent` accepts the list of the last minute. */
  buckets(
    connectionId: string,
    signal: AbortSignal | undefined,
    age?: 'current' | 'recent',
  ): Promise<BucketList>;
  remember(place: Place): void;
  forget(place: Place): void;
  folder(input: Place & FolderInput, signal: AbortSignal | undefined): Promise<FolderPage>;
  details(ref: ObjectRef, signal: AbortSignal | undefined): Promise<ObjectDetails>;
  addresses(ref: ObjectRef): Promise<Addresses>;
  preview(ref: ObjectRef, signal: AbortSignal | undefined): Promise<Preview>;
  /** Returns a path, valid for a limited time, from which a browser can save the whole object. */
  file(ref: ObjectRef, signal: AbortSignal | undefined): Promise<{ readonly path: string }>;
  /** Serves the object once under a ticket that the window chose. */
  offer(ref: ObjectRef, ticket: string): void;
}

export interface BrowseDeps {
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly bucketLists: Pick<BucketLists, 'current' | 'recent'>;
  readonly typedBuckets: TypedBuckets;
  readonly startOf: (connectionId: string) => StartPlace | null;
  readonly tickets: Tickets;
  readonly previewLimitBytes: () => number;
}

export function createBrowse(deps: BrowseDeps): Browse {
  const head = async (ref: ObjectRef, signal: AbortSignal | undefined): Promise<ObjectHead> => {
    const client = await deps.client(ref.connectionId);
    try {
      return await client.headObject(refOf(ref), { signal });
    } catch (thrown) {
      throw clarifyError(thrown);
    }
  };

  const describeForSaving = async (ref: ObjectRef, signal: AbortSignal | undefined): Promise<Ticketed> => {
    const objectHead = await head(ref, signal);
    if (isArchived(objectHead))
      throw failure('conflict', 'The object is archived and must be restored first.', {
        reason: 'object-archived',
        retry: 'after-fix',
      });
    const { etag, sizeBytes, lastModified } = objectHead;
    const shownAs = 'application/octet-stream';
    return { ref, etag, sizeBytes, lastModified, shownAs, isFile: true };
  };

  return {
    buckets: async (connectionId, signal, age = 'current') =>
      await listBuckets(async () => await deps.bucketLists[age](connectionId, signal), {
        typed: deps.typedBuckets.of(connectionId),
        start: deps.startOf(connectionId),
      }),
    remember: ({ connectionId, bucket }) => deps.typedBuckets.remember(connectionId, bucket),
    forget: ({ connectionId, bucket }) => deps.typedBuckets.forget(connectionId, bucket),
    folder: async (input, signal) => await listFolder(await deps.client(input.connectionId), input, signal),
    details: async (ref, signal) => detailsOf(await head(ref, signal)),
    addresses: async (ref) => ({
      s3Uri: `s3://${ref.bucket}/${ref.key}`,
      httpsUrl: (await deps.client(ref.connectionId)).objectUrl(refOf(ref)),
    }),
    preview: async (ref, signal) =>
      previewOf(ref, await head(ref, signal), {
        tickets: deps.tickets,
        limitBytes: deps.previewLimitBytes(),
      }),
    file: async (ref, signal) => ({ path: deps.tickets.issue(await describeForSaving(ref, signal)) }),
    offer: (ref, ticket) => {
      if (!deps.tickets.offer(ticket, ref.connectionId, describeForSaving(ref, undefined)))
        throw failure('invalid-argument', 'This ticket was already used.');
    },
  };
}

/**
 * Returns a clearer error for a 403 response to HEAD. Without permission to list the bucket, services also send it for missing
 * objects.
 */
function clarifyError(thrown: unknown): unknown {
  if (!(thrown instanceof AppFailure) || thrown.error.code !== 'access-denied') return thrown;
  if (thrown.error.reason !== 'denied' || thrown.error.s3?.code !== null) return thrown;
  const { s3, outcome, retry } = thrown.error;
  return failure(
    'access-denied',
    'The service refused to describe this object. It may still exist: the access key lacks the permission to read it (s3:GetObject).',
    { retry, outcome, reason: 'denied', s3, cause: thrown },
  );
}
