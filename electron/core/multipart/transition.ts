import { assertNever } from '../../../shared/assert-never.ts';
import type { JobOutcome, JobReason, JobState } from '../../../shared/models/jobs.ts';
import { backoffMs } from '../jobs/backoff.ts';
import { afterFailure, repeatLater } from '../jobs/failure.ts';
import { isFinal, type EngineEvent, type Moment, type Step, type StopEffect } from '../jobs/types.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { CompletedPart } from '../s3/model/types.ts';
import { afterCompleteFailed, type CompleteFailure } from './complete-failure.ts';
import { standingOf } from './look.ts';
import type { UploadJob } from './upload-job.ts';
import { isAgreed } from './proof.ts';
import {
  askDelayMs,
  decideOutcome,
  maxGoneAnswers,
  nothingSent,
  noWatch,
  type Observation,
  type Waiting,
} from './verify-outcome.ts';
import type { HeadSeen, Intent, Sent } from './outcome.ts';

export type UploadEffect =
  | { readonly kind: 'list-parts' }
  | { readonly kind: 'verify-parts' }
  | { readonly kind: 'send-parts' }
  /** Lists the parts once more and looks at the key: all that the intent needs. */
  | { readonly kind: 'prepare-completion' }
  | { readonly kind: 'complete'; readonly attempt: number }
  /** One look of the procedure after an unknown outcome. */
  | { readonly kind: 'observe' }
  | { readonly kind: 'explain-rejection' }
  | { readonly kind: 'explain-gone' }
  | { readonly kind: 'abort-upload' };

export type UploadEvent =
  | { readonly kind: 'parts-listed' }
  | {
      readonly kind: 'parts-verified';
      readonly partsToSend: number;
      readonly partsDone: number;
      readonly bytesDone: number;
    }
  | { readonly kind: 'part-sent'; readonly partsDone: number; readonly bytesDone: number }
  | { readonly kind: 'parts-sent' }
  | { readonly kind: 'prepared'; readonly intent: Intent; readonly parts: readonly CompletedPart[] }
  /** Just before the Complete the parts are not what they were. */
  | { readonly kind: 'parts-not-as-planned'; readonly partNumbers: readonly number[] }
  | {
      readonly kind: 'unable';
      readonly reason: JobReason;
      readonly error: AppError | null;
      readonly partNumbers: readonly number[];
    }
  | { readonly kind: 'complete-answered'; readonly etag: string | null }
  /** While no answer came, HEAD has proved the object: the request was dropped. */
  | { readonly kind: 'complete-overtaken' }
  | { readonly kind: 'observed'; readonly observation: Observation }
  /** `isListed`: the service lists the parts of the upload that it does not know. */
  | { readonly kind: 'gone-explained'; readonly hasWantedBytes: boolean; readonly isListed: boolean }
  | { readonly kind: 'upload-aborted'; readonly wasThere: boolean }
  /** A file was given to the job, or given again. */
  | { readonly kind: 'file-given'; readonly file: NonNullable<UploadJob['file']> };

type UploadStep = Step<UploadJob, UploadEffect | StopEffect>;
type AnyEvent = UploadEvent | EngineEvent;

export const maxRounds = 5;
export const maxCompletes = 25;

/** The whole of what an upload's job decides. Pure: time and chance come with the event. */
export function transition(job: UploadJob, event: AnyEvent, moment: Moment): UploadStep {
  if (isFinal(job.state)) return stay(job);
  const step = decide(job, event, moment);
  if (step.job === job) return step;
  const stateSinceMs = step.job.state === job.state ? job.stateSinceMs : moment.nowMs;
  return { ...step, job: { ...step.job, updatedMs: moment.nowMs, stateSinceMs } };
}

