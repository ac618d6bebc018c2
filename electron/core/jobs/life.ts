import { assertNever } from '../../../shared/assert-never.ts';
import type { AppError } from '../../../shared/errors.ts';
import type { JobOutcome, JobReason, JobState } from '../../../shared/models/jobs.ts';
import { afterFailure, repeatLater } from './failure.ts';
import { isFinal, isInFlight, type BaseJob, type EngineEvent } from './job.ts';
import type { Moment, Step, StopEffect } from './job.ts';

/** The fields that the common life cycle of jobs needs. */
export interface LivingJob extends BaseJob {
  /** The number of consecutive failures without progress. */
  readonly failures: number;
  readonly reason: JobReason | null;
  readonly outcome: JobOutcome | null;
  readonly error: AppError | null;
}

/** Returns the fields of a new job of any kind. It waits for a slot. */
export function newJobFields({
  id,
  connectionId,
  lockKey,
  nowMs,
}: Pick<LivingJob, 'id' | 'connectionId' | 'lockKey'> & { readonly nowMs: number }) {
  return {
    id,
    state: 'waiting',
    connectionId,
    lockKey,
    createdMs: nowMs,
    updatedMs: nowMs,
    stateSinceMs: nowMs,
    dueMs: null,
    run: 0,
    failures: 0,
    reason: null,
    outcome: null,
    error: null,
  } satisfies Omit<LivingJob, 'kind'>;
}

type LifeStep<J, F> = Step<J, F | StopEffect>;

/** The rules in which one kind of job differs from the others. */
export interface LifeRules<J extends LivingJob, E, F> {
  /** Handles the events of this kind of job. */
  readonly decide: (job: J, event: E, moment: Moment) => LifeStep<J, F>;
  /** Decides the first step, at the first start and at each restart. */
  readonly begin: (job: J, moment: Moment) => LifeStep<J, F>;
  /** `running`, `waiting` and `resting` adjust the job's fields before it starts an effect, waits for a slot, or rests. */
  readonly running?: (job: J) => J;
  readonly waiting?: (job: J) => J;
  readonly resting?: (job: J) => J;
  /** Marks requests whose outcome is unknown because the program ended during an effect. */
  readonly restarted?: (job: J) => J;
  /** Returns the job with its counters reset for the user's retry; null if a retry would change nothing. */
  readonly retried: (job: J) => J | null;
  /** Overrides the handling of an engine event; null for the default. */
  readonly override?: (job: J, event: EngineEvent, moment: Moment) => LifeStep<J, F> | null;
}

/** The life cycle of a kind of job, from which its transition is built. */
export interface Life<J extends LivingJob, E, F> {
  /** Decides the next step after an event. Leaves a job in a final state unchanged. */
  readonly step: (job: J, event: E | EngineEvent, moment: Moment) => LifeStep<J, F>;
  /** Starts an effect. */
  readonly run: (job: J, state: JobState, effect: F) => LifeStep<J, F>;
  /** Waits for a slot. */
  readonly wait: (job: J) => LifeStep<J, F>;
  /** Stops the job until the user resumes it. Events of effects that are still running are ignored afterwards. */
  readonly rest: (job: J, state: JobState, reason: JobReason | null, error: AppError | null) => J;
  readonly attention: (job: J, reason: JobReason, error: AppError | null) => LifeStep<J, F>;
  /** Schedules a retry, pauses the job or asks the user, depending on the error. */
  readonly fail: (job: J, error: AppError, moment: Moment) => LifeStep<J, F>;
}

/** Returns a step that changes the job and starts or stops no effect. */
export function stepTo<J>(job: J): { readonly job: J; readonly effects: readonly [] } {
  return { job, effects: [] };
}

/** Returns the effect that stops a running job; none if it is not running. */
export function stopIfInFlight(job: BaseJob): readonly StopEffect[] {
  return isInFlight(job) ? [{ kind: 'stop' }] : [];
}

