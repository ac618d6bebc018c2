import type { Job } from '../../../shared/models/jobs.ts';
import { baseModel } from '../jobs/base-job.ts';
import type { Live } from '../jobs/job.ts';
import type { UploadJob } from './upload-job.ts';

/** Returns the job as the window shows it. `isSilent` is true if its Complete request has had no response for long. */
export function uploadModel(job: UploadJob, live: Live | null, isSilent: boolean): Job {
  const { progress } = job;
  const bytesDone = live?.bytesDone ?? progress.bytesDone;
  const speed = live?.bytesPerSecond ?? null;
  const remainingMs =
    speed === null || speed <= 0 ? null : Math.round(((progress.bytesTotal - bytesDone) / speed) * 1000);
  return {
    ...baseModel(job),
    bucket: job.bucket,
    key: job.key,
    uploadId: job.uploadId,
    fileName: job.file?.name ?? null,
    partsTotal: progress.partsTotal,
    partsDone: live?.partsDone ?? progress.partsDone,
    bytesTotal: progress.bytesTotal,
    bytesDone,
    speedBytesPerSecond: speed,
    remainingMs,
    completeAttempts: job.completion?.attempts ?? 0,
    reason: job.reason,
    outcome: job.outcome,
    ...(job.isUnread ? { notReadBack: true } : {}),
    ...waitOf(job, isSilent),
    error: job.error,
    partNumbers: [...job.partNumbers],
    pauseRequested: job.pauseRequested,
    ...(job.inTheWay === null ? {} : { inTheWay: job.inTheWay }),
  };
}

function waitOf(job: UploadJob, isSilent: boolean): Pick<Job, 'waitsFor' | 'waitsUntil'> {
  if (job.state === 'completing') return isSilent ? { waitsFor: 'complete-answer' } : {};
  if (job.waiting === null) return {};
  const { kind, untilMs } = job.waiting;
  return { waitsFor: kind, waitsUntil: untilMs === null ? null : new Date(untilMs).toISOString() };
}
