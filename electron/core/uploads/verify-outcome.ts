import type { AppError } from '../../../shared/errors.ts';
import type { StandingObject } from '../../../shared/models/uploads.ts';
import { sameEtag } from './etag.ts';

/** What stands at the key, as HEAD says. */
export type HeadSeen =
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'present';
      readonly sizeBytes: number;
      readonly etag: string | null;
      readonly lastModified: string | null;
      readonly versionId: string | null;
      /** Encrypted with KMS or a customer's key: its part ETags look like MD5 and are not. */
      readonly etagIsNotMd5: boolean;
    }
  | { readonly kind: 'unreadable'; readonly error: AppError };

/**
 * What a Complete asks the service to make sure of: that the key is free (If-None-Match), or still holds what was seen there
 * (If-Match). S3 API, CompleteMultipartUpload.
 */
export const conditions = ['none', 'free', 'as-seen'] as const;
export type Condition = (typeof conditions)[number];

/** Why a Complete was not carried out, by the service's own word: the key is taken, or it knows no such condition. */
export const refusals = ['taken', 'condition'] as const;
type Refusal = (typeof refusals)[number];

/** What was put on disk before the POST. */
export interface Intent {
  readonly partCount: number;
  readonly totalSizeBytes: number;
  readonly expectedEtag: string | null;
  /** Every part was compared with a local file, or sent by this program with its MD5. */
  readonly partsVerified: boolean;
  readonly initiatedAt: string | null;
  readonly before: HeadSeen;
  readonly condition: Condition;
}

/** What is known of the Completes sent so far. */
export interface Sent {
  /** The answer of a Complete that said success; `etag` is null or empty on some servers (Ceph). */
  readonly answer: { readonly etag: string | null } | null;
  /** When a Complete last ended in a break, a time-out or a gateway's word, so that it may still be running. */
  readonly doubtAtMs: number | null;
  /** Of the last one alone. */
  readonly refusal: Refusal | null;
}

/** What earlier looks have seen; persisted with the job. */
export interface Watch {
  readonly asks: number;
  /** Looks in a row that told nothing. */
  readonly unclearAsks: number;
  readonly fingerprint: string | null;
  /** Since when nothing has changed. */
  readonly sinceMs: number;
  /** Since when the upload is gone and its object is not to be seen. */
  readonly missingSinceMs: number | null;
}

export interface Observation {
  readonly atMs: number;
  readonly upload:
    | { readonly kind: 'there'; readonly fingerprint: string }
    | { readonly kind: 'gone' }
    | { readonly kind: 'unclear'; readonly error: AppError };
  readonly object: HeadSeen;
}

export type OutcomeDecision =
  | { readonly kind: 'ask-again'; readonly delayMs: number }
  /** The identical Complete, after the usual backoff. */
  | { readonly kind: 'send-again' }
  /** Nothing was applied, and the key has to be looked at and agreed to anew. */
  | { readonly kind: 'prepare-again'; readonly withConditions: boolean }
  | {
      readonly kind: 'done';
      readonly outcome: 'completed' | 'completed-unchecked' | 'wanted-bytes' | 'probably-completed';
    }
  | {
      readonly kind: 'attention';
      readonly reason: 'lost' | 'overwritten' | 'outcome-unclear' | 'target-changed';
      readonly error: AppError | null;
    };

export const quietMs = 10 * 60_000;
export const pollMissingMs = 5 * 60_000;
export const maxUnclearAsks = 12;

export const noWatch: Watch = {
  asks: 0,
  unclearAsks: 0,
  fingerprint: null,
  sinceMs: 0,
  missingSinceMs: null,
};

/** The waits grow: 1 s, 2 s, 4 s … 30 s. */
export function askDelayMs(asks: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.min(asks, 10));
}

