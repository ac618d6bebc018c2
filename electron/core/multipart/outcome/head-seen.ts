import type { StandingObject } from '../../../../shared/models/stalled.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import { logged } from '../../jobs/log-request.ts';
import { headOrNull, lookAtKey, type Look } from '../../s3/conditions/look-at-key.ts';
import { etagHidesMd5 } from '../../s3/model/encrypted-etag.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import type { HeadSeen } from './outcome.ts';

/**
 * Checks the key with HEAD and returns its state; most errors become a state too. Throws for expired credentials and cancelled
 * requests.
 */
export async function headTarget(
  client: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  signal: AbortSignal,
): Promise<HeadSeen> {
  return seenBy(await lookAtKey(client, { bucket, key }, { signal }));
}

function seenBy(look: Look): HeadSeen {
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
export function standingOf(seen: HeadSeen): StandingObject {
  if (seen.kind !== 'present') return seen;
  const { sizeBytes, etag, lastModified, versionId } = seen;
  return { kind: 'present', sizeBytes, etag, lastModified, versionId };
}
