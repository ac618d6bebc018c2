import { describe, expect, test } from 'vitest';
import { failure } from '../../../../shared/errors.ts';
import {
  decideOutcome,
  noWatch,
  pollMissingMs,
  quietMs,
  type HeadSeen,
  type Intent,
  type Observation,
  type OutcomeDecision,
  type Sent,
  type Watch,
} from '../../../../electron/core/uploads/verify-outcome.ts';

const E = '"11111111111111111111111111111111-3"';
const other = '"22222222222222222222222222222222-3"';

function object(etag: string | null, change: Partial<HeadSeen & { kind: 'present' }> = {}): HeadSeen {
  return {
    kind: 'present',
    sizeBytes: 100,
    etag,
    lastModified: '2026-01-02T00:00:00Z',
    versionId: null,
    etagIsNotMd5: false,
    ...change,
  };
}

const absent: HeadSeen = { kind: 'absent' };
const gone: Observation['upload'] = { kind: 'gone' };
const there: Observation['upload'] = { kind: 'there', fingerprint: 'f' };
const unanswered: Sent = { answer: null, doubtAtMs: 0, refusal: null };
const intent: Intent = {
  partCount: 3,
  totalSizeBytes: 100,
  expectedEtag: E,
  partsVerified: true,
  initiatedAt: null,
  before: absent,
  condition: 'free',
};

function look(
  upload: Observation['upload'],
  seen: HeadSeen,
  change: Partial<Intent> = {},
  sent: Sent = unanswered,
): OutcomeDecision {
  return decideOutcome({ ...intent, ...change }, sent, noWatch, { atMs: 1000, upload, object: seen })
    .decision;
}

function changing(atMs: number): Observation['upload'] {
  return { kind: 'there', fingerprint: atMs < 300_000 ? 'a' : 'b' };
}

/** Looks every 10 seconds until it is decided, and says when that was. */
function watchUntilDecided(
  upload: (atMs: number) => Observation['upload'],
  seen: HeadSeen,
  sent: Sent = unanswered,
  change: Partial<Intent> = {},
): { decision: OutcomeDecision; atMs: number } {
  let watch: Watch = noWatch;
  for (let atMs = 0; atMs < 3_600_000; atMs += 10_000) {
    const step = decideOutcome({ ...intent, ...change }, sent, watch, {
      atMs,
      upload: upload(atMs),
      object: seen,
    });
    ({ watch } = step);
    if (step.decision.kind !== 'ask-again') return { decision: step.decision, atMs };
  }
  throw new Error('never decided');
}

describe('1. the upload is still there', () => {
  test('the identical Complete goes again at once if the service said that it failed', () => {
    expect(look(there, absent, {}, { answer: null, doubtAtMs: null, refusal: null })).toEqual({
      kind: 'send-again',
    });
  });
  test('after a break only when nothing has changed for 10 minutes', () => {
    const { decision, atMs } = watchUntilDecided(() => there, absent);
    expect(decision).toEqual({ kind: 'send-again' });
    expect(atMs).toBe(quietMs);
  });
  const failed = { answer: null, doubtAtMs: null, refusal: null } as const;
  test('not over an object that came meanwhile: what may be replaced is looked at anew', () => {
    expect(look(there, object(other), {}, failed)).toEqual({ kind: 'prepare-again', withConditions: true });
    const before = object(other);
    expect(look(there, object(other), { before }, failed)).toEqual({ kind: 'send-again' });
    expect(look(there, absent, { before }, failed)).toMatchObject({ kind: 'prepare-again' });
    // Its own bytes are no other object (ceph: a failed Complete may have written them).
    expect(look(there, object(E), {}, failed)).toEqual({ kind: 'send-again' });
  });
  test('a Complete that was refused since the key is taken does not go again as it was', () => {
    const taken = { ...failed, refusal: 'taken' } as const;
    expect(look(there, object(other), {}, taken)).toEqual({ kind: 'prepare-again', withConditions: true });
    expect(look(there, absent, {}, taken)).toEqual({ kind: 'prepare-again', withConditions: false });
    expect(look(there, object(E), {}, taken)).toEqual({ kind: 'done', outcome: 'completed' });
    const hidden: HeadSeen = {
      kind: 'unreadable',
      error: failure('access-denied', 'x', { retry: 'after-fix' }).error,
    };
    expect(look(there, hidden, { before: hidden }, taken)).toMatchObject({ reason: 'target-changed' });
    // An earlier one may still be carried out.
    const doubtful = { ...taken, doubtAtMs: 0 };
    expect(look(there, object(other), {}, doubtful).kind).toBe('ask-again');
    expect(watchUntilDecided(() => there, object(other), doubtful)).toEqual({
      decision: { kind: 'prepare-again', withConditions: true },
      atMs: quietMs,
    });
  });
  test('a condition that is not known is left out', () => {
    const refused = { ...failed, refusal: 'condition' } as const;
    expect(look(there, absent, {}, refused)).toEqual({ kind: 'prepare-again', withConditions: false });
  });
  test('a change begins the 10 minutes anew', () => {
    expect(watchUntilDecided(changing, absent).atMs).toBe(quietMs + 300_000);
  });
  test('an object that changes at the key begins them anew too', () => {
    let watch: Watch = noWatch;
    for (const [atMs, seen] of [
      [0, absent],
      [590_000, object(other)],
      [610_000, object(other)],
    ] as const) {
      const step = decideOutcome(intent, unanswered, watch, { atMs, upload: there, object: seen });
      ({ watch } = step);
      expect(step.decision.kind).toBe('ask-again');
    }
  });
  test('the waits grow', () => {
    let watch: Watch = noWatch;
    const delays: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      const step = decideOutcome(intent, unanswered, watch, { atMs: index, upload: there, object: absent });
      ({ watch } = step);
      if (step.decision.kind === 'ask-again') delays.push(step.decision.delayMs);
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });
  test('an answer that is neither is asked again, then needs attention', () => {
    const { error } = failure('server', 'x', {
      retry: 'backoff',
      s3: { status: 500, code: 'E', message: null, requestId: null },
    });
    const { decision } = watchUntilDecided(() => ({ kind: 'unclear', error }), absent);
    expect(decision).toMatchObject({ kind: 'attention', reason: 'outcome-unclear' });
  });
  test('a network that is away is waited out', () => {
    const { error } = failure('network', 'x', { retry: 'backoff' });
    expect(() => watchUntilDecided(() => ({ kind: 'unclear', error }), absent)).toThrow(/never decided/);
  });
  test('500 for an upload that is gone (Ceph): the object proves itself', () => {
    const { error } = failure('server', 'x', { retry: 'backoff' });
    const { decision } = watchUntilDecided(() => ({ kind: 'unclear', error }), object(E));
    expect(decision).toEqual({ kind: 'done', outcome: 'completed' });
  });
});

