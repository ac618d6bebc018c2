import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { StandingObject } from '../../../shared/models/uploads.ts';
import type { NewAttempt } from '../jobs/types.ts';
import { etagHidesMd5 } from '../s3/encrypted-etag.ts';
import type { ListedPart, ListPartsPage, ObjectHead, S3Client, UploadRef } from '../s3/types.ts';
import { sortParts } from './part-list.ts';
import type { HeadSeen } from './verify-outcome.ts';

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
  let marker: string | null = null;
  for (;;) {
    const page: ListPartsPage = await client.listParts(
      { bucket, key, uploadId, ...(marker === null ? {} : { partNumberMarker: marker }) },
      { signal },
    );
    found.push(...page.parts);
    if (page.nextPartNumberMarker !== null) {
      marker = page.nextPartNumberMarker;
      continue;
    }
    const initiator = page.initiator ?? page.owner;
    return {
      parts: sortParts(found),
      storageClass: page.storageClass,
      initiator: initiator?.displayName ?? initiator?.id ?? null,
      checksumAlgorithm: page.checksumAlgorithm,
      checksumType: page.checksumType,
    };
  }
}

/** What stands at the key. What cannot be read is an answer too; expired keys and a cancelled request are not. */
export async function headOf(
  client: S3Client,
  ref: { readonly bucket: string; readonly key: string },
  signal: AbortSignal,
): Promise<HeadSeen> {
  try {
    return seenIn(await client.headObject({ bucket: ref.bucket, key: ref.key }, { signal }));
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'auth-expired') throw thrown;
    if (error.code === 'not-found' && error.reason !== 'no-such-bucket') return { kind: 'absent' };
    return { kind: 'unreadable', error };
  }
}

function seenIn(head: ObjectHead): HeadSeen {
  // A proxy's page has a status of 200 too; an object has an ETag, or at least a date.
  if (head.etag === null && head.lastModified === null) {
    const { error } = failure('protocol', 'The answer about the object names neither an ETag nor a date.', {
      reason: 'unexpected-answer',
      retry: 'backoff',
    });
    return { kind: 'unreadable', error };
  }
  return {
    kind: 'present',
    sizeBytes: head.sizeBytes,
    etag: head.etag,
    lastModified: head.lastModified,
    versionId: head.versionId,
    etagIsNotMd5: etagHidesMd5(head.headers),
  };
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
