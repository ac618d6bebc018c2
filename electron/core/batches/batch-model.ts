import type { Job } from '../../../shared/models/jobs.ts';
import { baseModel } from '../jobs/base-job.ts';
import type { Live } from '../jobs/job.ts';
import type { BatchJob } from './batch-job.ts';

/** The job as the window shows it: bytes while the manifest is sent, then objects as the service counts them. */
export function batchModel(job: BatchJob, live: Live | null): Job {
  const { manifest, seen } = job;
  const isSending = job.state === 'transferring';
  const isFollowed = job.state === 'verifying-outcome' && job.dueMs !== null;
  return {
    ...baseModel(job),
    bucket: job.bucket,
    key: '',
    uploadId: '',
    fileName: null,
    partsTotal: seen?.total ?? 0,
    partsDone: seen === null ? 0 : seen.succeeded + seen.failed,
    bytesTotal: isSending ? manifest.file.sizeBytes : 0,
    bytesDone: isSending ? (live?.bytesDone ?? 0) : 0,
    speedBytesPerSecond: isSending ? (live?.bytesPerSecond ?? null) : null,
    remainingMs: null,
    completeAttempts: 0,
    reason: job.reason,
    outcome: job.outcome,
    ...(isFollowed && job.error === null ? { waitsFor: 'batch' as const } : {}),
    error: job.error,
    partNumbers: [],
    pauseRequested: false,
    batch: {
      operation: job.operation,
      accountId: job.accountId,
      serviceId: job.serviceId,
      region: job.region,
      objects: manifest.objects,
      manifest: { bucket: manifest.bucket, key: manifest.key },
      report: { bucket: job.report.bucket, prefix: job.report.prefix },
      seen,
      isInDoubt: job.inDoubt,
      cancelRequested: job.wanted === 'cancel' || job.told === 'cancel',
    },
  };
}
