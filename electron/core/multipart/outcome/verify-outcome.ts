import { retryPolicies, waitMs } from '../../flow/retry-policies.ts';
import type { AppError } from '../../../../shared/errors.ts';
import type { JobWait } from '../../../../shared/models/jobs.ts';
import { mayRepeat } from '../../jobs/failure.ts';
import { etagIn, sameEtag } from '../../s3/model/etag.ts';
import {
  changeOf,
  provedByEtag,
  provedThoughListed,
  type HeadResult,
  type Intent,
  type Sent,
  type Watch,
} from './outcome.ts';
import type { ReadBack } from './look.ts';

export interface Observation {
  readonly atMs: number;
  readonly upload:
    | { readonly kind: 'there'; readonly fingerprint: string }
    | { readonly kind: 'gone' }
    /** The upload was not checked, because the service reported success and the object at the key does not contradict that. */
    | { readonly kind: 'not-asked' }
    | { readonly kind: 'unclear'; readonly error: AppError };
  readonly object: HeadResult;
  /** The result of reading the object's last byte; null if it was not read. */
  readonly readBack: ReadBack | null;
}

/** The reason for waiting, and the time at which the wait ends; null if it has no end. */
export interface Waiting {
  readonly kind: JobWait;
  readonly untilMs: number | null;
}

export type OutcomeDecision =
  | { readonly kind: 'ask-again'; readonly delayMs: number; readonly waiting: Waiting }
  /** The wait is over; sends the same Complete request again at once. */
  | { readonly kind: 'send-again' }
  /**
   * No Complete request was applied. Before the next one, the key must be checked and the user's agreement must cover what is
   * found.
   */
  | { readonly kind: 'prepare-again'; readonly without: 'condition' | 'checksum' | null }
  /** No Complete request was applied, because the content differs from its checksum. The parts must be compared again. */
  | { readonly kind: 'doubt-parts' }
  | {
      readonly kind: 'done';
      readonly outcome: 'completed' | 'completed-unchecked' | 'wanted-bytes' | 'probably-completed';
      /** True if HEAD proved the object but its bytes may not be read. */
      readonly isUnread: boolean;
    }
  | {
      readonly kind: 'attention';
      readonly reason:
        | 'lost'
        | 'overwritten'
        | 'outcome-unclear'
        | 'target-changed'
        | 'object-unreadable'
        | 'upload-contradicted'
        | 'not-carried-out';
      readonly error: AppError | null;
    };

export const quietMs = 10 * 60_000;
export const pollMissingMs = 5 * 60_000;
export const nothingSent: Sent = {
  answer: null,
  doubtAtMs: null,
  refusal: null,
  goneAnswers: 0,
  idleAnswers: 0,
};

export const noWatch: Watch = {
  asks: 0,
  unclearAsks: 0,
  fingerprint: null,
  sinceMs: 0,
  missingSinceMs: null,
  unreadAsks: 0,
};

/** Returns the delay before the next check: 1 s, 2 s, 4 s and so on, up to 30 s. */
export function askDelayMs(asks: number): number {
  return waitMs(retryPolicies.outcome, asks);
}

type Decided = { readonly watch: Watch; readonly decision: OutcomeDecision };

/**
 * Decides what to do after one check of a Complete request with an unknown outcome (“After an unknown outcome” in docs/cases.md).
 */
export function decideOutcome(intent: Intent, sent: Sent, watch: Watch, observation: Observation): Decided {
  const decided = decideByHead(intent, sent, { ...watch, asks: watch.asks + 1 }, observation);
  if (decided.decision.kind !== 'done' || observation.readBack === null) return decided;
  return afterReading(decided.watch, decided.decision, observation.readBack);
}

/** Returns true if HEAD has proved the object, so that only reading its last byte remains. */
export function needsReadBack(intent: Intent, sent: Sent, watch: Watch, observation: Observation): boolean {
  if (observation.object.kind !== 'present' || observation.object.sizeBytes === 0) return false;
  return decideByHead(intent, sent, watch, observation).decision.kind === 'done';
}

/** Returns true if the object at the key contradicts the reported success, so that the upload must be checked as well. */
export function doubtsResponse(intent: Intent, sent: Sent, object: HeadResult): boolean {
  if (object.kind === 'absent') return true;
  if (object.kind === 'unreadable') return false;
  if (provedByEtag(intent, object) !== null || sameEtag(sent.answer?.etag ?? null, object.etag)) return false;
  return changeOf(intent.before, object) === 'unchanged';
}