function decide(job: UploadJob, event: AnyEvent, moment: Moment): UploadStep {
  switch (event.kind) {
    case 'started':
      return isStartable(job) ? begin(job, moment) : stay(job);
    case 'restarted':
      return restart(job);
    case 'pause':
      return pause(job);
    case 'resume':
      return job.state === 'paused' ? wait(job) : stay(job);
    case 'retry-now':
      return retryNow(job);
    case 'cancel':
      return {
        job: { ...rest(job, 'cancelled', null, null), pauseRequested: false },
        effects: stopIfRunning(job),
      };
    case 'keys-changed':
      return waitsForKeys(job) ? wait(job) : stay(job);
    case 'failed':
      return failed(job, event.error, moment);
    case 'file-given':
      return fileGiven(job, event.file);
    case 'parts-listed':
      return job.state === 'listing-parts' && job.kind === 'resume'
        ? run(job, 'verifying-parts', { kind: 'verify-parts' })
        : stay(job);
    case 'parts-verified':
      return job.state === 'verifying-parts' ? partsVerified(job, event) : stay(job);
    case 'part-sent':
      return job.state === 'sending-parts' ? progressed(job, event) : stay(job);
    case 'parts-sent':
      return job.state === 'sending-parts'
        ? run(job, 'listing-parts', { kind: 'prepare-completion' })
        : stay(job);
    case 'prepared':
      return job.state === 'listing-parts' ? prepared(job, event.intent, moment) : stay(job);
    case 'parts-not-as-planned':
      return job.state === 'listing-parts' ? changedAgain(job, event.partNumbers) : stay(job);
    case 'unable':
      return isRunning(job) ? attention(job, event.reason, event.error, event.partNumbers) : stay(job);
    case 'complete-answered':
      return job.state === 'completing' ? answered(job, { etag: event.etag }, moment) : stay(job);
    case 'complete-overtaken':
      return job.state === 'completing' ? answered(job, null, moment) : stay(job);
    case 'observed':
      return job.state === 'verifying-outcome' ? observed(job, event.observation) : stay(job);
    case 'gone-explained':
      return goneExplained(job, event, moment);
    case 'upload-aborted':
      return job.state === 'aborting' ? finish(job, event.wasThere ? 'aborted' : 'already-gone') : stay(job);
    default:
      return assertNever(event);
  }
}

/** Where a job begins, again or for the first time: what may have been completed is looked into first. */
function begin(job: UploadJob, moment: Moment): UploadStep {
  if (job.completion !== null) return run(job, 'verifying-outcome', { kind: 'observe' });
  if (job.kind === 'abort') return run(job, 'aborting', { kind: 'abort-upload' });
  if (job.kind === 'resume' && (job.file === null || job.file.path === null))
    return attention(job, 'file-wanted', null, []);
  if (moment.nowMs < job.quietUntilMs)
    return { job: { ...job, state: 'retry-scheduled', dueMs: job.quietUntilMs }, effects: [] };
  const effect = job.kind === 'complete' ? 'prepare-completion' : 'list-parts';
  return run(job, 'listing-parts', { kind: effect });
}

/** After a crash: nothing is under way, and a Complete that may have been sent is in doubt. */
function restart(job: UploadJob): UploadStep {
  if (!isRunning(job)) return stay(job);
  const { completion } = job;
  if (completion === null) return wait(job);
  // The moment of the crash is not known: the record's own time is the earliest, and the wait begins with the first look.
  const sent = completion.inFlight ? { ...completion.sent, doubtAtMs: job.updatedMs } : completion.sent;
  return wait({ ...job, completion: { ...completion, inFlight: false, sent } });
}

function pause(job: UploadJob): UploadStep {
  if (job.state === 'paused') {
    return job.reason === 'by-user' ? stay(job) : { job: { ...job, reason: 'by-user' }, effects: [] };
  }
  if (job.state === 'needs-attention') return stay(job);
  // The service is assembling: its answer is waited for, since dropping it would only leave a doubt.
  if (job.state === 'completing') return { job: { ...job, pauseRequested: true }, effects: [] };
  return { job: rest(job, 'paused', 'by-user', null), effects: stopIfRunning(job) };
}

function retryNow(job: UploadJob): UploadStep {
  if (job.state === 'paused' || job.state === 'needs-attention' || job.state === 'retry-scheduled')
    return wait({
      ...job,
      failures: 0,
      rounds: 0,
      agreed: agreedNow(job),
      inTheWay: null,
      completion: countedAnew(job.completion),
    });
  if (job.state === 'verifying-outcome' && job.dueMs !== null)
    return { job: { ...job, dueMs: 0 }, effects: [] };
  return stay(job);
}

