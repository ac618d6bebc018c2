import type { StandingObject } from '../../../../shared/models/stalled.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import { logged } from '../../jobs/log-request.ts';
import { headOrNull, lookAtKey, type Look } from '../../s3/conditions/look-at-key.ts';
import { etagHidesMd5 } from '../../s3/model/etag.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { HeadResult } from './outcome.ts';
import { toAppError, type AppError } from '../../../../shared/errors.ts';

/**
 * Checks the key with HEAD and returns its state; most errors become a state too. Throws for expired credentials and cancelled
 * requests.
 */
export async function headTarget(
  client: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  signal: AbortSignal,
): Promise<HeadResult> {
  return headResultOf(await lookAtKey(client, { bucket, key }, { signal }));
}

function headResultOf(look: Look): HeadResult {
  if (look.kind !== 'present') return look;
  const { sizeBytes, etag, lastModified, versionId, headers } = look.head;
  return { kind: 'present', sizeBytes, etag, lastModified, versionId, etagIsNotMd5: etagHidesMd5(headers) };
}

/** Sends a HEAD request and records it in the job's log. Returns null if the key does not exist. Throws other failures. */
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

/** Returns the state of the key as the window shows it. */
export function standingOf(headResult: HeadResult): StandingObject {
  if (headResult.kind !== 'present') return headResult;
  const { sizeBytes, etag, lastModified, versionId } = headResult;
  return { kind: 'present', sizeBytes, etag, lastModified, versionId };
}

/** The result of reading the last byte of an object that HEAD describes. */
export type ReadBack =
  | { readonly kind: 'read' }
  /** Reading was refused because of permissions, a customer's key or an archive class. The object itself is fine. */
  | { readonly kind: 'forbidden'; readonly error: AppError }
  | { readonly kind: 'failed'; readonly error: AppError };

/**
 * Reads the last byte of an object. On Swift, a part that arrives after the Complete request leaves an object that HEAD describes
 * but GET rejects (409, BrokenMPU). Throws only errors that are not about the object: expired credentials, or a stopped job.
 */
export async function readLastByte(
  client: S3Client,
  ref: { readonly bucket: string; readonly key: string },
  sizeBytes: number,
  signal: AbortSignal,
): Promise<ReadBack> {
  const last = sizeBytes - 1;
  try {
    const { bucket, key } = ref;
    const object = await client.getObject(
      { bucket, key, range: { firstByte: last, lastByte: last } },
      { signal },
    );
    await object.read(() => undefined);
    return { kind: 'read' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'auth-expired') throw thrown;
    return { kind: isForbidden(error) ? 'forbidden' : 'failed', error };
  }
}

function isForbidden({ code, reason }: AppError): boolean {
  switch (code) {
    case 'access-denied':
    case 'unsupported':
      return true;
    case 'invalid-argument':
      // For example, the customer's key is not known here. A rejected range means that the object is shorter than HEAD reported.
      return reason !== 'invalid-range';
    case 'conflict':
      return reason === 'object-archived';
    case 'protocol':
      // The service or a proxy ignores ranges. Downloading the whole object would be too much for this check.
      return reason === 'range-ignored';
    default:
      return false;
  }
}
