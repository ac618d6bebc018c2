import { assertNever } from '../../../../shared/assert-never.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { JobOutcome, JobReason, JobState } from '../../../../shared/models/jobs.ts';
import type { ConflictAction } from '../../../../shared/models/transfers.ts';
import { afterFailure, maxPassingFailures, mostRepeats, repeatLater } from '../../jobs/failure.ts';
import { isFinal, type EngineEvent, type Moment, type Step, type StopEffect } from '../../jobs/types.ts';
import { noCounts, type TransferJob } from './transfer-job.ts';

export type TransferEffect =
  /** Finds out what there is to do, into the list of items. */
  | { readonly kind: 'prepare' }
  | { readonly kind: 'transfer' }
  /** Removes what a download, a copy or a move that was cancelled has begun. */
  | { readonly kind: 'undo' };

/** How many items went from one state to another. */
export interface Moved {
  readonly done: number;
  readonly skipped: number;
  readonly failed: number;
  readonly asking: number;
  readonly bytesDone: number;
  /** What was not known when the item was found. */
  readonly bytesTotal: number;
  /** Those of `done` that were deletions of a sync. */
  readonly removed: number;
  /** Those of `done` and `skipped` with a note worth a line. */
  readonly noted: number;
}

export type TransferEvent =
  | { readonly kind: 'list-cleared' }
  | {
      readonly kind: 'items-found';
      readonly found: Moved & { readonly total: number };
      readonly cursor: TransferJob['cursor'];
    }
  /** The list is whole; the effect ends with it. */
  | { readonly kind: 'prepared' }
  /** The list is whole, and the effect goes on with what is left of it. */
  | { readonly kind: 'listed' }
  | { readonly kind: 'items-moved'; readonly moved: Moved }
  /** Every item was tried. `dueMs`: when the next wants to be tried again; null: none. */
  | { readonly kind: 'pass-ended'; readonly dueMs: number | null; readonly error: AppError | null }
  | { readonly kind: 'answered'; readonly asked: number; readonly policy: ConflictAction | null }
  /** An item that failed is wanted all the same. */
  | { readonly kind: 'wanted-again' }
  | { readonly kind: 'undone' };

type TransferStep = Step<TransferJob, TransferEffect | StopEffect>;
type AnyEvent = TransferEvent | EngineEvent;

/** The whole of what a transfer decides. Pure: time and chance come with the event. */
export function transition(job: TransferJob, event: AnyEvent, moment: Moment): TransferStep {
  if (isFinal(job.state)) return stay(job);
  const step = decide(job, event, moment);
  if (step.job === job) return step;
  const stateSinceMs = step.job.state === job.state ? job.stateSinceMs : moment.nowMs;
  return { ...step, job: { ...step.job, updatedMs: moment.nowMs, stateSinceMs } };
}

function decide(job: TransferJob, event: AnyEvent, moment: Moment): TransferStep {
  switch (event.kind) {
    case 'started':
      return job.state === 'waiting' || job.state === 'retry-scheduled' ? begin(job) : stay(job);
    case 'restarted':
      return isRunning(job) ? wait(job) : stay(job);
    case 'pause':
      return pause(job);
    case 'resume':
      return job.state === 'paused' ? wait(job) : stay(job);
    case 'retry-now':
      return retryNow(job);
    case 'cancel':
      return cancel(job);
    case 'keys-changed':
      return waitsForKeys(job) ? wait(job) : stay(job);
    case 'failed':
      return isRunning(job) ? failed(job, event.error, moment) : stay(job);
    case 'list-cleared':
      return job.state === 'preparing' ? { job: { ...job, counts: noCounts }, effects: [] } : stay(job);
    case 'items-found':
      return job.state === 'preparing' ? found(job, event) : stay(job);
    case 'prepared':
      return job.state === 'preparing'
        ? run({ ...job, prepared: true, failures: 0 }, 'transferring', { kind: 'transfer' })
        : stay(job);
    case 'listed':
      return job.state === 'preparing'
        ? { job: { ...job, prepared: true, failures: 0, state: 'transferring' }, effects: [] }
        : stay(job);
    case 'items-moved':
      return isRunning(job) ? moved(job, event.moved) : stay(job);
    case 'pass-ended':
      return job.state === 'transferring' ? passEnded(job, event, moment) : stay(job);
    case 'answered':
      return answered(job, event);
    case 'wanted-again':
      return wantedAgain(job);
    case 'undone':
      return job.state === 'aborting' ? undone(job) : stay(job);
    default:
      return assertNever(event);
  }
}