/** What ended in "needs attention" after so many tries gets as many again. */
function countedAnew(completion: UploadJob['completion']): UploadJob['completion'] {
  if (completion === null) return null;
  const { sent, watch } = completion;
  return {
    ...completion,
    sent: { ...sent, goneAnswers: 0, idleAnswers: 0 },
    watch: { ...watch, unclearAsks: 0, unreadAsks: 0 },
  };
}

/** The user was shown what is in the way, and says to go on. The owner of a job is asked anew each time. */
function agreedNow({ agreed, inTheWay: seen }: UploadJob): UploadJob['agreed'] {
  return agreed === null ? null : (seen ?? agreed);
}

function fileGiven(job: UploadJob, file: NonNullable<UploadJob['file']>): UploadStep {
  if (job.kind !== 'resume' || isRunning(job)) return stay(job);
  const next: UploadJob = { ...job, file };
  return job.state === 'needs-attention' ? wait(next) : { job: next, effects: [] };
}

function partsVerified(job: UploadJob, event: UploadEvent & { kind: 'parts-verified' }): UploadStep {
  const { partsDone, bytesDone } = event;
  const next: UploadJob = { ...job, progress: { ...job.progress, partsDone, bytesDone } };
  if (event.partsToSend > 0) return run(next, 'sending-parts', { kind: 'send-parts' });
  return run(next, 'listing-parts', { kind: 'prepare-completion' });
}

function progressed(job: UploadJob, event: UploadEvent & { kind: 'part-sent' }): UploadStep {
  const { partsDone, bytesDone } = event;
  return { job: { ...job, failures: 0, progress: { ...job.progress, partsDone, bytesDone } }, effects: [] };
}

/** The intent, with its attempt, is in the job that is stored before the effect is performed. */
function prepared(job: UploadJob, intent: Intent, moment: Moment): UploadStep {
  if (job.completion !== null) return stay(job);
  if (moment.nowMs < job.quietUntilMs)
    return { job: { ...job, state: 'retry-scheduled', dueMs: job.quietUntilMs }, effects: [] };
  const { agreed } = job;
  if (agreed !== null && !isAgreed(agreed, intent)) return inTheWay(job, intent.before);
  const progress = { ...job.progress, partsTotal: intent.partCount, bytesTotal: intent.totalSizeBytes };
  return sendComplete({
    ...job,
    progress,
    completion: {
      intent,
      attempts: 0,
      inFlight: false,
      sent: nothingSent,
      watch: noWatch,
    },
  });
}

function sendComplete(job: UploadJob): UploadStep {
  const { completion } = job;
  if (completion === null || completion.inFlight) return stay(job);
  const attempt = completion.attempts + 1;
  if (attempt > maxCompletes) return attention(job, 'outcome-unclear', job.error, []);
  const { sent } = completion;
  // A success that made nothing says nothing about the next Complete.
  const before = sent.answer === null ? sent : { ...sent, answer: null, idleAnswers: sent.idleAnswers + 1 };
  const next: UploadJob = {
    ...job,
    completion: { ...completion, attempts: attempt, inFlight: true, sent: before, watch: noWatch },
  };
  return run(next, 'completing', { kind: 'complete', attempt });
}

function changedAgain(job: UploadJob, partNumbers: readonly number[]): UploadStep {
  if (job.kind !== 'resume' || job.rounds >= maxRounds)
    return attention(job, 'parts-changed', null, partNumbers);
  return run({ ...job, rounds: job.rounds + 1 }, 'listing-parts', { kind: 'list-parts' });
}

/** `answer`: the service said success; null: HEAD did, and the request that was dropped may still be carried out. */
function answered(job: UploadJob, answer: Sent['answer'], moment: Moment): UploadStep {
  const { completion } = job;
  if (completion === null) return stay(job);
  const sent: Sent =
    answer === null ? { ...completion.sent, doubtAtMs: moment.nowMs } : { ...completion.sent, answer };
  const next: UploadJob = {
    ...job,
    failures: 0,
    pauseRequested: false,
    completion: { ...completion, inFlight: false, sent },
  };
  return run(next, 'verifying-outcome', { kind: 'observe' });
}

