import { z } from 'zod';
import { assertNever } from '../../../shared/assert-never.ts';
import type { AppError } from '../../../shared/errors.ts';
import {
  type ReportedBatchState,
  batchOperationSchema,
  batchReportScopes,
  reportedBatchSchema,
} from '../../../shared/models/batches.ts';
import { retryPolicies, waitMs } from '../flow/retry-policies.ts';
import { stepTo, lifeOf, stopIfInFlight } from '../jobs/life.ts';
import { appErrorSchema } from '../../../shared/error-schema.ts';
import { jobOutcomes, jobReasons } from '../../../shared/models/jobs.ts';
import { jobFileSchema } from '../disk/local-file.ts';
import { checksumsSchema } from '../disk/stored-checksums.ts';
import {
  baseJobFields,
  isResting,
  isInFlight,
  type EngineEvent,
  type Moment,
  type Step,
  type StopEffect,
  type BaseJob,
} from '../jobs/job.ts';

/** The stored record of an S3 Batch Operations job: its request and the last known progress. */
export const batchJobSchema = z.object({
  ...baseJobFields,
  kind: z.literal('batch'),
  failures: z.int(),
  reason: z.enum(jobReasons).nullable(),
  outcome: z.enum(jobOutcomes).nullable(),
  error: z.nullable(appErrorSchema),
  /** Bucket of the objects. */
  bucket: z.string(),
  operation: batchOperationSchema,
  accountId: z.string(),
  roleArn: z.string(),
  priority: z.int(),
  region: z.string(),
  asksFirst: z.boolean(),
  report: z.object({ bucket: z.string(), prefix: z.string(), scope: z.enum(batchReportScopes) }),
  manifest: z.object({
    bucket: z.string(),
    key: z.string(),
    /** The local file, which exists until the service has stored the manifest. */
    file: jobFileSchema,
    /** Base64. */
    md5: z.string(),
    /** The checksum that the service compares; empty if it is not known to compare any. */
    checksums: checksumsSchema.default({}),
    objects: z.int(),
    /** The service's response to the manifest's upload; null until stored. */
    stored: z.object({ etag: z.string(), versionId: z.string().nullable() }).nullable(),
  }),
  /** Idempotency token, created with the job before any request and sent with every retry. */
  token: z.string(),
  /** True if CreateJob may have been sent. Persisted before the request. */
  createSent: z.boolean(),
  /** True if a CreateJob got no response, so the service may have created the job. */
  inDoubt: z.boolean(),
  /** The service's name for the job. */
  serviceId: z.string().nullable(),
  /** The state that the user requested. */
  wanted: z.enum(['nothing', 'run', 'cancel']),
  /** The state that the service has accepted. */
  told: z.enum(['nothing', 'run', 'cancel']),
  seen: reportedBatchSchema.nullable(),
  /** Status requests since the last change. */
  looks: z.int(),
});

export type BatchJob = Readonly<z.infer<typeof batchJobSchema>> & BaseJob;

/** Returns the description by which the job is found in the account, at most 256 characters. */
export function descriptionOf({ token, bucket }: Pick<BatchJob, 'token' | 'bucket'>): string {
  return `Cooper ${token}: ${bucket}`;
}

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
  | { readonly kind: 'seen'; readonly seen: ReportedBatchState }
  /** `wasAccepted` is false if the service's job is past the state in which it accepts the request. */
  | { readonly kind: 'told'; readonly request: 'run' | 'cancel'; readonly wasAccepted: boolean }
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
      return job.createSent ? stepTo(job) : null;
    case 'cancel':
      if (!job.createSent || isOver(job)) return null;
      // A cancel is pending or was sent. If it fails, it is sent again.
      if (!isResting(job.state) && (job.wanted === 'cancel' || job.told === 'cancel')) return stepTo(job);
      return { ...life.wait({ ...job, wanted: 'cancel' }), effects: stopIfInFlight(job) };
    case 'retry-now':
      return job.state === 'verifying-outcome' && job.dueMs !== null ? stepTo({ ...job, dueMs: 0 }) : null;
    case 'failed':
      return isInFlight(job) ? stepAfterFailure(job, event.error, moment) : null;
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
function stepAfterFailure(job: BatchJob, error: AppError, moment: Moment): BatchStep {
  if (job.serviceId !== null || !job.createSent) return life.fail(job, error, moment);
  const inDoubt = job.inDoubt || error.outcome === 'unknown';
  return life.fail({ ...job, inDoubt, createSent: inDoubt }, error, moment);
}

function decide(job: BatchJob, event: BatchEvent, moment: Moment): BatchStep {
  switch (event.kind) {
    case 'manifest-stored': {
      if (job.state !== 'transferring') return stepTo(job);
      const { etag, versionId } = event;
      return begin(resetCounters({ ...job, manifest: { ...job.manifest, stored: { etag, versionId } } }));
    }
    case 'manifest-in-the-way':
      return job.state === 'transferring' ? life.attention(job, 'manifest-taken', event.error) : stepTo(job);
    case 'created':
      return isInFlight(job)
        ? begin(resetCounters({ ...job, serviceId: event.serviceId, inDoubt: false }))
        : stepTo(job);
    case 'told':
      return isInFlight(job)
        ? begin(
            resetCounters({ ...job, wanted: 'nothing', told: event.wasAccepted ? event.request : job.told }),
          )
        : stepTo(job);
    case 'seen':
      return job.state === 'verifying-outcome' ? stepAfterStatus(job, event.seen, moment) : stepTo(job);
    case 'confirm':
      return job.state === 'needs-attention' && job.reason === 'batch-confirm'
        ? life.wait({ ...job, wanted: 'run' })
        : stepTo(job);
    default:
      return assertNever(event);
  }
}

/** Resets the failure counters after a success, so that the next status request follows soon. */
function resetCounters(job: BatchJob): BatchJob {
  return { ...job, failures: 0, looks: 0, error: null };
}

function stepAfterStatus(before: BatchJob, now: ReportedBatchState, moment: Moment): BatchStep {
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
      return stepTo({ ...life.rest(job, 'done', null, null), outcome: 'batch-complete' });
    case 'Cancelled':
      return stepTo(life.rest(job, 'cancelled', null, null));
    case 'Failed':
      return life.attention(job, 'batch-failed', null);
    case 'Suspended':
      // After the request to run, the service may report the old status for a while.
      return job.told === 'nothing' ? life.attention(job, 'batch-confirm', null) : checkLater(job, moment);
    case 'New':
    case 'Preparing':
    case 'Ready':
    case 'Active':
    case 'Pausing':
    case 'Paused':
    case 'Completing':
    case 'Cancelling':
    case 'Failing':
      return checkLater(job, moment);
    default:
      return assertNever(now.status);
  }
}

function checkLater(job: BatchJob, { nowMs }: Moment): BatchStep {
  return stepTo({
    ...job,
    state: 'verifying-outcome',
    reason: null,
    run: job.run + 1,
    dueMs: nowMs + waitMs(retryPolicies.batch, job.looks),
  });
}