describe('2. the upload is gone and the object is E', () => {
  test('completed, where it was absent or different before', () => {
    expect(look(gone, object(E))).toEqual({ kind: 'done', outcome: 'completed' });
    expect(look(gone, object(E), { before: object(other) })).toEqual({ kind: 'done', outcome: 'completed' });
  });
  test('it was E already: the wanted bytes, by an upload that is not known', () => {
    expect(look(gone, object(E), { before: object(E) })).toEqual({ kind: 'done', outcome: 'wanted-bytes' });
  });
  test('the right ETag with another size is another object', () => {
    expect(look(gone, object(E, { sizeBytes: 99 }))).toMatchObject({ reason: 'overwritten' });
  });
  test('LastModified need not be later: AWS reports the time of initiation', () => {
    const early = object(E, { lastModified: '1999-01-01T00:00:00Z' });
    expect(look(gone, early)).toEqual({ kind: 'done', outcome: 'completed' });
  });
});

describe('3. the upload is gone and the object is not E', () => {
  test('404: polled for some minutes, then lost: never success', () => {
    const { decision, atMs } = watchUntilDecided(() => gone, absent);
    expect(decision).toMatchObject({ kind: 'attention', reason: 'lost' });
    expect(atMs).toBe(pollMissingMs);
  });
  test('the object from before is still there: lost, not overwritten', () => {
    const { decision } = watchUntilDecided(() => gone, object(other), unanswered, { before: object(other) });
    expect(decision).toMatchObject({ kind: 'attention', reason: 'lost' });
  });
  test('another ETag, named by the Complete’s own answer: completed', () => {
    const answered: Sent = { answer: { etag: other }, doubtAtMs: null, refusal: null };
    expect(look(gone, object(other), {}, answered)).toEqual({ kind: 'done', outcome: 'completed' });
  });
  test('another ETag after verified parts: overwritten', () => {
    expect(look(gone, object(other))).toMatchObject({ kind: 'attention', reason: 'overwritten' });
    const empty: Sent = { answer: { etag: '' }, doubtAtMs: null, refusal: null };
    expect(look(gone, object(other), {}, empty)).toMatchObject({ kind: 'attention', reason: 'overwritten' });
  });
  test('another ETag, parts never verified: size and change decide (rule 4)', () => {
    expect(look(gone, object(other), { partsVerified: false })).toEqual({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
  test('another ETag, encrypted with KMS or a customer’s key: rule 4', () => {
    expect(look(gone, object(other, { etagIsNotMd5: true }))).toEqual({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
});

describe('4. E cannot be computed', () => {
  test('the size and a change give: probably completed', () => {
    expect(look(gone, object('"x"'), { expectedEtag: null })).toEqual({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
  test('another size: overwritten', () => {
    expect(look(gone, object('"x"', { sizeBytes: 5 }), { expectedEtag: null })).toMatchObject({
      reason: 'overwritten',
    });
  });
  test('no change: lost', () => {
    const same = object('"x"');
    const { decision } = watchUntilDecided(() => gone, same, unanswered, {
      expectedEtag: null,
      before: same,
    });
    expect(decision).toMatchObject({ reason: 'lost' });
  });
});

test('a success whose object may not be read is success, and says that it was not checked', () => {
  const { error } = failure('access-denied', 'x', { retry: 'after-fix' });
  const answered: Sent = { answer: { etag: E }, doubtAtMs: null, refusal: null };
  expect(look(gone, { kind: 'unreadable', error }, {}, answered)).toEqual({
    kind: 'done',
    outcome: 'completed-unchecked',
  });
  expect(look(gone, { kind: 'unreadable', error })).toMatchObject({ reason: 'outcome-unclear' });
});
