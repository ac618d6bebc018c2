import { assertNever } from '../../../../shared/assert-never.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { usualOutcomes } from '../../../../shared/models/job-kinds.ts';
import type { JobOutcome } from '../../../../shared/models/jobs.ts';
import type { ConflictAction } from '../../../../shared/models/transfers.ts';
import { retryPolicies } from '../../flow/retry-policies.ts';
import { maxRepeats, repeatLater } from '../../jobs/failure.ts';
import { isInFlight, type Moment, type Step, type StopEffect } from '../../jobs/job.ts';
import { stepTo, lifeOf, stopIfInFlight } from '../../jobs/life.ts';
import {
  isMarkerRestore,
  isRename,
  isVersionRestore,
  noCounts,
  type TransferCounts,
  type TransferJob,
} from './transfer-job.ts';

export type TransferEffect =
  /** Lists the items of the job and stores them. */
  | { readonly kind: 'prepare' }
  | { readonly kind: 'transfer' }
  /** Removes the partial results of a cancelled download, copy or move. */
  | { readonly kind: 'undo' };

/** The changes to a job's counts when the state of items changes. `bytesTotal` changes when sizes become known. */
export type CountChanges = Omit<TransferCounts, 'total' | 'causes'>;

export const noCountChanges: CountChanges = {
  done: 0,
  skipped: 0,
  failed: 0,
  asking: 0,
  bytesDone: 0,
  bytesTotal: 0,
  removed: 0,
  same: 0,
  noted: 0,
};

export type TransferEvent =
  | { readonly kind: 'list-cleared' }
  | {
      readonly kind: 'items-found';
      readonly found: CountChanges & { readonly total: number };
      readonly cursor: TransferJob['cursor'];
    }
  /** The list of items is complete, and the effect has ended. */
  | { readonly kind: 'prepared' }
  /** The list of items is complete; the effect is already processing them. */
  | { readonly kind: 'listed' }
  | { readonly kind: 'items-moved'; readonly moved: CountChanges }
  /** All due items were tried. `dueMs` is the time at which the next one is due; null if none is. */
  | {
      readonly kind: 'pass-ended';
      readonly dueMs: number | null;
      readonly error: AppError | null;
      /** The error of the first failed item, and the number of different errors; absent if no item failed. */
      readonly failed?: { readonly error: AppError | null; readonly causes: number };
      /** True if all items that wait for the user are hidden files in the home folder. */
      readonly asksOnlyHidden?: boolean;
    }
  | { readonly kind: 'answered'; readonly answeredCount: number; readonly policy: ConflictAction | null }
  /** The user wants to keep a download although it is damaged. */
  | { readonly kind: 'wanted-again' }
  | { readonly kind: 'undone' };

type TransferStep = Step<TransferJob, TransferEffect | StopEffect>;

const life = lifeOf<TransferJob, TransferEvent, TransferEffect>({
  decide,
  begin,
  retried,
  override: (job, event) => {
    if (event.kind === 'cancel') return cancel(job);
    return event.kind === 'retry-now' && event.isAutomatic === true ? woken(job) : null;
  },
});

/** Decides the next state and effects of a transfer job. Pure: time and randomness are arguments. */
export const transferTransition = life.step;

function decide(job: TransferJob, event: TransferEvent, moment: Moment): TransferStep {
  switch (event.kind) {
    case 'list-cleared':
      return stepTo(job.state === 'preparing' ? { ...job, counts: noCounts } : job);
    case 'items-found':
      return stepTo(job.state === 'preparing' ? found(job, event) : job);
    case 'prepared':
      return job.state === 'preparing'
        ? life.run({ ...job, prepared: true, failures: 0 }, 'transferring', { kind: 'transfer' })
        : stepTo(job);
    case 'listed':
      return stepTo(
        job.state === 'preparing' ? { ...job, prepared: true, failures: 0, state: 'transferring' } : job,
      );
    case 'items-moved':
      return stepTo(isInFlight(job) ? moved(job, event.moved) : job);
    case 'pass-ended':
      return job.state === 'transferring' ? passEnded(job, event, moment) : stepTo(job);
    case 'answered':
      return answered(job, event);
    case 'wanted-again':
      return wantedAgain(job);
    case 'undone':
      return stepTo(job.state === 'aborting' ? undone(job) : job);
    default:
      return assertNever(event);
  }
}

function begin(job: TransferJob): TransferStep {
  if (job.cancelling) return life.run(job, 'aborting', { kind: 'undo' });
  return job.prepared
    ? life.run(job, 'transferring', { kind: 'transfer' })
    : life.run(job, 'preparing', { kind: 'prepare' });
}

/**
 * Returns the job for a retry; null if it waits only for the user's decisions. In the same transaction, the driver resets the
 * failed items.
 */
function retried(job: TransferJob): TransferJob | null {
  if (isAsking(job) && job.counts.failed === 0) return null;
  return { ...job, counts: { ...job.counts, failed: 0 } };
}