/** The procedure "After an unknown outcome" of docs/cases.md, one look at a time. */
export function decideOutcome(
  intent: Intent,
  sent: Sent,
  watch: Watch,
  seen: Observation,
): { readonly watch: Watch; readonly decision: OutcomeDecision } {
  const asked: Watch = { ...watch, asks: watch.asks + 1 };
  // The service's own success needs no look at the upload; only the object is checked.
  if (sent.answer !== null) return afterUploadGone(intent, sent, asked, seen);
  if (seen.upload.kind === 'there') return stillThere(intent, sent, asked, seen, seen.upload.fingerprint);
  if (seen.upload.kind === 'gone') return afterUploadGone(intent, sent, asked, seen);
  // Some servers answer 500 for an upload that is gone (ceph#68186): the object may still prove itself.
  const proved = provedByEtag(intent, seen.object);
  if (proved !== null && asked.unclearAsks >= 3) return { watch: asked, decision: done(proved) };
  return unclear(asked, seen.upload.error);
}

/** Step 1. */
function stillThere(
  intent: Intent,
  sent: Sent,
  watch: Watch,
  seen: Observation,
  fingerprint: string,
): { watch: Watch; decision: OutcomeDecision } {
  const now = `${fingerprint} ${objectMark(seen.object)}`;
  // A clock that was set back must not make the wait longer than the ten minutes.
  const unchanged = watch.fingerprint === now && watch.sinceMs <= seen.atMs;
  const sinceMs = unchanged ? watch.sinceMs : seen.atMs;
  const next: Watch = { ...watch, unclearAsks: 0, missingSinceMs: null, fingerprint: now, sinceMs };
  if (sent.doubtAtMs === null) return { watch: next, decision: notApplied(intent, sent, seen.object) };
  const quietSinceMs = Math.max(sinceMs, Math.min(sent.doubtAtMs, seen.atMs));
  if (seen.atMs - quietSinceMs >= quietMs)
    return { watch: next, decision: notApplied(intent, sent, seen.object) };
  return { watch: next, decision: askAgain(next) };
}

/** The upload is there, and no Complete of it is under way: what the next one may do hangs on what stands at the key. */
function notApplied(intent: Intent, sent: Sent, object: HeadSeen): OutcomeDecision {
  if (sent.refusal === 'condition') return { kind: 'prepare-again', withConditions: false };
  const proved = provedByEtag(intent, object);
  if (sent.refusal === null) {
    // Whoever has agreed to what stood there has not agreed to what stands there now.
    const isOther = proved === null && changeOf(intent.before, object) === 'changed';
    return isOther ? { kind: 'prepare-again', withConditions: true } : { kind: 'send-again' };
  }
  if (proved !== null) return done(proved);
  const change = changeOf(intent.before, object);
  switch (change) {
    case 'changed':
      return { kind: 'prepare-again', withConditions: true };
    case 'unchanged':
      // The key is as the condition says, and it was refused all the same: this service's word on it means nothing.
      return { kind: 'prepare-again', withConditions: false };
    case 'unknown':
      return attention('target-changed', null);
    default:
      return change satisfies never;
  }
}

/** Steps 2 to 4. */
function afterUploadGone(
  intent: Intent,
  sent: Sent,
  watch: Watch,
  seen: Observation,
): { watch: Watch; decision: OutcomeDecision } {
  const { object } = seen;
  if (object.kind === 'unreadable') {
    if (mayPass(object.error)) {
      const again = unclear(watch, object.error);
      const isOver = again.decision.kind === 'attention' && sent.answer !== null;
      return isOver ? { watch: again.watch, decision: done('completed-unchecked') } : again;
    }
    if (sent.answer !== null) return { watch, decision: done('completed-unchecked') };
    return { watch, decision: attention('outcome-unclear', object.error) };
  }
  const clear: Watch = { ...watch, unclearAsks: 0 };
  const proved = provedByEtag(intent, object);
  if (proved !== null) return { watch: clear, decision: done(sent.answer === null ? proved : 'completed') };
  if (object.kind === 'absent') return missing(clear, seen.atMs);
  const fitsAnswer = sent.answer !== null && sameEtag(sent.answer.etag, object.etag);
  if (fitsAnswer && object.sizeBytes === intent.totalSizeBytes)
    return { watch: clear, decision: done('completed') };
  const change = changeOf(intent.before, object);
  if (change === 'unchanged') return missing(clear, seen.atMs);
  const etagProvesNothing = intent.expectedEtag === null || !intent.partsVerified || object.etagIsNotMd5;
  if (!etagProvesNothing) return { watch: clear, decision: attention('overwritten', null) };
  if (object.sizeBytes !== intent.totalSizeBytes)
    return { watch: clear, decision: attention('overwritten', null) };
  if (change === 'changed') return { watch: clear, decision: done('probably-completed') };
  return { watch: clear, decision: attention('outcome-unclear', null) };
}

