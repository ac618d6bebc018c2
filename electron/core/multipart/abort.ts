import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import { failedAttempt, logged } from '../jobs/log-request.ts';
import type { EffectContext } from '../jobs/job.ts';
import type { Clock } from '../ports.ts';
import type { UploadRef } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

type Context = Pick<EffectContext<never>, 'log' | 'signal'>;

export type AbortOutcome =
  | 'aborted'
  /**
   * The service accepted the Abort request, but its list of parts cannot be read, so it is not certain that the upload is gone.
   */
  | 'aborted-unchecked'
  | 'already-gone';

/**
 * The maximum number of accepted Abort requests while the parts cannot be listed. After that, the job ends as
 * `aborted-unchecked`.
 */
const maxUncheckedAborts = 3;

/**
 * Aborts an upload and verifies that it is gone: ListParts or a second Abort request must report it as unknown. Sends the first
 * Abort request without checks, because the user ordered it. Throws the error with which the service rejects it.
 */
export async function abortUpload(
  client: S3Client,
  { bucket, key, uploadId }: UploadRef,
  context: Context,
  deps: { readonly clock: Clock },
): Promise<AbortOutcome> {
  const ref = { bucket, key, uploadId };
  let acceptedCount = 0;
  let mayBeApplied = false;
  let areListed = false;
  let lastError: AppError | null = null;
  for (let tries = 1; tries <= retryPolicies.abort.maxTries; tries += 1) {
    let reply: Reply;
    try {
      reply = await sendAbort(client, ref, context);
    } catch (thrown) {
      const isUnchecked = acceptedCount > 0 && !areListed;
      if (isUnchecked && toAppError(thrown).code !== 'cancelled') return 'aborted-unchecked';
      throw thrown;
    }
    if (reply.kind === 'accepted') acceptedCount += 1;
    if (reply.kind === 'unclear') lastError = reply.error;
    mayBeApplied ||= reply.kind !== 'gone';
    const parts = await lookForParts(client, ref, context);
    const isGone = parts.kind === 'gone' || (reply.kind === 'gone' && parts.kind === 'unreadable');
    if (isGone) return mayBeApplied ? 'aborted' : 'already-gone';
    if (parts.kind === 'unreadable' && acceptedCount >= maxUncheckedAborts) return 'aborted-unchecked';
    areListed = parts.kind === 'listed';
    if (areListed) lastError = null;
    await deps.clock.sleep(waitMs(retryPolicies.abort, tries - 1), context.signal);
  }
  throw failure(
    'server',
    lastError?.message ?? 'The service still knows the upload after it was aborted several times.',
    { retry: 'backoff', ...(lastError === null ? {} : { s3: lastError.s3, outcome: lastError.outcome }) },
  );
}

/** Returns true if the service no longer knows the upload or its bucket. */
export function isUploadGone({ code, reason }: AppError): boolean {
  return code === 'upload-gone' || reason === 'no-such-bucket';
}

type Reply =
  | { readonly kind: 'accepted' | 'gone' }
  /** The response was lost or unreadable, so the service may or may not have aborted the upload. */
  | { readonly kind: 'unclear'; readonly error: AppError };

async function sendAbort(client: S3Client, ref: UploadRef, context: Context): Promise<Reply> {
  try {
    await logged(context.log, 'abort', () =>
      client.abortMultipartUpload(ref, { signal: context.signal, maxTries: 1 }),
    );
    return { kind: 'accepted' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isUploadGone(error)) return { kind: 'gone' };
    if (error.outcome === 'unknown' && error.code !== 'cancelled') return { kind: 'unclear', error };
    throw thrown;
  }
}

async function lookForParts(
  client: S3Client,
  ref: UploadRef,
  context: Context,
): Promise<{ readonly kind: 'listed' | 'gone' | 'unreadable' }> {
  try {
    await client.listParts({ ...ref, maxParts: 1 }, { signal: context.signal });
    return { kind: 'listed' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled') throw thrown;
    if (isUploadGone(error)) return { kind: 'gone' };
    context.log(failedAttempt('list-parts', null, error));
    return { kind: 'unreadable' };
  }
}
