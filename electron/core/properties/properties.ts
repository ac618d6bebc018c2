import { AppFailure, toAppError } from '../../../shared/errors.ts';
import type { ObjectRef, Place } from '../../../shared/models/objects.ts';
import type {
  Acl,
  Archive,
  CannedAcl,
  Lock,
  ObjectProperties,
  OfferedClasses,
  ReadProperties,
  RestoreInput,
  RestoreResult,
  SetRetention,
} from '../../../shared/models/properties.ts';
import { setCannedAcl, setLegalHold, setRetention } from '../s3/conditions/proved-change.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { aclOf } from '../s3/model/property-types.ts';
import { inParallel } from '../flow/loops.ts';
import { detailsOf, isArchived } from '../browse/object-details.ts';
import { refOf, type ObjectHead } from '../s3/model/object-types.ts';
import { missingMetadata, shownMetadata, unreadableMetadata } from '../s3/requests/attribute-headers.ts';

export interface Properties {
  read(
    input: Place & { readonly keys: readonly string[] },
    signal: AbortSignal | undefined,
  ): Promise<ReadProperties[]>;
  storageClasses(connectionId: string): Promise<OfferedClasses>;
  acl(ref: ObjectRef, signal: AbortSignal | undefined): Promise<Acl>;
  setAcl(input: ObjectRef & { readonly canned: CannedAcl }): Promise<void>;
  lock(ref: ObjectRef, signal: AbortSignal | undefined): Promise<Lock>;
  setRetention(input: SetRetention): Promise<void>;
  setLegalHold(input: ObjectRef & { readonly on: boolean }): Promise<void>;
  restore(input: RestoreInput): Promise<RestoreResult[]>;
}

/** The number of objects processed at once. Reading one takes two requests. */
const atOnce = 8;

/** Reads and changes the properties of objects, not their bytes. */
export function createProperties(deps: {
  readonly client: (connectionId: string) => Promise<S3Client>;
}): Properties {
  return {
    read: async ({ connectionId, bucket, keys }, signal) => {
      const client = await deps.client(connectionId);
      return await inParallel(
        keys,
        atOnce,
        async (key) => await readObjectProperties(client, bucket, key, signal),
      );
    },

    storageClasses: async (connectionId) => {
      const { offered, areKnown } = (await deps.client(connectionId)).storageClasses;
      return { offered: [...offered], areKnown };
    },

    acl: async (ref, signal) => {
      const client = await deps.client(ref.connectionId);
      return aclOf(await client.getObjectAcl(refOf(ref), { signal }));
    },
    setAcl: async (input) => {
      const client = await deps.client(input.connectionId);
      await setCannedAcl(client, refOf(input), input.canned);
    },

    lock: async (ref, signal) => {
      const client = await deps.client(ref.connectionId);
      const options = { signal };
      const bucketLock = await client.getBucketLock({ bucket: ref.bucket }, options).catch(unlessDenied);
      // If reading the bucket's setting is denied, the responses for the object show whether it is locked.
      if (bucketLock !== 'denied' && bucketLock?.isEnabled !== true)
        return { bucketHasLock: false, retention: null, legalHold: false };
      const [retention, legalHold] = await Promise.all([
        client.getObjectRetention(refOf(ref), options),
        client.getObjectLegalHold(refOf(ref), options),
      ]);
      return { bucketHasLock: true, retention, legalHold };
    },
    setRetention: async (input) => {
      const client = await deps.client(input.connectionId);
      const { retention, bypassGovernance } = input;
      await setRetention(client, { ...refOf(input), retention, bypassGovernance });
    },
    setLegalHold: async (input) => {
      const client = await deps.client(input.connectionId);
      await setLegalHold(client, { ...refOf(input), on: input.on });
    },

    restore: async ({ connectionId, bucket, keys, days, tier }) => {
      const client = await deps.client(connectionId);
      return await inParallel(keys, atOnce, async (key): Promise<RestoreResult> => {
        try {
          return { key, outcome: await client.restoreObject({ bucket, key, days, tier }), error: null };
        } catch (thrown) {
          const error = toAppError(thrown);
          if (error.reason === 'restore-in-progress') return { key, outcome: 'in-progress', error: null };
          if (error.reason === 'not-archived') return { key, outcome: 'not-archived', error: null };
          return { key, outcome: 'failed', error };
        }
      });
    },
  };
}

async function readObjectProperties(
  client: S3Client,
  bucket: string,
  key: string,
  signal: AbortSignal | undefined,
): Promise<ReadProperties> {
  const options = { signal };
  try {
    const head = await client.headObject({ bucket, key }, options);
    const tagsResult = await client.getObjectTags({ bucket, key }, options).then(
      (tags) => ({ tags: [...tags], tagsError: null }),
      (thrown: unknown) => ({ tags: null, tagsError: toAppError(thrown) }),
    );
    return { key, properties: { ...propertiesOf(head), ...tagsResult }, error: null };
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    return { key, properties: null, error: toAppError(thrown) };
  }
}

function unlessDenied(thrown: unknown): 'denied' {
  if (thrown instanceof AppFailure && thrown.error.code === 'access-denied') return 'denied';
  throw thrown;
}

/** Returns the properties from a HEAD response; tags need a separate request. */
function propertiesOf(head: ObjectHead): Omit<ObjectProperties, 'tags' | 'tagsError'> {
  const { headers } = head;
  const text = (name: string): string | null => headers[name] ?? null;
  return {
    contentType: head.contentType,
    cacheControl: text('cache-control'),
    contentDisposition: text('content-disposition'),
    contentEncoding: text('content-encoding'),
    contentLanguage: text('content-language'),
    expires: timeOf(text('expires')),
    storageClass: head.storageClass ?? 'STANDARD',
    metadata: shownMetadata(head.metadata),
    unreadableMetadata: [...unreadableMetadata(headers)],
    missingMetadata: missingMetadata(headers),
    encryption: detailsOf(head).encryption,
    archive: archiveOf(head),
  };
}

/**
 * Returns the archive state from x-amz-restore, such as `ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"`.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html
 */
function archiveOf(head: Pick<ObjectHead, 'storageClass' | 'headers'>): Archive {
  const restore = head.headers['x-amz-restore'] ?? '';
  if (/ongoing-request="true"/.test(restore)) return { state: 'being-restored' };
  if (/ongoing-request="false"/.test(restore)) {
    const [, until] = /expiry-date="([^"]*)"/.exec(restore) ?? [];
    return { state: 'restored', until: timeOf(until ?? null) };
  }
  return isArchived(head) ? { state: 'archived' } : { state: 'readable' };
}

function timeOf(text: string | null): string | null {
  const atMs = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}
