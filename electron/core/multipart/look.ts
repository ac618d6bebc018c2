import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { StandingObject } from '../../../shared/models/uploads.ts';
import type { NewAttempt } from '../jobs/types.ts';
import { etagHidesMd5 } from '../s3/model/encrypted-etag.ts';
import { pagesOf } from '../s3/listing/pages.ts';
import { headOrNull, lookAtKey, type Look } from '../s3/conditions/look.ts';
import type { ListedPart, ListPartsPage, ObjectHead, ObjectRef, UploadRef } from '../s3/model/types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { sortParts } from './part-list.ts';
import type { HeadSeen } from './outcome.ts';

export interface ListedUpload {
  /** Sorted by number. */
  readonly parts: readonly ListedPart[];
  readonly storageClass: string | null;
  readonly initiator: string | null;
  readonly checksumAlgorithm: string | null;
  readonly checksumType: string | null;
}

/** ListParts, paged to the end (s3cmd#346). */
export async function listAllParts(
  client: S3Client,
  ref: UploadRef,
  signal: AbortSignal,
): Promise<ListedUpload> {
  const found: ListedPart[] = [];
  const { bucket, key, uploadId } = ref;
  const pages = pagesOf(
    async (marker: string | null) =>
      await client.listParts(
        { bucket, key, uploadId, ...(marker === null ? {} : { partNumberMarker: marker }) },
        { signal },
      ),
    (page) => page.nextPartNumberMarker,
  );
  let last: ListPartsPage | null = null;
  for await (const page of pages) {
    found.push(...page.parts);
    last = page;
  }
  const initiator = last?.initiator ?? last?.owner;
  return {
    parts: sortParts(found),
    storageClass: last?.storageClass ?? null,
    initiator: initiator?.displayName ?? initiator?.id ?? null,
    checksumAlgorithm: last?.checksumAlgorithm ?? null,
    checksumType: last?.checksumType ?? null,
  };
}

/** What a look at the key says of it to those who decide about uploads. Expired keys and a cancelled request are thrown. */
export async function headOf(
  client: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  signal: AbortSignal,
): Promise<HeadSeen> {
  return seenBy(await lookAtKey(client, { bucket, key }, { signal }));
}

export function seenBy(look: Look): HeadSeen {
  if (look.kind !== 'present') return look;
  const { sizeBytes, etag, lastModified, versionId, headers } = look.head;
  return { kind: 'present', sizeBytes, etag, lastModified, versionId, etagIsNotMd5: etagHidesMd5(headers) };
}

/** A look at a key with all that describes it, in the job's log; null: nothing is there. What cannot be read is thrown. */
export async function loggedHead(
  log: (attempt: NewAttempt) => void,
  client: S3Client,
  ref: ObjectRef,
  signal: AbortSignal,
): Promise<ObjectHead | null> {
  return await logged(
    log,
    'head-object',
    () => headOrNull(client, ref, { signal }),
    (head) => `${head === null ? 'absent' : 'present'}: ${ref.key}`,
  );
}

/** The same for the window. */
export function standingOf(seen: HeadSeen): StandingObject {
  if (seen.kind !== 'present') return seen;
  const { sizeBytes, etag, lastModified, versionId } = seen;
  return { kind: 'present', sizeBytes, etag, lastModified, versionId };
}

/** Logs a request of a job, however it ends. */
export async function logged<T>(
  log: (attempt: NewAttempt) => void,
  request: string,
  work: () => Promise<T>,
  note: (result: T) => string | null = () => null,
): Promise<T> {
  try {
    const result = await work();
    log({ request, partNumber: null, status: null, requestId: null, error: null, note: note(result) });
    return result;
  } catch (thrown) {
    log(failedAttempt(request, null, toAppError(thrown)));
    throw thrown;
  }
}

export function failedAttempt(request: string, partNumber: number | null, error: AppError): NewAttempt {
  return {
    request,
    partNumber,
    status: error.s3?.status ?? null,
    requestId: error.s3?.requestId ?? null,
    error,
    note: null,
  };
}
