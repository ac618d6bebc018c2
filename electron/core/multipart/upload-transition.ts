import { assertNever } from '../../../shared/assert-never.ts';
import type { JobOutcome, JobReason } from '../../../shared/models/jobs.ts';
import { backoffMs, retryPolicies } from '../flow/retry-policies.ts';
import { repeatLater } from '../jobs/failure.ts';
import { isInFlight, type EngineEvent, type Moment, type Step, type StopEffect } from '../jobs/job.ts';
import { stepTo, lifeOf, stopIfInFlight } from '../jobs/life.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { CompletedPart } from '../s3/model/multipart-types.ts';
import type { AbortOutcome } from './abort.ts';
import { afterCompleteFailed, type CompleteFailure } from './complete-failure.ts';
import { standingOf } from './outcome/look.ts';
import type { UploadJob } from './upload-job.ts';
import { isAgreed, type HeadResult, type Intent, type Sent } from './outcome/outcome.ts';
import {
  askDelayMs,
  decideOutcome,
  nothingSent,
  noWatch,
  type Observation,
  type Waiting,
} from './outcome/verify-outcome.ts';

export type UploadEffect =
  | { readonly kind: 'list-parts' }
  | { readonly kind: 'verify-parts' }
  | { readonly kind: 'send-parts' }
  /** Lists the parts again and checks the key. The intent of the completion is made from both. */
  | { readonly kind: 'prepare-completion' }
  | { readonly kind: 'complete'; readonly attempt: number }
  /** Checks the unknown outcome of a Complete request once. */
  | { readonly kind: 'observe' }
  | { readonly kind: 'explain-rejection' }
  /** Compares the stored parts again, because the service says that their content is not what was sent. */
  | { readonly kind: 'doubt-parts' }
  | { readonly kind: 'explain-gone' }
  | { readonly kind: 'abort-upload' };

export type UploadEvent =
  | { readonly kind: 'parts-listed' }
  /** After `parts-doubted`, the parts that nothing proves are sent again. */
  | {
      readonly kind: 'parts-verified' | 'parts-doubted';
      readonly partsToSend: number;
      readonly partsDone: number;
      readonly bytesDone: number;
    }
  | { readonly kind: 'part-sent'; readonly partsDone: number; readonly bytesDone: number }
  | { readonly kind: 'parts-sent' }
  | { readonly kind: 'prepared'; readonly intent: Intent; readonly parts: readonly CompletedPart[] }
  /** The stored parts changed just before the Complete request. */
  | { readonly kind: 'parts-not-as-planned'; readonly partNumbers: readonly number[] }
  | {
      readonly kind: 'unable';
      readonly reason: JobReason;
      readonly error: AppError | null;
      readonly partNumbers: readonly number[];
    }
  | { readonly kind: 'complete-answered'; readonly etag: string | null; readonly isProved: boolean }
  /** HEAD proved the object before the response of the Complete request arrived, so the request was aborted. */
  | { readonly kind: 'complete-overtaken' }
  | { readonly kind: 'observed'; readonly observation: Observation }
  /** `isListed` is true if the service reports the upload as unknown but lists its parts. */
  | { readonly kind: 'gone-explained'; readonly hasWantedBytes: boolean; readonly isListed: boolean }
  | { readonly kind: 'upload-aborted'; readonly outcome: AbortOutcome }
  /** The user chose a file for the job, for the first time or again. */
  | { readonly kind: 'file-given'; readonly file: NonNullable<UploadJob['file']> };

type UploadStep = Step<UploadJob, UploadEffect | StopEffect>;

export const maxRounds = 5;
const maxCompletes = 25;

const life = lifeOf<UploadJob, UploadEvent, UploadEffect>({
  decide,
  begin,
  running: (job) => ({ ...job, waiting: null, partNumbers: [] }),
  waiting: (job) => ({ ...job, waiting: null, pauseRequested: false, partNumbers: [] }),
  resting: (job) => ({ ...doubted(job, job.updatedMs), waiting: null }),
  // The time of the crash is unknown. `updatedMs`, when the job was last stored, is a lower bound.
  restarted: (job) => doubted(job, job.updatedMs),
  retried,
  override: overrideOf,
});

