import { failure } from '../../../shared/errors.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { ResumeOptions } from '../../../shared/models/resume-plan.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { contentTypeOf } from '../s3/model/content-type.ts';
import { guessLayout } from '../multipart/parts/layout.ts';
import { checkUnchanged } from '../disk/local-file.ts';
import type { StoredPlan } from '../multipart/new-jobs.ts';
import type { UploadJob } from '../multipart/upload-job.ts';

/** The file and key for a new upload, and the object at the key that the user agreed to replace. */
export type NewUploadSeed = Pick<StoredPlan, 'ref' | 'file' | 'etagsAreNotMd5' | 'standing'>;

/**
 * Returns the file and key of a job that could not complete its upload. Throws `AppError('storage')` if the path of the file is
 * unknown.
 */
export function seedOfJob(job: UploadJob): NewUploadSeed {
  const { connectionId, bucket, key, uploadId, file, etagsAreNotMd5 } = job;
  if (file === null || file.path === null)
    throw failure('storage', 'The local file must be chosen again.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  const ref = { connectionId, bucket, key, uploadId };
  return { ref, file, etagsAreNotMd5, standing: job.inTheWay ?? job.agreed };
}

/**
 * Starts a new upload to the same key, with the usual part size or one within the known limits. Throws
 * `AppError('invalid-argument')` if the file is larger than an object may be.
 */
export async function startNewUpload(
  client: S3Client,
  seed: NewUploadSeed,
  minPartBytes: number,
): Promise<{
  readonly ref: UploadRef;
  readonly plan: Pick<StoredPlan, 'slots' | 'file' | 'etagsAreNotMd5' | 'initiatedAt' | 'standing'>;
  readonly options: ResumeOptions;
}> {
  const { ref, file, etagsAreNotMd5, standing } = seed;
  const { bucket, key } = ref;
  await checkUnchanged(file);
  const rules = { equalPartSizes: true, minPartBytes, limits: client.partLimits };
  const guess = guessLayout([], file.sizeBytes, rules, null);
  const layout = guess.kind === 'layouts' ? guess.layouts[0] : undefined;
  if (layout === undefined)
    throw failure('invalid-argument', 'The file is larger than an object can be.', { reason: 'too-large' });
  const { uploadId } = await client.createMultipartUpload({
    bucket,
    key,
    contentType: contentTypeOf(key),
    ...client.checksums.ofUploads,
  });
  const slots = layout.slots.map((slot) => ({ ...slot, state: 'missing' as const, md5: null }));
  return {
    ref: { ...ref, uploadId },
    plan: { slots, file, etagsAreNotMd5, initiatedAt: null, standing },
    options: { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false },
  };
}
