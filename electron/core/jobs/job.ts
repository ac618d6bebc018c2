import { z } from 'zod';
import { type AppError, failure } from '../../../shared/errors.ts';
import type { JobKind } from '../../../shared/models/job-kinds.ts';
import { type Attempt, type Job, type JobState, jobStates } from '../../../shared/models/jobs.ts';
import type { JobWaits } from './job-waits.ts';

/** The fields that the engine and the store need of every job. */
export interface BaseJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly connectionId: string;
  /** Jobs with the same key never run at the same time. For uploads: bucket, key and upload id. */
  readonly lockKey: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly stateSinceMs: number;
  /** When a scheduled job is due; null if it is not scheduled, or may start at once while it waits. */
  readonly dueMs: number | null;
  /** Increases when an effect starts and when the job rests. Events of effects with an older number are ignored. */
  readonly run: number;
}

/** Events that the engine sends to a job. */
export type EngineEvent =
  | { readonly kind: 'started' }
  | { readonly kind: 'restarted' }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** `isAutomatic`: not by the user, but because the computer woke up, the network is back, or the clock was set back. */
  | { readonly kind: 'retry-now'; readonly isAutomatic?: true }
  | { readonly kind: 'cancel' }
  /** The connection's credentials or settings were changed. */
  | { readonly kind: 'keys-changed' }
  | { readonly kind: 'failed'; readonly error: AppError };

/** The time of an event and a random number for it: transitions are pure and read neither clock nor random source. */
export interface Moment {
  readonly nowMs: number;
  /** A random number, uniform in [0, 1). */
  readonly fraction: number;
}

export interface Step<J, F> {
  readonly job: J;
  readonly effects: readonly F[];
}

/** Ends the running effect. Part of each driver's effects. */
export interface StopEffect {
  readonly kind: 'stop';
}

export type NewAttempt = Omit<Attempt, 'id' | 'at'>;

export interface EffectContext<E> {
  readonly signal: AbortSignal;
  /** Sends an event while the effect runs; dropped if the effect was stopped. `write` joins the same transaction. */
  readonly emit: (event: E, write?: () => void) => void;
  /** Reports progress to display, without storing it. */
  readonly progress: (bytesDone: number, partsDone: number) => void;
  /** Backoff that the service requests. It delays all requests of the job, its row shows it, and "Try again now" ends it. */
  readonly waits: JobWaits;
  readonly log: (attempt: NewAttempt) => void;
}

/** A job that is done or cancelled, without its record. */
export interface FinishedJob {
  readonly id: string;
  readonly kind: string;
  readonly state: 'done' | 'cancelled';
}

/** A kind of job: its pure decisions and its effects. */
export interface Driver<J extends BaseJob, E, F extends { readonly kind: string }> {
  readonly kinds: readonly JobKind[];
  parse(data: unknown): J;
  transition(job: J, event: E | EngineEvent, moment: Moment): Step<J, F | StopEffect>;
  /** Writes data that belongs to an event, in the transaction that stores the job. */
  persist?(job: J, event: E | EngineEvent): void;
  perform(effect: F, job: J, context: EffectContext<E>): Promise<E>;
  toModel(job: J, live: Live | null): Job;
  /**
   * Removes local leftovers of a cleared job. Reads what it needs from the job before its first await. Logs failures instead of
   * throwing.
   */
  removeLeftovers?(job: J, log: (attempt: NewAttempt) => void): Promise<void>;
  /**
   * Deletes the data of those of these finished jobs that have little data and no local files. Returns their ids; the others are
   * cleared one at a time. Absent if jobs own nothing but their records, or if `removeSome` and `removeLeftovers` handle each
   * job.
   */
  clearAtOnce?(jobs: readonly FinishedJob[]): readonly string[];
  /** Deletes some of a cleared job's data, little enough for one slice. Returns true if there is more. */
  removeSome?(jobId: string): boolean;
}

export interface Live {
  readonly bytesDone: number;
  readonly partsDone: number;
  readonly bytesPerSecond: number | null;
}

const finalStates: ReadonlySet<JobState> = new Set(['done', 'cancelled']);
/** States in which a job does nothing until the user resumes it. */
const restingStates: ReadonlySet<JobState> = new Set(['paused', 'needs-attention', 'done', 'cancelled']);

export function isFinal(state: JobState): boolean {
  return finalStates.has(state);
}

export function isResting(state: JobState): boolean {
  return restingStates.has(state);
}

/** States in which an effect runs. */
export const runningStates: readonly JobState[] = [
  'listing-parts',
  'verifying-parts',
  'sending-parts',
  'completing',
  'verifying-outcome',
  'aborting',
  'preparing',
  'transferring',
];

/** Returns true if an effect of this job is running, or was running when its record was written. */
export function isInFlight(job: Pick<BaseJob, 'state' | 'dueMs'>): boolean {
  return job.dueMs === null && runningStates.includes(job.state);
}

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

/** Returns the fields that the window shows for a job of any kind. Only jobs of uploads replace the last four. */
export function baseModel(job: BaseJob & Pick<Job, 'reason' | 'outcome' | 'error'>) {
  const { id, kind, state, connectionId, reason, outcome, error } = job;
  return {
    id,
    kind,
    state,
    connectionId,
    reason,
    outcome,
    error,
    createdAt: iso(job.createdMs),
    updatedAt: iso(job.updatedMs),
    stateSince: iso(job.stateSinceMs),
    retryAt: job.dueMs === null ? null : iso(job.dueMs),
    uploadId: '',
    completeAttempts: 0,
    partNumbers: [],
    pauseRequested: false,
  } satisfies Partial<Job>;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Throws `AppError('not-found')`: the job was cleared. */
export function noSuchJob(): never {
  throw failure('not-found', 'This job no longer exists.', { reason: 'job-gone' });
}
