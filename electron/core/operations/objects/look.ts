import { failure } from '../../../../shared/errors.ts';
import type { NewAttempt } from '../../jobs/types.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { loggedHead } from '../../multipart/look.ts';

/** What stands at a key, with all that describes it; null: nothing. */
export async function lookAt(
  client: S3Client,
  ref: ObjectRef,
  signal: AbortSignal,
  log: (attempt: NewAttempt) => void,
): Promise<ObjectHead | null> {
  return await loggedHead(log, client, ref, signal);
}

export function sourceGone(key: string): Error {
  return failure('not-found', `There is no object at ${JSON.stringify(key)} any more.`, {
    reason: 'no-such-key',
  });
}