function begin(job: TransferJob): TransferStep {
  if (job.cancelling) return run(job, 'aborting', { kind: 'undo' });
  return job.prepared
    ? run(job, 'transferring', { kind: 'transfer' })
    : run(job, 'preparing', { kind: 'prepare' });
}

function pause(job: TransferJob): TransferStep {
  if (job.state === 'needs-attention') return stay(job);
  if (job.state === 'paused')
    return job.reason === 'by-user' ? stay(job) : { job: { ...job, reason: 'by-user' }, effects: [] };
  return { job: rest(job, 'paused', 'by-user', null), effects: stopIfRunning(job) };
}

/** Items that failed are tried again with it: the driver sets them back in the same transaction. */
function retryNow(job: TransferJob): TransferStep {
  if (job.state !== 'paused' && job.state !== 'needs-attention' && job.state !== 'retry-scheduled')
    return stay(job);
  if (job.reason === 'conflicts' && job.counts.failed === 0) return stay(job);
  return wait({ ...job, failures: 0, counts: { ...job.counts, failed: 0 } });
}

function cancel(job: TransferJob): TransferStep {
  // Asked for again while it cannot be undone: it stays as it is.
  if (canUndo(job) && !job.cancelling) {
    const undoing = run({ ...job, cancelling: true, error: null, failures: 0 }, 'aborting', { kind: 'undo' });
    return { job: undoing.job, effects: [...stopIfRunning(job), ...undoing.effects] };
  }
  if (job.state === 'aborting') return stay(job);
  return { job: rest(job, 'cancelled', null, null), effects: stopIfRunning(job) };
}

/** Once it was listed, something of it may have been copied; a download has looked into its folder before. */
function canUndo({ kind, prepared }: TransferJob): boolean {
  return kind === 'download' || (prepared && (kind === 'copy' || kind === 'move'));
}

function undone(job: TransferJob): TransferStep {
  const outcome = job.kind !== 'move' ? null : job.counts.done > 0 ? 'partly-moved' : 'undone';
  return { job: { ...rest(job, 'cancelled', null, null), outcome, error: null }, effects: [] };
}

function found(job: TransferJob, event: TransferEvent & { kind: 'items-found' }): TransferStep {
  const { total, ...rest } = event.found;
  const counts = { ...job.counts, total: job.counts.total + total };
  return { job: { ...addMoved({ ...job, counts }, rest), failures: 0, cursor: event.cursor }, effects: [] };
}

function moved(job: TransferJob, by: Moved): TransferStep {
  const failures = by.done > 0 ? 0 : job.failures;
  return { job: { ...addMoved(job, by), failures }, effects: [] };
}

function addMoved(job: TransferJob, by: Moved): TransferJob {
  const { counts } = job;
  return {
    ...job,
    counts: {
      total: counts.total,
      done: counts.done + by.done,
      skipped: counts.skipped + by.skipped,
      failed: counts.failed + by.failed,
      asking: counts.asking + by.asking,
      bytesTotal: counts.bytesTotal + by.bytesTotal,
      bytesDone: counts.bytesDone + by.bytesDone,
      removed: counts.removed + by.removed,
      noted: counts.noted + by.noted,
    },
  };
}