function decideByHead(intent: Intent, sent: Sent, nextWatch: Watch, observation: Observation): Decided {
  const { upload, object } = observation;
  switch (upload.kind) {
    case 'there': {
      if (sent.answer !== null && !doubtsResponse(intent, sent, object))
        return afterUploadGone(intent, sent, nextWatch, observation);
      const proved = provedThoughListed(intent, sent, object);
      if (proved !== null) return { watch: { ...nextWatch, unclearAsks: 0 }, decision: done(proved) };
      return afterUploadFound(intent, sent, nextWatch, observation, upload.fingerprint);
    }
    case 'gone':
    case 'not-asked':
      return afterUploadGone(intent, sent, nextWatch, observation);
    case 'unclear': {
      // Some servers respond with 500 for a completed upload (ceph#68186). The object may still prove the completion.
      const proved = provedThoughListed(intent, sent, object);
      if (proved === 'completed') return { watch: nextWatch, decision: done(proved) };
      const likely = provedByEtag(intent, object) ?? proved;
      if (likely !== null && nextWatch.unclearAsks >= 3) return { watch: nextWatch, decision: done(likely) };
      return afterUnclearCheck(nextWatch, upload.error);
    }
    default:
      return upload satisfies never;
  }
}

/** Decides after the last byte was read. HEAD alone proves nothing, because Swift describes objects that it cannot read. */
function afterReading(
  watch: Watch,
  decision: OutcomeDecision & { kind: 'done' },
  readBack: ReadBack,
): Decided {
  switch (readBack.kind) {
    case 'read':
      return { watch, decision };
    case 'forbidden':
      return { watch, decision: { ...decision, isUnread: true } };
    case 'failed': {
      const next: Watch = { ...watch, unreadAsks: watch.unreadAsks + 1 };
      if (next.unreadAsks >= retryPolicies.outcome.maxUnreadAsks)
        return { watch: next, decision: attention('object-unreadable', readBack.error) };
      const delayMs = Math.max(askDelayMs(next.unreadAsks - 1), readBack.error.retryAfterMs ?? 0);
      const waiting: Waiting = { kind: 'reading', untilMs: null };
      return { watch: next, decision: { kind: 'ask-again', delayMs, waiting } };
    }
    default:
      return readBack satisfies never;
  }
}

/** Decides while the upload still exists and the object at the key does not prove its completion (step 1 of docs/cases.md). */
function afterUploadFound(
  intent: Intent,
  sent: Sent,
  watch: Watch,
  observation: Observation,
  fingerprint: string,
): Decided {
  const newFingerprint = `${fingerprint} ${objectMark(observation.object)}`;
  // If the clock was set back, the wait starts again, so it never exceeds ten minutes.
  const isUnchanged = watch.fingerprint === newFingerprint && watch.sinceMs <= observation.atMs;
  const sinceMs = isUnchanged ? watch.sinceMs : observation.atMs;
  const next: Watch = {
    ...watch,
    unclearAsks: 0,
    missingSinceMs: null,
    fingerprint: newFingerprint,
    sinceMs,
  };
  const doubtAtMs = sent.answer === null ? sent.doubtAtMs : sinceMs;
  if (doubtAtMs === null) return { watch: next, decision: notApplied(intent, sent, observation.object) };
  const untilMs = Math.max(sinceMs, Math.min(doubtAtMs, observation.atMs)) + quietMs;
  if (observation.atMs >= untilMs)
    return { watch: next, decision: notApplied(intent, sent, observation.object) };
  return { watch: next, decision: askAgain(next, { kind: 'assembling', untilMs }) };
}

/**
 * Decides about an upload that still exists after all its Complete requests have ended. The object at the key determines whether
 * another request is sent.
 */
function notApplied(intent: Intent, sent: Sent, object: HeadResult): OutcomeDecision {
  if (sent.refusal === 'damaged') return { kind: 'doubt-parts' };
  if (sent.refusal === 'condition' || sent.refusal === 'checksum')
    return { kind: 'prepare-again', without: sent.refusal };
  if (sent.goneAnswers >= retryPolicies.outcome.maxGoneAnswers) return attention('upload-contradicted', null);
  if (sent.answer !== null && sent.idleAnswers + 1 >= retryPolicies.outcome.maxIdleAnswers)
    return attention('not-carried-out', null);
  const proved = provedByEtag(intent, object);
  if (sent.refusal === null) {
    // The user agreed to replace the earlier object, but the key now has another object.
    const isOther = proved === null && changeOf(intent.before, object) === 'changed';
    return isOther ? { kind: 'prepare-again', without: null } : { kind: 'send-again' };
  }
  if (proved !== null) return done(proved);
  const change = changeOf(intent.before, object);
  switch (change) {
    case 'changed':
      return { kind: 'prepare-again', without: null };
    case 'unchanged':
      // The key fulfils the condition that the service rejected, so conditions of this service are unreliable.
      return { kind: 'prepare-again', without: 'condition' };
    case 'unknown':
      return attention('target-changed', null);
    default:
      return change satisfies never;
  }
}