/** Decides the next state and effects of an upload job. Pure: time and randomness are arguments. */
export const uploadTransition = life.step;

/**
 * Handles engine events that need special treatment during and after a Complete request. Returns null for the default handling.
 */
function overrideOf(job: UploadJob, event: EngineEvent, moment: Moment): UploadStep | null {
  switch (event.kind) {
    case 'pause':
      // The service may be assembling the object. Aborting the request would make its outcome unknown, so the pause is postponed.
      return job.state === 'completing' ? stepTo({ ...job, pauseRequested: true }) : null;
    case 'retry-now':
      return job.state === 'verifying-outcome' && job.dueMs !== null ? stepTo({ ...job, dueMs: 0 }) : null;
    case 'cancel':
      return {
        job: { ...life.rest(job, 'cancelled', null, null), pauseRequested: false },
        effects: stopIfInFlight(job),
      };
    case 'failed':
      return isInFlight(job) ? failureOfUpload(job, event.error, moment) : null;
    case 'started':
    case 'restarted':
    case 'resume':
    case 'keys-changed':
      return null;
    default:
      return assertNever(event);
  }
}

/** Records that a Complete request in flight has an unknown outcome since `doubtAtMs`. */
function doubted(job: UploadJob, doubtAtMs: number): UploadJob {
  const { completion } = job;
  if (completion?.inFlight !== true) return job;
  return { ...job, completion: { ...completion, inFlight: false, sent: { ...completion.sent, doubtAtMs } } };
}

function decide(job: UploadJob, event: UploadEvent, moment: Moment): UploadStep {
  switch (event.kind) {
    case 'file-given':
      return fileGiven(job, event.file);
    case 'parts-listed':
      return job.state === 'listing-parts' && job.kind === 'resume'
        ? life.run(job, 'verifying-parts', { kind: 'verify-parts' })
        : stepTo(job);
    case 'parts-verified':
    case 'parts-doubted':
      return job.state === 'verifying-parts' ? partsCompared(job, event) : stepTo(job);
    case 'part-sent':
      return job.state === 'sending-parts' ? progressed(job, event) : stepTo(job);
    case 'parts-sent':
      return job.state === 'sending-parts'
        ? life.run(job, 'listing-parts', { kind: 'prepare-completion' })
        : stepTo(job);
    case 'prepared':
      return job.state === 'listing-parts' ? prepared(job, event.intent, moment) : stepTo(job);
    case 'parts-not-as-planned':
      return job.state === 'listing-parts' ? changedAgain(job, event.partNumbers) : stepTo(job);
    case 'unable':
      return isInFlight(job) ? attention(job, event.reason, event.error, event.partNumbers) : stepTo(job);
    case 'complete-answered':
      return job.state === 'completing' ? answered(job, event, moment) : stepTo(job);
    case 'complete-overtaken':
      return job.state === 'completing' ? answered(job, null, moment) : stepTo(job);
    case 'observed':
      return job.state === 'verifying-outcome' ? observed(job, event.observation) : stepTo(job);
    case 'gone-explained':
      return goneExplained(job, event, moment);
    case 'upload-aborted':
      return job.state === 'aborting' ? finish(job, event.outcome) : stepTo(job);
    default:
      return assertNever(event);
  }
}

/** Starts or restarts a job. If a Complete request may have been applied, its outcome is verified first. */
function begin(job: UploadJob, moment: Moment): UploadStep {
  if (job.completion !== null) return life.run(job, 'verifying-outcome', { kind: 'observe' });
  if (job.kind === 'abort') return life.run(job, 'aborting', { kind: 'abort-upload' });
  if (job.kind === 'resume' && (job.file === null || job.file.path === null))
    return attention(job, 'file-wanted', null, []);
  if (moment.nowMs < job.quietUntilMs)
    return stepTo({ ...job, state: 'retry-scheduled', dueMs: job.quietUntilMs });
  const effect = job.kind === 'complete' ? 'prepare-completion' : 'list-parts';
  return life.run(job, 'listing-parts', { kind: effect });
}

