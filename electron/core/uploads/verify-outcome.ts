import type { AppError } from '../../../shared/errors.ts';
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

/** What was put on disk before the POST. */
export interface Intent {
  readonly partCount: number;
  readonly totalSizeBytes: number;
  readonly expectedEtag: string | null;
  /** Every part was compared with a local file, or sent by this program with its MD5. */
  readonly partsVerified: boolean;
  readonly initiatedAt: string | null;
  readonly before: HeadSeen;
}

/** What is known of the Completes sent so far. */
export interface Sent {
  /** The answer of a Complete that said success; `etag` is null or empty on some servers (Ceph). */
  readonly answer: { readonly etag: string | null } | null;
  /** When a Complete last ended in a break, a time-out or a gateway's word, so that it may still be running. */
  readonly doubtAtMs: number | null;
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
  | {
      readonly kind: 'done';
      readonly outcome: 'completed' | 'completed-unchecked' | 'wanted-bytes' | 'probably-completed';
    }
  | {
      readonly kind: 'attention';
      readonly reason: 'lost' | 'overwritten' | 'outcome-unclear';
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
  if (seen.upload.kind === 'there') return stillThere(sent, asked, seen, seen.upload.fingerprint);
  if (seen.upload.kind === 'gone') return afterUploadGone(intent, sent, asked, seen);
  // Some servers answer 500 for an upload that is gone (ceph#68186): the object may still prove itself.
  const proved = provedByEtag(intent, seen.object);
  if (proved !== null && asked.unclearAsks >= 3) return { watch: asked, decision: done(proved) };
  return unclear(asked, seen.upload.error);
}

/** Step 1. */
function stillThere(
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
  if (sent.doubtAtMs === null) return { watch: next, decision: { kind: 'send-again' } };
  const quietSinceMs = Math.max(sinceMs, Math.min(sent.doubtAtMs, seen.atMs));
  if (seen.atMs - quietSinceMs >= quietMs) return { watch: next, decision: { kind: 'send-again' } };
  return { watch: next, decision: askAgain(next) };
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

function changeOf(
  before: HeadSeen,
  now: HeadSeen & { readonly kind: 'present' },
): 'changed' | 'unchanged' | 'unknown' {
  if (before.kind === 'absent') return 'changed';
  if (before.kind === 'unreadable') return 'unknown';
  const same =
    before.etag === now.etag &&
    before.sizeBytes === now.sizeBytes &&
    before.lastModified === now.lastModified &&
    before.versionId === now.versionId;
  return same ? 'unchanged' : 'changed';
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
