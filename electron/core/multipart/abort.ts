import { failure, toAppError } from '../../../shared/errors.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import type { EffectContext } from '../jobs/job.ts';
import type { Clock } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { failedAttempt, logged } from '../jobs/log-request.ts';
import type { UploadEvent } from './upload-transition.ts';
import type { UploadJob } from './upload-job.ts';

type Ref = Pick<UploadJob, 'bucket' | 'key' | 'uploadId'>;
type Context = Pick<EffectContext<UploadEvent>, 'log' | 'signal'>;

/** Aborts until the service no longer knows the upload. Only ever called for a job that the user made for it. */
export async function abortUpload(
  client: S3Client,
  { bucket, key, uploadId }: Ref,
  context: Context,
  deps: { readonly clock: Clock },
): Promise<UploadEvent> {
  const ref = { bucket, key, uploadId };
  if (!(await isKnown(client, ref, context))) return { kind: 'upload-aborted', wasThere: false };
  await abortKnown(client, ref, context, deps);
  return { kind: 'upload-aborted', wasThere: true };
}

/** The same for an upload that was listed just before. */
export async function abortKnown(
  client: S3Client,
  ref: Ref,
  context: Context,
  deps: { readonly clock: Clock },
): Promise<void> {
  for (let tries = 1; tries <= retryPolicies.abort.maxTries; tries += 1) {
    try {
      await logged(context.log, 'abort', () =>
        client.abortMultipartUpload(ref, { signal: context.signal, maxTries: 1 }),
      );
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'upload-gone' && error.outcome !== 'unknown') throw thrown;
    }
    if (!(await isKnown(client, ref, context))) return;
    await deps.clock.sleep(waitMs(retryPolicies.abort, tries - 1), context.signal);
  }
  throw failure('server', 'The service still knows the upload after it was aborted several times.', {
    retry: 'backoff',
  });
}

async function isKnown(client: S3Client, ref: Ref, context: Context): Promise<boolean> {
  try {
    await client.listParts({ ...ref, maxParts: 1 }, { signal: context.signal });
    return true;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'upload-gone') return false;
    context.log(failedAttempt('list-parts', null, error));
    throw thrown;
  }
}
