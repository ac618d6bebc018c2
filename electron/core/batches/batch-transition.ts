import { assertNever } from '../../../shared/assert-never.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { BatchSeen } from '../../../shared/models/batches.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import {
  isResting,
  isInFlight,
  type EngineEvent,
  type Moment,
  type Step,
  type StopEffect,
} from '../jobs/job.ts';
import { become, lifeOf, stopIfInFlight } from '../jobs/life.ts';
import type { BatchJob } from './batch-job.ts';

export type BatchEffect =
  | { readonly kind: 'store-manifest' }
  /** Sends CreateJob with the token of the job. */
  | { readonly kind: 'create' }
  | { readonly kind: 'look' }
  | { readonly kind: 'tell'; readonly request: 'run' | 'cancel' };

export type BatchEvent =
  | { readonly kind: 'manifest-stored'; readonly etag: string; readonly versionId: string | null }
  /** Another object is at the key of the manifest. */
  | { readonly kind: 'manifest-in-the-way'; readonly error: AppError }
  | { readonly kind: 'created'; readonly serviceId: string }
  | { readonly kind: 'seen'; readonly seen: BatchSeen }
  /** `isTaken` is false if the service's job is past the state in which it accepts the request. */
  | { readonly kind: 'told'; readonly request: 'run' | 'cancel'; readonly isTaken: boolean }
  /** The user confirms that the waiting job may run. */
  | { readonly kind: 'confirm' };

type BatchStep = Step<BatchJob, BatchEffect | StopEffect>;

const life = lifeOf<BatchJob, BatchEvent, BatchEffect>({
  decide,
  begin,
  // The time of the crash is unknown, so CreateJob may have been sent.
  restarted: (job) => (job.createSent && job.serviceId === null ? { ...job, inDoubt: true } : job),
  retried: (job) => (isOver(job) ? null : job),
  override: overrideOf,
});

/** Decides the next state and effects of a batch job. Pure: time and randomness are arguments. */
export const batchTransition = life.step;

/** Returns true if the service has ended the job. A retry or cancel would then do nothing. */
function isOver({ reason }: BatchJob): boolean {
  return reason === 'batch-failed' || reason === 'batch-items-failed';
}

/** Returns the next step for the job's stored progress. */
function begin(job: BatchJob): BatchStep {
  if (job.manifest.stored === null) return life.run(job, 'transferring', { kind: 'store-manifest' });
  if (job.serviceId === null) return life.run({ ...job, createSent: true }, 'preparing', { kind: 'create' });
  if (job.wanted === 'cancel') return life.run(job, 'aborting', { kind: 'tell', request: 'cancel' });
  if (job.wanted === 'run') return life.run(job, 'preparing', { kind: 'tell', request: 'run' });
  return life.run(job, 'verifying-outcome', { kind: 'look' });
}

function overrideOf(job: BatchJob, event: EngineEvent, moment: Moment): BatchStep | null {
  switch (event.kind) {
    case 'pause':
      // The service runs the job and has no pause.
      return job.createSent ? become(job) : null;
    case 'cancel':
      if (!job.createSent || isOver(job)) return null;
      // A cancel is pending or was sent. If it fails, it is sent again.
      if (!isResting(job.state) && (job.wanted === 'cancel' || job.told === 'cancel')) return become(job);
      return { ...life.wait({ ...job, wanted: 'cancel' }), effects: stopIfInFlight(job) };
    case 'retry-now':
      return job.state === 'verifying-outcome' && job.dueMs !== null ? become({ ...job, dueMs: 0 }) : null;
    case 'failed':
      return isInFlight(job) ? failed(job, event.error, moment) : null;
    case 'started':
    case 'restarted':
    case 'resume':
    case 'keys-changed':
      return null;
    default:
      return assertNever(event);
  }
}

/** Handles a failure. A refusal means that no job was created, unless an earlier request got no response. */
function failed(job: BatchJob, error: AppError, moment: Moment): BatchStep {
  if (job.serviceId !== null || !job.createSent) return life.fail(job, error, moment);
  const inDoubt = job.inDoubt || error.outcome === 'unknown';
  return life.fail({ ...job, inDoubt, createSent: inDoubt }, error, moment);
}

function decide(job: BatchJob, event: BatchEvent, moment: Moment): BatchStep {
  switch (event.kind) {
    case 'manifest-stored': {
      if (job.state !== 'transferring') return become(job);
      const { etag, versionId } = event;
      return begin(advanced({ ...job, manifest: { ...job.manifest, stored: { etag, versionId } } }));
    }
    case 'manifest-in-the-way':
      return job.state === 'transferring' ? life.attention(job, 'manifest-taken', event.error) : become(job);
    case 'created':
      return isInFlight(job)
        ? begin(advanced({ ...job, serviceId: event.serviceId, inDoubt: false }))
        : become(job);
    case 'told':
      return isInFlight(job)
        ? begin(advanced({ ...job, wanted: 'nothing', told: event.isTaken ? event.request : job.told }))
        : become(job);
    case 'seen':
      return job.state === 'verifying-outcome' ? seen(job, event.seen, moment) : become(job);
    case 'confirm':
      return job.state === 'needs-attention' && job.reason === 'batch-confirm'
        ? life.wait({ ...job, wanted: 'run' })
        : become(job);
    default:
      return assertNever(event);
  }
}

/** Resets the failure counters after a success, so that the next status request follows soon. */
function advanced(job: BatchJob): BatchJob {
  return { ...job, failures: 0, looks: 0, error: null };
}

function seen(before: BatchJob, now: BatchSeen, moment: Moment): BatchStep {
  const isSame = before.seen !== null && JSON.stringify(before.seen) === JSON.stringify(now);
  const job: BatchJob = {
    ...before,
    seen: now,
    failures: 0,
    error: null,
    looks: isSame ? before.looks + 1 : 0,
  };
  switch (now.status) {
    case 'Complete':
      if (now.failed > 0) return life.attention(job, 'batch-items-failed', null);
      return become({ ...life.rest(job, 'done', null, null), outcome: 'batch-complete' });
    case 'Cancelled':
      return become(life.rest(job, 'cancelled', null, null));
    case 'Failed':
      return life.attention(job, 'batch-failed', null);
    case 'Suspended':
      // After the request to run, the service may report the old status for a while.
      return job.told === 'nothing' ? life.attention(job, 'batch-confirm', null) : later(job, moment);
    case 'New':
    case 'Preparing':
    case 'Ready':
    case 'Active':
    case 'Pausing':
    case 'Paused':
    case 'Completing':
    case 'Cancelling':
    case 'Failing':
      return later(job, moment);
    default:
      return assertNever(now.status);
  }
}

function later(job: BatchJob, { nowMs }: Moment): BatchStep {
  return become({
    ...job,
    state: 'verifying-outcome',
    reason: null,
    run: job.run + 1,
    dueMs: nowMs + waitMs(retryPolicies.batch, job.looks),
  });
}
