import { failure, toAppError } from '../../../shared/errors.ts';
import type { NewAttempt } from '../jobs/types.ts';
import type { ObjectHead, ObjectRef, S3Client } from '../s3/types.ts';
import { logged } from '../uploads/look.ts';

/** What stands at a key, with all that describes it; null: nothing. */
export async function lookAt(
  client: S3Client,
  ref: ObjectRef,
  signal: AbortSignal,
  log: (attempt: NewAttempt) => void,
): Promise<ObjectHead | null> {
  return await logged(
    log,
    'head-object',
    async () => {
      try {
        const head = await client.headObject(ref, { signal });
        // A proxy's page has a status of 200 too; an object has an ETag, or at least a date.
        if (head.etag === null && head.lastModified === null)
          throw failure('protocol', 'The answer about the object names neither an ETag nor a date.', {
            reason: 'unexpected-answer',
            retry: 'backoff',
          });
        return head;
      } catch (thrown) {
        const error = toAppError(thrown);
        if (error.code === 'not-found' && error.reason !== 'no-such-bucket') return null;
        throw thrown;
      }
    },
    (head) => `${head === null ? 'absent' : 'present'}: ${ref.key}`,
  );
}

export function sourceGone(key: string): Error {
  return failure('not-found', `There is no object at ${JSON.stringify(key)} any more.`, {
    reason: 'no-such-key',
  });
}