const outcomes = {
  upload: 'uploaded',
  download: 'downloaded',
  copy: 'copied',
  move: 'moved',
  delete: 'deleted',
  change: 'changed',
} as const satisfies Readonly<Record<TransferJob['kind'], JobOutcome>>;

function outcomeOf({ kind, operation }: TransferJob): JobOutcome {
  return operation?.withBucket === true ? 'bucket-deleted' : outcomes[kind];
}

function passEnded(
  job: TransferJob,
  event: TransferEvent & { kind: 'pass-ended' },
  moment: Moment,
): TransferStep {
  if (event.dueMs !== null) {
    if (event.error !== null && event.dueMs <= moment.nowMs) {
      // Several items failed in a row: the service is in trouble, whatever the last of them met.
      return job.failures < (mostRepeats(event.error) || maxPassingFailures)
        ? { job: repeatLater(job, event.error, moment), effects: [] }
        : attention(job, 'refused', event.error);
    }
    return {
      job: { ...job, state: 'retry-scheduled', dueMs: event.dueMs, error: event.error ?? job.error },
      effects: [],
    };
  }
  // What was waited out on the way is over; each item that failed has its own error.
  const over: TransferJob = { ...job, error: null };
  if (job.counts.asking > 0) return attention(over, 'conflicts', null);
  if (job.counts.failed > 0) return attention(over, 'items-failed', null);
  return {
    job: { ...rest(job, 'done', null, null), outcome: outcomeOf(job), error: null },
    effects: [],
  };
}

function answered(job: TransferJob, event: TransferEvent & { kind: 'answered' }): TransferStep {
  const next: TransferJob = {
    ...job,
    onConflict: event.policy ?? job.onConflict,
    counts: { ...job.counts, asking: job.counts.asking - event.asked },
  };
  return job.state === 'needs-attention' && event.asked > 0 ? wait(next) : { job: next, effects: [] };
}

function wantedAgain(job: TransferJob): TransferStep {
  const next = { ...job, counts: { ...job.counts, failed: Math.max(0, job.counts.failed - 1) } };
  return job.state === 'needs-attention' ? wait(next) : { job: next, effects: [] };
}

function failed(job: TransferJob, error: AppError, moment: Moment): TransferStep {
  const next = afterFailure(error, job.failures);
  switch (next.kind) {
    case 'repeat':
      return { job: repeatLater(job, error, moment), effects: [] };
    case 'pause':
      return { job: rest(job, 'paused', next.reason, error), effects: [] };
    case 'attention':
      return attention(job, next.reason, error);
    default:
      return assertNever(next);
  }
}

function run(job: TransferJob, state: JobState, effect: TransferEffect): TransferStep {
  return {
    job: { ...job, state, run: job.run + 1, dueMs: null, reason: null, outcome: null },
    effects: [effect],
  };
}

function wait(job: TransferJob): TransferStep {
  return { job: { ...job, state: 'waiting', dueMs: null, reason: null }, effects: [] };
}

/** `run` moves on, so that nothing that is still under way changes a job at rest. */
function rest(
  job: TransferJob,
  state: JobState,
  reason: JobReason | null,
  error: AppError | null,
): TransferJob {
  return { ...job, state, reason, error: error ?? job.error, dueMs: null, run: job.run + 1 };
}

function attention(job: TransferJob, reason: JobReason, error: AppError | null): TransferStep {
  return { job: rest(job, 'needs-attention', reason, error), effects: [] };
}

function stay(job: TransferJob): TransferStep {
  return { job, effects: [] };
}

function waitsForKeys(job: TransferJob): boolean {
  if (job.state === 'paused') return job.reason === 'needs-new-keys' || job.reason === 'connection-missing';
  return job.state === 'needs-attention' && job.reason === 'access-denied';
}

function isRunning(job: TransferJob): boolean {
  return job.state === 'preparing' || job.state === 'transferring' || job.state === 'aborting';
}

function stopIfRunning(job: TransferJob): readonly StopEffect[] {
  return isRunning(job) ? [{ kind: 'stop' }] : [];
}
