import { failure } from '../../../../shared/errors.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { loggedHead } from '../../multipart/outcome/head-seen.ts';

/** Returns the object at a key, with its metadata; null if there is no object. */
export async function headObject(
  client: S3Client,
  ref: ObjectRef,
  signal: AbortSignal,
  log: (attempt: NewAttempt) => void,
): Promise<ObjectHead | null> {
  return await loggedHead(log, client, ref, signal);
}

export function sourceGone(key: string): Error {
  return failure('not-found', `The key ${JSON.stringify(key)} no longer has an object.`, {
    reason: 'no-such-key',
  });
}