function observed(job: UploadJob, observation: Observation): UploadStep {
  const { completion } = job;
  if (completion === null) return stay(job);
  const { watch, decision } = decideOutcome(
    completion.intent,
    completion.sent,
    completion.watch,
    observation,
  );
  const next: UploadJob = { ...job, completion: { ...completion, watch } };
  switch (decision.kind) {
    case 'ask-again':
      return lookLater(next, observation.atMs + decision.delayMs, decision.waiting);
    case 'send-again':
      return sendComplete(next);
    case 'prepare-again':
      return prepareAgain(next, decision.withConditions, observation.object);
    case 'done':
      return finish({ ...next, isUnread: decision.isUnread }, decision.outcome);
    case 'attention':
      return decision.reason === 'target-changed'
        ? inTheWay(next, observation.object)
        : attention(next, decision.reason, decision.error, []);
    default:
      return assertNever(decision);
  }
}

function lookLater(job: UploadJob, dueMs: number, waiting: Waiting | null): UploadStep {
  return { job: { ...job, state: 'verifying-outcome', dueMs, waiting }, effects: [] };
}

/** Nothing of the completion was applied: the parts are there, and wait for the user's word on what stands at the key. */
function inTheWay(job: UploadJob, seen: HeadSeen): UploadStep {
  return attention({ ...job, completion: null, inTheWay: standingOf(seen) }, 'target-changed', null, []);
}

function prepareAgain(job: UploadJob, withConditions: boolean, seen: HeadSeen): UploadStep {
  if (job.rounds >= maxRounds) return inTheWay(job, seen);
  const next: UploadJob = {
    ...job,
    completion: null,
    rounds: job.rounds + 1,
    withConditions: job.withConditions && withConditions,
  };
  return run(next, 'listing-parts', { kind: 'prepare-completion' });
}

function goneExplained(
  job: UploadJob,
  { hasWantedBytes, isListed }: UploadEvent & { kind: 'gone-explained' },
  moment: Moment,
): UploadStep {
  if (job.state !== 'verifying-outcome' || job.completion !== null) return stay(job);
  if (hasWantedBytes) return finish(job, 'wanted-bytes');
  if (!isListed || job.error === null) return attention(job, 'upload-gone', job.error, []);
  return job.failures < maxGoneAnswers
    ? { job: repeatLater(job, job.error, moment), effects: [] }
    : attention(job, 'upload-contradicted', job.error, []);
}

function failed(job: UploadJob, error: AppError, moment: Moment): UploadStep {
  if (!isRunning(job)) return stay(job);
  if (job.state === 'completing') return completeFailed(job, error, moment);
  if (error.code === 'upload-gone') {
    if (job.kind === 'abort') return finish(job, 'already-gone');
    return run({ ...job, error }, 'verifying-outcome', {
      kind: job.completion === null ? 'explain-gone' : 'observe',
    });
  }
  const next = afterFailure(error, job.failures);
  switch (next.kind) {
    case 'repeat':
      return { job: repeatLater(job, error, moment), effects: [] };
    case 'pause':
      return { job: rest(job, 'paused', next.reason, error), effects: [] };
    case 'attention':
      return attention(job, next.reason, error, []);
    default:
      return assertNever(next);
  }
}

function completeFailed(job: UploadJob, error: AppError, moment: Moment): UploadStep {
  if (job.completion === null) return stay(job);
  const { verdict, completion } = afterCompleteFailed(job.completion, error, moment.nowMs);
  const next: UploadJob = { ...job, error, failures: job.failures + 1, completion, pauseRequested: false };
  if (job.pauseRequested && verdict !== 'rejected')
    return { job: rest(next, 'paused', 'by-user', error), effects: [] };
  return afterVerdict(next, verdict, error, moment);
}