function retried(job: UploadJob): UploadJob {
  return {
    ...job,
    rounds: 0,
    agreed: agreedNow(job),
    inTheWay: null,
    completion: withResetCounters(job.completion),
  };
}

/** Resets the counters of failed checks and requests, because the user retries the job. */
function withResetCounters(completion: UploadJob['completion']): UploadJob['completion'] {
  if (completion === null) return null;
  const { sent, watch } = completion;
  return {
    ...completion,
    sent: { ...sent, goneAnswers: 0, idleAnswers: 0 },
    watch: { ...watch, unclearAsks: 0, unreadAsks: 0 },
  };
}

/**
 * Returns the object that the user agreed to replace; after a retry, that is the object shown in the job. Null if the job's owner
 * decides each time.
 */
function agreedNow({ agreed, inTheWay: shownObject }: UploadJob): UploadJob['agreed'] {
  return agreed === null ? null : (shownObject ?? agreed);
}

function fileGiven(job: UploadJob, file: NonNullable<UploadJob['file']>): UploadStep {
  if (job.kind !== 'resume' || isInFlight(job)) return stepTo(job);
  const next: UploadJob = { ...job, file };
  return job.state === 'needs-attention' ? life.wait(next) : stepTo(next);
}

type PartsCompared = UploadEvent & { kind: 'parts-verified' | 'parts-doubted' };

/**
 * Sends the parts that are missing, differ or are doubted. If no part is doubted, repeats the Complete request once, since the
 * request itself may have been damaged on its way.
 */
function partsCompared(job: UploadJob, event: PartsCompared): UploadStep {
  const { kind, partsToSend, partsDone, bytesDone } = event;
  const next: UploadJob = { ...job, progress: { ...job.progress, partsDone, bytesDone } };
  if (partsToSend > 0) return life.run(next, 'sending-parts', { kind: 'send-parts' });
  if (kind === 'parts-doubted' && job.rounds > 1) return stillDamaged(job);
  return life.run(next, 'listing-parts', { kind: 'prepare-completion' });
}

/** Asks the user after the service refused the content again. */
function stillDamaged(job: UploadJob): UploadStep {
  const { error } = job;
  return attention(job, 'parts-rejected', error === null ? null : { ...error, retry: 'after-fix' }, []);
}

function progressed(job: UploadJob, event: UploadEvent & { kind: 'part-sent' }): UploadStep {
  const { partsDone, bytesDone } = event;
  return stepTo({ ...job, failures: 0, progress: { ...job.progress, partsDone, bytesDone } });
}

/** Starts the Complete request. The job is stored with the intent and the attempt before the request is sent. */
function prepared(job: UploadJob, intent: Intent, moment: Moment): UploadStep {
  if (job.completion !== null) return stepTo(job);
  if (moment.nowMs < job.quietUntilMs)
    return stepTo({ ...job, state: 'retry-scheduled', dueMs: job.quietUntilMs });
  const { agreed } = job;
  if (agreed !== null && !isAgreed(agreed, intent)) return askAboutTarget(job, intent.before);
  const progress = { ...job.progress, partsTotal: intent.partCount, bytesTotal: intent.totalSizeBytes };
  return sendComplete({
    ...job,
    progress,
    completion: { intent, attempts: 0, inFlight: false, sent: nothingSent, watch: noWatch },
  });
}

