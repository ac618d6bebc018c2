import { z } from 'zod';
import { jobStates, type Job } from '../../../shared/models/jobs.ts';
import type { BaseJob } from './job.ts';

/** A time that a `Date` can represent, in ms since 1970. */
export const momentMs = z.number().min(-8.64e15).max(8.64e15);

/** The stored fields of BaseJob, except the kind, which each driver defines. */
export const baseJobFields = {
  id: z.string(),
  state: z.enum(jobStates),
  connectionId: z.string(),
  lockKey: z.string(),
  createdMs: momentMs,
  updatedMs: momentMs,
  stateSinceMs: momentMs,
  dueMs: momentMs.nullable(),
  run: z.int(),
} as const;

type BaseModel = Pick<
  Job,
  'id' | 'kind' | 'state' | 'connectionId' | 'createdAt' | 'updatedAt' | 'stateSince' | 'retryAt'
>;

/** Returns the fields that the window shows for a job of any kind. */
export function baseModel(job: BaseJob): BaseModel {
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    connectionId: job.connectionId,
    createdAt: iso(job.createdMs),
    updatedAt: iso(job.updatedMs),
    stateSince: iso(job.stateSinceMs),
    retryAt: job.dueMs === null ? null : iso(job.dueMs),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