/** Decides after the service has removed the upload, by the object at the key (steps 2 to 4 of docs/cases.md). */
function afterUploadGone(intent: Intent, sent: Sent, watch: Watch, observation: Observation): Decided {
  const { object } = observation;
  if (object.kind === 'unreadable') {
    // Temporary errors are retried. If they persist, the user decides: perhaps no Complete request was applied.
    if (mayRepeat(object.error, 0)) return afterUnclearCheck(watch, object.error);
    if (sent.answer !== null) return { watch, decision: done('completed-unchecked') };
    return { watch, decision: attention('outcome-unclear', object.error) };
  }
  const clear: Watch = { ...watch, unclearAsks: 0 };
  const proved = provedByEtag(intent, object);
  if (proved !== null) return { watch: clear, decision: done(sent.answer === null ? proved : 'completed') };
  if (object.kind === 'absent') return afterObjectMissing(clear, observation.atMs);
  // If HEAD returns no ETag, only the response of the Complete request identifies the object.
  const objectEtag = etagIn(object.etag) ?? intent.expectedEtag;
  const fitsResponse = sent.answer !== null && sameEtag(sent.answer.etag, objectEtag);
  if (fitsResponse && object.sizeBytes === intent.totalSizeBytes)
    return { watch: clear, decision: done('completed') };
  const change = changeOf(intent.before, object);
  if (change === 'unchanged') return afterObjectMissing(clear, observation.atMs);
  const etagProvesNothing =
    intent.expectedEtag === null ||
    etagIn(object.etag) === null ||
    !intent.partsVerified ||
    object.etagIsNotMd5;
  if (!etagProvesNothing || object.sizeBytes !== intent.totalSizeBytes)
    return { watch: clear, decision: attention('overwritten', null) };
  if (change === 'changed') return { watch: clear, decision: done('probably-completed') };
  return { watch: clear, decision: attention('outcome-unclear', null) };
}

/** Waits some minutes for the object to appear, then treats it as lost (step 3 of docs/cases.md). */
function afterObjectMissing(watch: Watch, atMs: number): Decided {
  const previousSinceMs = watch.missingSinceMs;
  const sinceMs = previousSinceMs === null || previousSinceMs > atMs ? atMs : previousSinceMs;
  const next: Watch = { ...watch, missingSinceMs: sinceMs };
  if (atMs - sinceMs >= pollMissingMs) return { watch: next, decision: attention('lost', null) };
  return { watch: next, decision: askAgain(next, { kind: 'appearing', untilMs: sinceMs + pollMissingMs }) };
}

function afterUnclearCheck(watch: Watch, error: AppError): Decided {
  const next: Watch = { ...watch, unclearAsks: watch.unclearAsks + 1 };
  // While the computer is offline, failed checks say nothing about the upload, so they continue without limit.
  const isNetworkAway = error.code === 'network' || error.code === 'disconnected';
  if (next.unclearAsks >= retryPolicies.outcome.maxUnclearAsks && !isNetworkAway)
    return { watch: next, decision: attention('outcome-unclear', error) };
  const delayMs = Math.max(askDelayMs(next.unclearAsks), error.retryAfterMs ?? 0);
  const waiting: Waiting = { kind: 'answer', untilMs: null };
  return { watch: next, decision: { kind: 'ask-again', delayMs, waiting } };
}

function askAgain(watch: Watch, waiting: Waiting): OutcomeDecision {
  return { kind: 'ask-again', delayMs: askDelayMs(watch.asks - 1), waiting };
}

function done(outcome: (OutcomeDecision & { kind: 'done' })['outcome']): OutcomeDecision & { kind: 'done' } {
  return { kind: 'done', outcome, isUnread: false };
}

type AttentionReason = (OutcomeDecision & { kind: 'attention' })['reason'];

function attention(reason: AttentionReason, error: AppError | null): OutcomeDecision {
  return { kind: 'attention', reason, error };
}

function objectMark(object: HeadResult): string {
  return object.kind === 'present'
    ? `${object.etag ?? ''} ${object.lastModified ?? ''} ${object.versionId ?? ''}`
    : object.kind;
}