function sendComplete(job: UploadJob): UploadStep {
  const { completion } = job;
  if (completion === null || completion.inFlight) return stepTo(job);
  const attempt = completion.attempts + 1;
  if (attempt > maxCompletes) return attention(job, 'outcome-unclear', job.error, []);
  const { sent } = completion;
  // Success was reported, but no object was made. That says nothing about the next request.
  const before = sent.answer === null ? sent : { ...sent, answer: null, idleAnswers: sent.idleAnswers + 1 };
  const next: UploadJob = {
    ...job,
    completion: { ...completion, attempts: attempt, inFlight: true, sent: before, watch: noWatch },
  };
  return life.run(next, 'completing', { kind: 'complete', attempt });
}

function changedAgain(job: UploadJob, partNumbers: readonly number[]): UploadStep {
  if (job.kind !== 'resume' || job.rounds >= maxRounds)
    return attention(job, 'parts-changed', null, partNumbers);
  return life.run({ ...job, rounds: job.rounds + 1 }, 'listing-parts', { kind: 'list-parts' });
}

/**
 * Starts to verify the object after a successful response. `reply` is null if HEAD proved the object first; the service may
 * still apply the aborted request.
 */
function answered(job: UploadJob, reply: Sent['answer'], moment: Moment): UploadStep {
  const { completion } = job;
  if (completion === null) return stepTo(job);
  const sent: Sent =
    reply === null
      ? { ...completion.sent, doubtAtMs: moment.nowMs }
      : { ...completion.sent, answer: { etag: reply.etag, isProved: reply.isProved } };
  const next: UploadJob = {
    ...job,
    failures: 0,
    pauseRequested: false,
    completion: { ...completion, inFlight: false, sent },
  };
  return life.run(next, 'verifying-outcome', { kind: 'observe' });
}

function observed(job: UploadJob, observation: Observation): UploadStep {
  const { completion } = job;
  if (completion === null) return stepTo(job);
  const { watch, decision } = decideOutcome(
    completion.intent,
    completion.sent,
    completion.watch,
    observation,
  );
  const next: UploadJob = { ...job, completion: { ...completion, watch } };
  switch (decision.kind) {
    case 'ask-again':
      return checkLater(next, observation.atMs + decision.delayMs, decision.waiting);
    case 'send-again':
      return sendComplete(next);
    case 'prepare-again':
      return prepareAgain(next, decision.without, observation.object);
    case 'doubt-parts':
      return doubtParts(next);
    case 'done':
      return finish({ ...next, isUnread: decision.isUnread }, decision.outcome);
    case 'attention':
      return decision.reason === 'target-changed'
        ? askAboutTarget(next, observation.object)
        : attention(next, decision.reason, decision.error, []);
    default:
      return assertNever(decision);
  }
}

function checkLater(job: UploadJob, dueMs: number, waiting: Waiting | null): UploadStep {
  return stepTo({ ...job, state: 'verifying-outcome', dueMs, waiting });
}

/** Asks the user about the object at the key. The Complete request was not applied, and the parts stay stored. */
function askAboutTarget(job: UploadJob, headResult: HeadResult): UploadStep {
  return attention(
    { ...job, completion: null, inTheWay: standingOf(headResult) },
    'target-changed',
    null,
    [],
  );
}

/** Compares the parts again a few times, each time before another Complete request. */
function doubtParts(job: UploadJob): UploadStep {
  const next: UploadJob = { ...job, completion: null };
  if (job.rounds >= retryPolicies.job.maxDamages) return stillDamaged(next);
  return life.run({ ...next, rounds: job.rounds + 1 }, 'verifying-parts', { kind: 'doubt-parts' });
}

function prepareAgain(
  job: UploadJob,
  without: 'condition' | 'checksum' | null,
  headResult: HeadResult,
): UploadStep {
  if (job.rounds >= maxRounds) return askAboutTarget(job, headResult);
  const next: UploadJob = {
    ...job,
    completion: null,
    rounds: job.rounds + 1,
    withConditions: job.withConditions && without !== 'condition',
    sendsWholeChecksum: job.sendsWholeChecksum && without !== 'checksum',
  };
  return life.run(next, 'listing-parts', { kind: 'prepare-completion' });
}