function afterVerdict(job: UploadJob, verdict: CompleteFailure, error: AppError, moment: Moment): UploadStep {
  switch (verdict) {
    case 'gone': {
      // At first it may be a success whose answer was lost; from then on the service contradicts itself.
      const again = (job.completion?.sent.goneAnswers ?? 0) - 1;
      if (again <= 0) return run(job, 'verifying-outcome', { kind: 'observe' });
      return lookLater(job, moment.nowMs + askDelayMs(again), { kind: 'contradiction', untilMs: null });
    }
    case 'taken':
    case 'condition':
      return run(job, 'verifying-outcome', { kind: 'observe' });
    case 'said-failed':
    case 'broken':
    case 'not-sent': {
      const dueMs = moment.nowMs + backoffMs(job.failures, moment.fraction, error.retryAfterMs);
      if (job.completion === null) return { job: { ...job, state: 'retry-scheduled', dueMs }, effects: [] };
      return lookLater(job, dueMs, null);
    }
    case 'rejected':
      return run(job, 'listing-parts', { kind: 'explain-rejection' });
    case 'keys':
      return { job: rest(job, 'paused', 'needs-new-keys', error), effects: [] };
    case 'denied':
      return attention(job, 'access-denied', error, []);
    case 'refused':
      return attention(job, 'refused', error, []);
    default:
      return assertNever(verdict);
  }
}

function run(job: UploadJob, state: JobState, effect: UploadEffect): UploadStep {
  const next: UploadJob = {
    ...job,
    state,
    run: job.run + 1,
    dueMs: null,
    waiting: null,
    reason: null,
    outcome: null,
    partNumbers: [],
  };
  return { job: next, effects: [effect] };
}

function wait(job: UploadJob): UploadStep {
  const next: UploadJob = {
    ...job,
    state: 'waiting',
    dueMs: null,
    waiting: null,
    reason: null,
    pauseRequested: false,
    partNumbers: [],
  };
  return { job: next, effects: [] };
}

/** `run` moves on, so that nothing that is still under way changes a job at rest. */
function rest(job: UploadJob, state: JobState, reason: JobReason | null, error: AppError | null): UploadJob {
  const completion =
    job.completion?.inFlight === true
      ? { ...job.completion, inFlight: false, sent: { ...job.completion.sent, doubtAtMs: job.updatedMs } }
      : job.completion;
  const run = job.run + 1;
  return { ...job, state, reason, completion, error: error ?? job.error, dueMs: null, waiting: null, run };
}

function attention(
  job: UploadJob,
  reason: JobReason,
  error: AppError | null,
  partNumbers: readonly number[],
): UploadStep {
  return {
    job: { ...rest(job, 'needs-attention', reason, error), partNumbers: partNumbers.slice(0, 1000) },
    effects: [],
  };
}

function finish(job: UploadJob, outcome: JobOutcome): UploadStep {
  const { partsTotal, bytesTotal } = job.progress;
  const progress = { ...job.progress, partsDone: partsTotal, bytesDone: bytesTotal };
  return { job: { ...rest(job, 'done', null, null), outcome, progress, error: null }, effects: [] };
}

function stay(job: UploadJob): UploadStep {
  return { job, effects: [] };
}

function isStartable(job: UploadJob): boolean {
  return (
    job.state === 'waiting' ||
    job.state === 'retry-scheduled' ||
    (job.state === 'verifying-outcome' && job.dueMs !== null)
  );
}

function waitsForKeys(job: UploadJob): boolean {
  if (job.state === 'paused') return job.reason === 'needs-new-keys' || job.reason === 'connection-missing';
  return job.state === 'needs-attention' && job.reason === 'access-denied';
}

/** An effect is under way, or was when the record was written. */
export function isRunning(job: UploadJob): boolean {
  switch (job.state) {
    case 'listing-parts':
    case 'verifying-parts':
    case 'sending-parts':
    case 'completing':
    case 'aborting':
    case 'preparing':
    case 'transferring':
      return true;
    case 'verifying-outcome':
      return job.dueMs === null;
    case 'waiting':
    case 'retry-scheduled':
    case 'paused':
    case 'needs-attention':
    case 'done':
    case 'cancelled':
      return false;
    default:
      return assertNever(job.state);
  }
}

function stopIfRunning(job: UploadJob): readonly StopEffect[] {
  return isRunning(job) ? [{ kind: 'stop' }] : [];
}