/** Creates the life cycle from its rules. Its functions are pure: time and random numbers are arguments. */
export function lifeOf<J extends LivingJob, E extends { readonly kind: string }, F>(
  rules: LifeRules<J, E, F>,
): Life<J, E, F> {
  const unchanged = (job: J): J => job;
  const {
    decide,
    begin,
    running = unchanged,
    waiting = unchanged,
    resting = unchanged,
    restarted = unchanged,
    retried,
  } = rules;

  const wait = (job: J): LifeStep<J, F> =>
    stepTo(waiting({ ...job, state: 'waiting', dueMs: null, reason: null }));
  const rest: Life<J, E, F>['rest'] = (job, state, reason, error) =>
    resting({ ...job, state, reason, error: error ?? job.error, dueMs: null, run: job.run + 1 });
  const attention: Life<J, E, F>['attention'] = (job, reason, error) =>
    stepTo(rest(job, 'needs-attention', reason, error));

  const pause = (job: J): LifeStep<J, F> => {
    if (job.state === 'needs-attention') return stepTo(job);
    if (job.state === 'paused') return stepTo(job.reason === 'by-user' ? job : { ...job, reason: 'by-user' });
    return { job: rest(job, 'paused', 'by-user', null), effects: stopIfInFlight(job) };
  };

  const retryNow = (job: J): LifeStep<J, F> => {
    if (job.state !== 'paused' && job.state !== 'needs-attention' && job.state !== 'retry-scheduled')
      return stepTo(job);
    const retriedJob = retried(job);
    return retriedJob === null ? stepTo(job) : wait({ ...retriedJob, failures: 0 });
  };

  const fail: Life<J, E, F>['fail'] = (job, error, moment) => {
    const next = afterFailure(error, job.failures);
    switch (next.kind) {
      case 'repeat':
        return stepTo(repeatLater(job, error, moment));
      case 'pause':
        return stepTo(rest(job, 'paused', next.reason, error));
      case 'attention':
        return attention(job, next.reason, error);
      default:
        return assertNever(next);
    }
  };

  const handleEngineEvent = (job: J, event: EngineEvent, moment: Moment): LifeStep<J, F> => {
    switch (event.kind) {
      case 'started':
        return isStartable(job) ? begin(job, moment) : stepTo(job);
      case 'restarted':
        return isInFlight(job) ? wait(restarted(job)) : stepTo(job);
      case 'pause':
        return pause(job);
      case 'resume':
        return job.state === 'paused' ? wait(job) : stepTo(job);
      case 'retry-now':
        return retryNow(job);
      case 'cancel':
        return { job: rest(job, 'cancelled', null, null), effects: stopIfInFlight(job) };
      case 'keys-changed':
        return waitsForKeys(job) ? wait(job) : stepTo(job);
      case 'failed':
        return isInFlight(job) ? fail(job, event.error, moment) : stepTo(job);
      default:
        return assertNever(event);
    }
  };

  return {
    step: (job, event, moment) => {
      if (isFinal(job.state)) return stepTo(job);
      const step = isEngineEvent(event)
        ? (rules.override?.(job, event, moment) ?? handleEngineEvent(job, event, moment))
        : decide(job, event, moment);
      if (step.job === job) return step;
      const stateSinceMs = step.job.state === job.state ? job.stateSinceMs : moment.nowMs;
      return { ...step, job: { ...step.job, updatedMs: moment.nowMs, stateSinceMs } };
    },
    run: (job, state, effect) => ({
      job: running({ ...job, state, run: job.run + 1, dueMs: null, reason: null, outcome: null }),
      effects: [effect],
    }),
    wait,
    rest,
    attention,
    fail,
  };
}

const engineEvents: Readonly<Record<EngineEvent['kind'], true>> = {
  started: true,
  restarted: true,
  pause: true,
  resume: true,
  'retry-now': true,
  cancel: true,
  'keys-changed': true,
  failed: true,
};

function isEngineEvent(event: { readonly kind: string }): event is EngineEvent {
  return Object.hasOwn(engineEvents, event.kind);
}

/** Returns true if the job waits for a slot or for its due time. */
function isStartable({ state, dueMs }: BaseJob): boolean {
  return (
    state === 'waiting' || state === 'retry-scheduled' || (state === 'verifying-outcome' && dueMs !== null)
  );
}

function waitsForKeys({ state, reason }: LivingJob): boolean {
  if (state === 'paused') return reason === 'needs-new-keys' || reason === 'connection-missing';
  return state === 'needs-attention' && reason === 'access-denied';
}