function goneExplained(
  job: UploadJob,
  { hasWantedBytes, isListed }: UploadEvent & { kind: 'gone-explained' },
  moment: Moment,
): UploadStep {
  if (job.state !== 'verifying-outcome' || job.completion !== null) return stepTo(job);
  if (hasWantedBytes) return finish(job, 'wanted-bytes');
  if (!isListed || job.error === null) return attention(job, 'upload-gone', job.error, []);
  return job.failures < retryPolicies.outcome.maxGoneAnswers
    ? stepTo(repeatLater(job, job.error, moment))
    : attention(job, 'upload-contradicted', job.error, []);
}

/** Handles the failure of a Complete request or a missing upload. Returns null for the default handling. */
function failureOfUpload(job: UploadJob, error: AppError, moment: Moment): UploadStep | null {
  if (job.state === 'completing') return completeFailed(job, error, moment);
  if (error.code !== 'upload-gone') return null;
  if (job.kind === 'abort') return finish(job, 'already-gone');
  return life.run({ ...job, error }, 'verifying-outcome', {
    kind: job.completion === null ? 'explain-gone' : 'observe',
  });
}

function completeFailed(job: UploadJob, error: AppError, moment: Moment): UploadStep {
  if (job.completion === null) return stepTo(job);
  const { verdict, completion } = afterCompleteFailed(job.completion, error, moment.nowMs);
  const next: UploadJob = { ...job, error, failures: job.failures + 1, completion, pauseRequested: false };
  if (job.pauseRequested && verdict !== 'rejected')
    return stepTo(life.rest(next, 'paused', 'by-user', error));
  return afterVerdict(next, verdict, error, moment);
}

function afterVerdict(job: UploadJob, verdict: CompleteFailure, error: AppError, moment: Moment): UploadStep {
  switch (verdict) {
    case 'gone': {
      // The first time, an earlier Complete request may have succeeded without a response. After that, the service's responses
      // contradict each other.
      const repeatCount = (job.completion?.sent.goneAnswers ?? 0) - 1;
      if (repeatCount <= 0) return life.run(job, 'verifying-outcome', { kind: 'observe' });
      return checkLater(job, moment.nowMs + askDelayMs(repeatCount), {
        kind: 'contradiction',
        untilMs: null,
      });
    }
    case 'taken':
    case 'condition':
    case 'checksum':
    case 'damaged':
      return life.run(job, 'verifying-outcome', { kind: 'observe' });
    case 'said-failed':
    case 'broken':
    case 'not-sent': {
      const dueMs =
        moment.nowMs + backoffMs(retryPolicies.job, job.failures, moment.fraction, error.retryAfterMs);
      if (job.completion === null) return stepTo({ ...job, state: 'retry-scheduled', dueMs });
      return checkLater(job, dueMs, null);
    }
    case 'rejected':
      return life.run(job, 'listing-parts', { kind: 'explain-rejection' });
    case 'keys':
      return stepTo(life.rest(job, 'paused', 'needs-new-keys', error));
    case 'denied':
      return attention(job, 'access-denied', error, []);
    case 'refused':
      return attention(job, 'refused', error, []);
    default:
      return assertNever(verdict);
  }
}

function attention(
  job: UploadJob,
  reason: JobReason,
  error: AppError | null,
  partNumbers: readonly number[],
): UploadStep {
  return stepTo({
    ...life.rest(job, 'needs-attention', reason, error),
    partNumbers: partNumbers.slice(0, 1000),
  });
}

function finish(job: UploadJob, outcome: JobOutcome): UploadStep {
  const { partsTotal, bytesTotal } = job.progress;
  const progress = { ...job.progress, partsDone: partsTotal, bytesDone: bytesTotal };
  return stepTo({ ...life.rest(job, 'done', null, null), outcome, progress, error: null });
}