function isAsking({ reason }: TransferJob): boolean {
  return reason === 'conflicts' || reason === 'hidden-files';
}

/** Ends the wait of a scheduled job. Unlike the user's retry, this leaves its failed items alone. */
function woken(job: TransferJob): TransferStep {
  return job.state === 'retry-scheduled' ? life.wait({ ...job, failures: 0 }) : stepTo(job);
}

/** Cancels the job. Returns null for the default handling, if no partial results have to be removed. */
function cancel(job: TransferJob): TransferStep | null {
  // If the job is already being cancelled, another cancel changes nothing.
  if (canUndo(job) && !job.cancelling) {
    const undoing = life.run({ ...job, cancelling: true, error: null, failures: 0 }, 'aborting', {
      kind: 'undo',
    });
    return { job: undoing.job, effects: [...stopIfInFlight(job), ...undoing.effects] };
  }
  return job.state === 'aborting' ? stepTo(job) : null;
}

/**
 * Returns true if cancelling must remove partial results: those of a download, or those of a copy or move whose items are listed.
 */
function canUndo({ kind, prepared }: TransferJob): boolean {
  return kind === 'download' || (prepared && (kind === 'copy' || kind === 'move'));
}

function undone(job: TransferJob): TransferJob {
  const outcome = job.kind !== 'move' ? null : job.counts.done > 0 ? 'partly-moved' : 'undone';
  return { ...life.rest(job, 'cancelled', null, null), outcome, error: null };
}

function found(job: TransferJob, event: TransferEvent & { kind: 'items-found' }): TransferJob {
  const { total, ...rest } = event.found;
  const counts = { ...job.counts, total: job.counts.total + total };
  return { ...addMoved({ ...job, counts }, rest), failures: 0, cursor: event.cursor };
}

function moved(job: TransferJob, changes: CountChanges): TransferJob {
  const failures = changes.done > 0 ? 0 : job.failures;
  return { ...addMoved(job, changes), failures };
}

function addMoved(job: TransferJob, changes: CountChanges): TransferJob {
  const { counts } = job;
  return {
    ...job,
    counts: {
      ...counts,
      done: counts.done + changes.done,
      skipped: counts.skipped + changes.skipped,
      failed: counts.failed + changes.failed,
      asking: counts.asking + changes.asking,
      bytesTotal: counts.bytesTotal + changes.bytesTotal,
      bytesDone: counts.bytesDone + changes.bytesDone,
      removed: counts.removed + changes.removed,
      same: counts.same + changes.same,
      noted: counts.noted + changes.noted,
    },
  };
}

function outcomeOf(job: TransferJob): JobOutcome {
  if (job.operation?.withBucket === true) return 'bucket-deleted';
  if (isMarkerRestore(job) || isVersionRestore(job)) return 'restored';
  return isRename(job) ? 'renamed' : usualOutcomes[job.kind];
}

function passEnded(
  job: TransferJob,
  event: TransferEvent & { kind: 'pass-ended' },
  moment: Moment,
): TransferStep {
  const { dueMs, error } = event;
  if (dueMs !== null && error !== null && dueMs <= moment.nowMs) {
    // Several items failed in a row, so the whole job waits, whichever error came last.
    return job.failures < (maxRepeats(error) || retryPolicies.job.maxFailures)
      ? stepTo(repeatLater(job, error, moment))
      : life.attention(job, 'refused', error);
  }
  if (dueMs !== null) return stepTo({ ...job, state: 'retry-scheduled', dueMs, error: error ?? job.error });
  // Errors that only made the job wait no longer apply.
  const { failed, asksOnlyHidden = false } = event;
  const endedJob: TransferJob = {
    ...job,
    error: null,
    counts: { ...job.counts, causes: failed?.causes ?? 0 },
  };
  if (job.counts.asking > 0)
    return life.attention(endedJob, asksOnlyHidden ? 'hidden-files' : 'conflicts', null);
  if (job.counts.failed > 0) return life.attention(endedJob, 'items-failed', failed?.error ?? null);
  return stepTo({ ...life.rest(job, 'done', null, null), outcome: outcomeOf(job), error: null });
}

function answered(job: TransferJob, event: TransferEvent & { kind: 'answered' }): TransferStep {
  const next: TransferJob = {
    ...job,
    onConflict: event.policy ?? job.onConflict,
    counts: { ...job.counts, asking: job.counts.asking - event.answeredCount },
  };
  return job.state === 'needs-attention' && event.answeredCount > 0 ? life.wait(next) : stepTo(next);
}

function wantedAgain(job: TransferJob): TransferStep {
  const next = { ...job, counts: { ...job.counts, failed: Math.max(0, job.counts.failed - 1) } };
  return job.state === 'needs-attention' ? life.wait(next) : stepTo(next);
}