/** A failure that says nothing about the object: it may be over with the next look. */
export function mayPass(error: AppError): boolean {
  return error.retry === 'backoff' || error.code === 'protocol' || error.code === 'clock-skew';
}

/** Step 2: size and ETag are E. */
function provedByEtag(intent: Intent, object: HeadSeen): 'completed' | 'wanted-bytes' | null {
  if (object.kind !== 'present' || intent.expectedEtag === null) return null;
  if (object.sizeBytes !== intent.totalSizeBytes || !sameEtag(object.etag, intent.expectedEtag)) return null;
  const { before } = intent;
  if (before.kind === 'absent') return 'completed';
  if (before.kind === 'unreadable') return 'wanted-bytes';
  return sameEtag(before.etag, intent.expectedEtag) ? 'wanted-bytes' : 'completed';
}

function changeOf(before: HeadSeen, now: HeadSeen): 'changed' | 'unchanged' | 'unknown' {
  if (before.kind === 'unreadable' || now.kind === 'unreadable') return 'unknown';
  return isSameObject(before, now) ? 'unchanged' : 'changed';
}

/** Whether a user who was shown `agreed` has agreed to the Complete of an intent. */
export function isAgreed(agreed: StandingObject, intent: Intent): boolean {
  const { before } = intent;
  switch (before.kind) {
    case 'absent':
      return true;
    case 'present':
      // Of the very object that the upload makes nothing is lost: somebody else may have completed it.
      return isSameObject(agreed, before) || provedByEtag(intent, before) !== null;
    case 'unreadable':
      // A key that was free is kept so by the condition; nobody can see what else it holds.
      return agreed.kind !== 'present';
    default:
      return before satisfies never;
  }
}

/** Whether a look at a key saw what an earlier one saw, down to its time and version. */
function isSameObject(before: StandingObject, now: StandingObject): boolean {
  if (before.kind !== 'present' || now.kind !== 'present') return before.kind === now.kind;
  return (
    before.etag === now.etag &&
    before.sizeBytes === now.sizeBytes &&
    before.lastModified === now.lastModified &&
    before.versionId === now.versionId
  );
}

/** Step 3: polled for some minutes, then lost. */
function missing(watch: Watch, atMs: number): { watch: Watch; decision: OutcomeDecision } {
  const started = watch.missingSinceMs;
  const sinceMs = started === null || started > atMs ? atMs : started;
  const next: Watch = { ...watch, missingSinceMs: sinceMs };
  if (atMs - sinceMs >= pollMissingMs) return { watch: next, decision: attention('lost', null) };
  return { watch: next, decision: askAgain(next) };
}

function unclear(watch: Watch, error: AppError): { watch: Watch; decision: OutcomeDecision } {
  const next: Watch = { ...watch, unclearAsks: watch.unclearAsks + 1 };
  // A network that is away says nothing about the upload: it is asked again for as long as that lasts.
  const networkIsAway = error.code === 'network' || error.code === 'disconnected';
  if (next.unclearAsks >= maxUnclearAsks && !networkIsAway)
    return { watch: next, decision: attention('outcome-unclear', error) };
  const delayMs = Math.max(askDelayMs(next.unclearAsks), error.retryAfterMs ?? 0);
  return { watch: next, decision: { kind: 'ask-again', delayMs } };
}

function askAgain(watch: Watch): OutcomeDecision {
  return { kind: 'ask-again', delayMs: askDelayMs(watch.asks - 1) };
}

function done(outcome: (OutcomeDecision & { kind: 'done' })['outcome']): OutcomeDecision {
  return { kind: 'done', outcome };
}

function attention(
  reason: (OutcomeDecision & { kind: 'attention' })['reason'],
  error: AppError | null,
): OutcomeDecision {
  return { kind: 'attention', reason, error };
}

function objectMark(object: HeadSeen): string {
  return object.kind === 'present'
    ? `${object.etag ?? ''} ${object.lastModified ?? ''} ${object.versionId ?? ''}`
    : object.kind;
}
