import {
  absent,
  expectObject,
  writeConditionFor,
  type WriteCondition as S3Condition,
} from '../s3/conditions/conditional.ts';
import { logged } from '../jobs/log-request.ts';
import type { ConditionForm } from '../s3/model/condition-memory.ts';
import type { CompletedPart, CompleteMultipartUploadOutput } from '../s3/model/multipart-types.ts';
import { completeWatched } from './hanging-complete.ts';
import { headTarget } from './outcome/look.ts';
import {
  provedThoughListed,
  type CompleteCondition,
  type HeadResult,
  type Intent,
} from './outcome/outcome.ts';
import type { UploadJob } from './upload-job.ts';
import type { RunningComplete, UploadWork } from './upload-work.ts';
import { nothingSent, quietMs } from './outcome/verify-outcome.ts';

/**
 * Sends CompleteMultipartUpload and returns the response. Returns null if the object at the key proved success first; the request
 * is then dropped. Throws the service's error, and `AppError('timeout')` with an unknown outcome if no response arrives in time.
 */
export async function requestComplete(
  work: UploadWork,
  running: RunningComplete,
  intent: Intent,
  parts: readonly CompletedPart[],
): Promise<CompleteMultipartUploadOutput | null> {
  const { client, job, context, deps } = work;
  return await completeWatched(
    async (signal, onSignOfLife) =>
      await client.completeMultipartUpload(
        {
          ...completedUploadRef(job),
          parts,
          ...headersOf(intent),
          ...(intent.sendsChecksums ? { checksums: intent.checksums } : {}),
          onSignOfLife,
        },
        { signal, maxTries: 1 },
      ),
    {
      clock: deps.clock,
      signal: context.signal,
      checkKey: async (silentMs) => await isProvedMeanwhile(work, intent, silentMs),
      takeCheckRequest: () => {
        const isRequested = running.isCheckRequested;
        running.isCheckRequested = false;
        return isRequested;
      },
      onSilence: (isSilent) => {
        if (isSilent === running.isSilent) return;
        running.isSilent = isSilent;
        context.progress(job.progress.bytesDone, job.progress.partsDone);
      },
    },
  );
}

/**
 * Returns true if the object at the key proves that the Complete request succeeded, although no response arrived yet. After ten
 * minutes without a response, an object that probably comes from this upload is enough.
 */
async function isProvedMeanwhile(work: UploadWork, intent: Intent, silentMs: number): Promise<boolean> {
  try {
    const object = await headCompleteTarget(work, (seen) => `${seen.kind}, while the Complete is under way`);
    const proved = provedThoughListed(intent, { ...nothingSent, doubtAtMs: 0 }, object);
    return proved !== null && (proved !== 'probably-completed' || silentMs >= quietMs);
  } catch {
    // The failure is in the job's log. The response of the Complete request may still arrive.
    return false;
  }
}

/**
 * If a service rejected the condition of a Complete request and then accepted the request without it, remembers to omit the
 * condition in this bucket.
 */
export function learnCondition({ client, job, memory }: UploadWork): void {
  const { id, bucket, completion } = job;
  const form = memory.refusedConditions.get(id);
  memory.refusedConditions.delete(id);
  if (form !== undefined && completion?.intent.condition === 'none')
    client.conditions.learned(bucket, 'complete', form, 'refused');
}

/** Sends a HEAD for the key and logs it in the job's log. */
export async function headCompleteTarget(
  { client, job, context }: UploadWork,
  noteOf: (seen: HeadResult) => string = (seen) => seen.kind,
): Promise<HeadResult> {
  return await logged(context.log, 'head-object', () => headTarget(client, job, context.signal), noteOf);
}

/** Returns the request headers for the condition of the Complete request. */
function headersOf(intent: Intent): S3Condition {
  switch (intent.condition) {
    case 'free':
      return writeConditionFor(absent) ?? {};
    case 'as-seen':
      return intent.before.kind === 'present' ? (writeConditionFor(expectObject(intent.before)) ?? {}) : {};
    default:
      return {};
  }
}

export function formOf(condition: CompleteCondition): ConditionForm {
  return condition === 'free' ? 'absent' : 'etag';
}

export function completedUploadRef(job: UploadJob): { bucket: string; key: string; uploadId: string } {
  return { bucket: job.bucket, key: job.key, uploadId: job.uploadId };
}
