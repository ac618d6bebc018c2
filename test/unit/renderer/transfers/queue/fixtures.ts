import type { Job, JobCounts } from '../../../../../shared/models/jobs.ts';

export const begunAt = '2026-01-01T12:00:00.000Z';
export const nowMs = Date.parse('2026-01-01T12:03:00.000Z');

export function jobOf(changes: Partial<Job> = {}): Job {
  return {
    id: 'j1',
    kind: 'resume',
    state: 'sending-parts',
    connectionId: 'c',
    bucket: 'b',
    key: 'videos/film.mp4',
    uploadId: 'u',
    fileName: 'film.mp4',
    createdAt: begunAt,
    updatedAt: begunAt,
    stateSince: begunAt,
    partsTotal: 10,
    partsDone: 4,
    bytesTotal: 1000,
    bytesDone: 400,
    speedBytesPerSecond: null,
    remainingMs: null,
    retryAt: null,
    completeAttempts: 0,
    reason: null,
    outcome: null,
    error: null,
    partNumbers: [],
    pauseRequested: false,
    ...changes,
  };
}

export function countsOf(changes: Partial<JobCounts> = {}): JobCounts {
  return { total: 0, byState: {}, broken: 0, bytesTotal: 0, bytesDone: 0, ...changes };
}
