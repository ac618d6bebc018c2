import type { NewAttempt } from '../../jobs/job.ts';
import { asSeen, sendIf } from '../../s3/conditions/conditional.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { logged } from '../../jobs/log-request.ts';
import { seenOf } from '../objects/compare-objects.ts';
import { headObject } from '../objects/look-at-object.ts';

export interface Deletion {
  readonly client: S3Client;
  readonly ref: ObjectRef;
  readonly seen: ObjectHead;
  readonly signal: AbortSignal;
  readonly log: (attempt: NewAttempt) => void;
}

/**
 * Deletes the object only if it is unchanged. A named version never changes and needs no condition. Throws `precondition-failed`
 * if the key has another object, and `not-found` if it has none.
 */
export async function deleteIf({ client, ref, seen, signal, log }: Deletion): Promise<void> {
  if (ref.versionId !== undefined) {
    await logged(
      log,
      'delete-object',
      () => client.deleteObject(ref, { signal }),
      () => ref.key,
    );
    return;
  }
  const look = (): Promise<ObjectHead | null> => headObject(client, ref, signal, log);
  const required = { client, ref, operation: 'delete', expected: asSeen(seenOf(seen)), look } as const;
  await sendIf(required, async (condition, tries) =>
    logged(
      log,
      'delete-object',
      () => client.deleteObject({ ...ref, ...ifMatchOf(condition) }, { signal, ...tries }),
      () => ref.key,
    ),
  );
}

function ifMatchOf({ ifMatch }: { readonly ifMatch?: string }): { readonly ifMatch?: string } {
  return ifMatch === undefined ? {} : { ifMatch };
}
