import type { CompletionRequest, StandingObject, UploadRef } from '../../../shared/models/stalled.ts';
import type { PlanRefusal, ResumeOptions } from '../../../shared/models/resume-plan.ts';
import type { PartChecksums } from '../disk/checksums.ts';
import type { JobFile } from '../disk/local-file.ts';
import type { JudgedSlot } from './parts/judge.ts';
import type { PartRecord } from './parts/part-store.ts';
import { newJobFields } from '../jobs/life.ts';
import { lockKeyOf, type UploadJob } from './upload-job.ts';
import { quietMs } from './outcome/verify-outcome.ts';

export interface NewJob {
  readonly id: string;
  readonly nowMs: number;
  readonly ref: UploadRef;
  readonly quietUntilMs: number;
}

function blank(seed: NewJob): Omit<UploadJob, 'kind'> {
  const { bucket, key, uploadId, connectionId } = seed.ref;
  return {
    ...newJobFields({ id: seed.id, connectionId, lockKey: lockKeyOf(seed.ref), nowMs: seed.nowMs }),
    bucket,
    key,
    uploadId,
    initiatedAt: null,
    file: null,
    options: null,
    etagsAreNotMd5: false,
    checksumAlgorithm: null,
    wholeChecksums: {},
    sendsWholeChecksum: true,
    acceptedFingerprint: null,
    acceptGaps: false,
    agreed: null,
    inTheWay: null,
    withConditions: true,
    quietUntilMs: seed.quietUntilMs,
    progress: { partsTotal: 0, partsDone: 0, bytesTotal: 0, bytesDone: 0 },
    completion: null,
    rounds: 0,
    pauseRequested: false,
    isUnread: false,
    waiting: null,
    partNumbers: [],
  };
}

/**
 * Creates a job that completes an upload. Without `standing`, the job's owner decides which object may be replaced.
 * `wholeChecksums` are those of all bytes, if the owner sent the parts.
 */
export function completeJob(
  request: Pick<CompletionRequest, 'fingerprint' | 'acceptGaps'> &
    Partial<Pick<CompletionRequest, 'standing'>>,
  seed: NewJob,
  wholeChecksums: PartChecksums = {},
): UploadJob {
  return {
    ...blank(seed),
    kind: 'complete',
    acceptedFingerprint: request.fingerprint,
    acceptGaps: request.acceptGaps,
    agreed: request.standing ?? null,
    wholeChecksums,
  };
}

export function abortJob(seed: NewJob): UploadJob {
  return { ...blank(seed), kind: 'abort' };
}

export function resumeJob(
  plan: Pick<StoredPlan, 'slots' | 'file' | 'etagsAreNotMd5' | 'initiatedAt' | 'standing'>,
  options: ResumeOptions,
  seed: NewJob,
): { readonly job: UploadJob; readonly records: readonly PartRecord[] } {
  const records = plan.slots.map((slot): PartRecord => {
    const { partNumber, offset, sizeBytes, listed, md5 } = slot;
    const base = { partNumber, offset, sizeBytes, md5, checksums: {} };
    if (slot.state === 'verified') return { ...base, state: 'verified', etag: listed?.etag ?? null };
    if (slot.state === 'unverifiable' && options.acceptUnverified)
      return { ...base, state: 'accepted', etag: listed?.etag ?? null };
    return { ...base, state: 'todo', etag: null };
  });
  const done = records.filter((record) => record.state !== 'todo');
  const job: UploadJob = {
    ...blank(seed),
    kind: 'resume',
    file: plan.file,
    options,
    etagsAreNotMd5: plan.etagsAreNotMd5,
    initiatedAt: plan.initiatedAt,
    agreed: plan.standing,
    progress: {
      partsTotal: records.length,
      partsDone: done.length,
      bytesTotal: plan.file.sizeBytes,
      bytesDone: done.reduce((sum, record) => sum + record.sizeBytes, 0),
    },
  };
  return { job, records };
}

/**
 * Returns the time before which no Complete request may be sent; 0 if there is none. An earlier job may have been cancelled with
 * an unknown outcome, so the service may still be assembling the object.
 */
export function quietUntilOf(earlier: readonly UploadJob[], nowMs: number): number {
  let until = 0;
  for (const job of earlier) {
    const doubtAtMs = job.completion?.sent.doubtAtMs ?? null;
    if (job.state === 'cancelled' && doubtAtMs !== null)
      until = Math.max(until, Math.max(doubtAtMs, job.updatedMs) + quietMs);
  }
  return until > nowMs ? until : 0;
}

/** A plan to resume an upload, held by the core until it runs. */
export interface StoredPlan {
  readonly ref: UploadRef;
  readonly file: JobFile;
  readonly refusal: PlanRefusal | null;
  /** True if the file is only the beginning of the stored data. If the user agrees, the later parts are left out. */
  readonly isBeginning: boolean;
  readonly slots: readonly JudgedSlot[];
  readonly etagsAreNotMd5: boolean;
  readonly initiatedAt: string | null;
  /** The object at the key that the user saw; null if the key was not checked. */
  readonly standing: StandingObject | null;
}
