import { retryPolicies } from '../../../../../electron/core/flow/retry-policies.ts';
import { describe, expect, test } from 'vitest';
import { failure } from '../../../../../shared/errors.ts';
import {
  decideOutcome,
  nothingSent,
  noWatch,
  pollMissingMs,
  quietMs,
  wantsReadBack,
  type Observation,
  type OutcomeDecision,
  type Watch,
} from '../../../../../electron/core/multipart/outcome/verify-outcome.ts';
import type { HeadSeen, Intent, Sent } from '../../../../../electron/core/multipart/outcome/outcome.ts';

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
const unanswered: Sent = { ...nothingSent, doubtAtMs: 0 };
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
  return decideOutcome({ ...intent, ...change }, sent, noWatch, {
    atMs: 1000,
    upload,
    object: seen,
    readBack: null,
  }).decision;
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
      readBack: null,
    });
    ({ watch } = step);
    if (step.decision.kind !== 'ask-again') return { decision: step.decision, atMs };
  }
  throw new Error('never decided');
}

describe('1. the upload is still there', () => {
  test('the identical Complete goes again at once if the service said that it failed', () => {
    expect(look(there, absent, {}, nothingSent)).toEqual({
      kind: 'send-again',
    });
  });
  test('after a break only when nothing has changed for 10 minutes', () => {
    const { decision, atMs } = watchUntilDecided(() => there, absent);
    expect(decision).toEqual({ kind: 'send-again' });
    expect(atMs).toBe(quietMs);
  });
  const failed = nothingSent;
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
    expect(look(there, object(E), {}, taken)).toMatchObject({ kind: 'done', outcome: 'completed' });
    const hidden: HeadSeen = {
      kind: 'unreadable',
      error: failure('access-denied', 'x', { retry: 'after-fix' }).error,
    };
    expect(look(there, hidden, { before: hidden }, taken)).toMatchObject({ reason: 'target-changed' });
    // An earlier request may still be in flight.
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
      const step = decideOutcome(intent, unanswered, watch, {
        atMs,
        upload: there,
        object: seen,
        readBack: null,
      });
      ({ watch } = step);
      expect(step.decision.kind).toBe('ask-again');
    }
  });
  test('the waits grow', () => {
    let watch: Watch = noWatch;
    const delays: number[] = [];
    for (let index = 0; index < 7; index += 1) {
      const step = decideOutcome(intent, unanswered, watch, {
        atMs: index,
        upload: there,
        object: absent,
        readBack: null,
      });
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
    expect(decision).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
});

describe('2. the upload is gone and the object is E', () => {
  test('completed, where it was absent or different before', () => {
    expect(look(gone, object(E))).toMatchObject({ kind: 'done', outcome: 'completed' });
    expect(look(gone, object(E), { before: object(other) })).toMatchObject({
      kind: 'done',
      outcome: 'completed',
    });
  });
  test('it was E already: the wanted bytes, by an upload that is not known', () => {
    expect(look(gone, object(E), { before: object(E) })).toMatchObject({
      kind: 'done',
      outcome: 'wanted-bytes',
    });
  });
  test('the right ETag with another size is another object', () => {
    expect(look(gone, object(E, { sizeBytes: 99 }))).toMatchObject({ reason: 'overwritten' });
  });
  test('LastModified need not be later: AWS reports the time of initiation', () => {
    const early = object(E, { lastModified: '1999-01-01T00:00:00Z' });
    expect(look(gone, early)).toMatchObject({ kind: 'done', outcome: 'completed' });
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
    const answered: Sent = { ...nothingSent, answer: { etag: other } };
    expect(look(gone, object(other), {}, answered)).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
  test('another ETag after verified parts: overwritten', () => {
    expect(look(gone, object(other))).toMatchObject({ kind: 'attention', reason: 'overwritten' });
    const empty: Sent = { ...nothingSent, answer: { etag: '' } };
    expect(look(gone, object(other), {}, empty)).toMatchObject({ kind: 'attention', reason: 'overwritten' });
  });
  test('another ETag, parts never verified: size and change decide (rule 4)', () => {
    expect(look(gone, object(other), { partsVerified: false })).toMatchObject({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
  test('another ETag, encrypted with KMS or a customer’s key: rule 4', () => {
    expect(look(gone, object(other, { etagIsNotMd5: true }))).toMatchObject({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
});

describe('4. E cannot be computed', () => {
  test('the size and a change give: probably completed', () => {
    expect(look(gone, object('"x"'), { expectedEtag: null })).toMatchObject({
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
  const answered: Sent = { ...nothingSent, answer: { etag: E } };
  expect(look(gone, { kind: 'unreadable', error }, {}, answered)).toMatchObject({
    kind: 'done',
    outcome: 'completed-unchecked',
  });
  expect(look(gone, { kind: 'unreadable', error })).toMatchObject({ reason: 'outcome-unclear' });
});

test('a success whose object cannot be read for now is no success yet, however often it is asked', () => {
  const { error } = failure('protocol', 'x', { retry: 'after-fix', reason: 'html' });
  const answered: Sent = { ...nothingSent, answer: { etag: E } };
  const { decision } = watchUntilDecided(() => gone, { kind: 'unreadable', error }, answered);
  expect(decision).toMatchObject({ kind: 'attention', reason: 'outcome-unclear' });
});

describe('the parts are listed after a Complete too (OpenStack Swift)', () => {
  test('HEAD proves the object: nothing is waited for', () => {
    expect(look(there, object(E))).toMatchObject({ kind: 'done', outcome: 'completed' });
    expect(look(there, object(E), { before: object(other) })).toMatchObject({ outcome: 'completed' });
  });
  test('the same content over itself is proved by the change of its time', () => {
    const before = object(E, { lastModified: '2026-01-01T00:00:00Z' });
    expect(look(there, object(E), { before })).toMatchObject({ kind: 'done', outcome: 'wanted-bytes' });
    expect(look(there, object(E), { before: object(E) })).toMatchObject({ kind: 'ask-again' });
  });
  test('without an expected ETag the size and a change prove it, unless the ETag counts other parts', () => {
    const unknown = { expectedEtag: null };
    expect(look(there, object('"x"'), unknown)).toMatchObject({ outcome: 'probably-completed' });
    expect(look(there, object('"x-3"'), unknown)).toMatchObject({ outcome: 'probably-completed' });
    expect(look(there, object('"x-4"'), unknown).kind).toBe('ask-again');
    expect(look(there, object('"x"', { sizeBytes: 99 }), unknown).kind).toBe('ask-again');
    expect(look(there, object('"x"'), { ...unknown, before: object('"x"') }).kind).toBe('ask-again');
  });
  test('another object proves nothing', () => {
    expect(look(there, object(other)).kind).toBe('ask-again');
  });
  test('a wait says what it is for and when it ends', () => {
    expect(look(there, absent)).toMatchObject({ waiting: { kind: 'assembling', untilMs: 1000 + quietMs } });
    expect(look(gone, absent)).toMatchObject({
      waiting: { kind: 'appearing', untilMs: 1000 + pollMissingMs },
    });
  });
});

describe('a Complete that says success and makes nothing', () => {
  const answered: Sent = { ...nothingSent, answer: { etag: E } };

  test('with the parts still there it goes again after ten minutes without a change', () => {
    const { decision, atMs } = watchUntilDecided(() => there, absent, answered);
    expect(decision).toEqual({ kind: 'send-again' });
    expect(atMs).toBe(quietMs);
    const before = object(other);
    expect(watchUntilDecided(() => there, before, answered, { before }).decision.kind).toBe('send-again');
  });
  test('with the upload gone it is lost', () => {
    expect(watchUntilDecided(() => gone, absent, answered).decision).toMatchObject({ reason: 'lost' });
  });
  test('each time anew it ends with the user', () => {
    const idle = { ...answered, idleAnswers: retryPolicies.outcome.maxIdleAnswers - 1 };
    expect(watchUntilDecided(() => there, absent, idle).decision).toMatchObject({
      reason: 'not-carried-out',
    });
  });
  test('an object that appears meanwhile is proved', () => {
    expect(look(there, object(E), {}, answered)).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
});

describe('"no such upload" to a Complete of an upload whose parts are listed', () => {
  test('goes again, and after so many times ends with the user', () => {
    const some = { ...nothingSent, goneAnswers: 2 };
    expect(look(there, absent, {}, some)).toEqual({ kind: 'send-again' });
    expect(
      look(there, absent, {}, { ...some, goneAnswers: retryPolicies.outcome.maxGoneAnswers }),
    ).toMatchObject({
      kind: 'attention',
      reason: 'upload-contradicted',
    });
  });
  test('is a success where HEAD proves the object', () => {
    expect(look(there, object(E), {}, { ...nothingSent, goneAnswers: 1 })).toMatchObject({
      kind: 'done',
      outcome: 'completed',
    });
  });
});

const wantsByte = (head: HeadSeen, change: Partial<Intent> = {}): boolean =>
  wantsReadBack({ ...intent, ...change }, unanswered, noWatch, {
    atMs: 0,
    upload: gone,
    object: head,
    readBack: null,
  });
const read = (readBack: Observation['readBack'], watch: Watch = noWatch) =>
  decideOutcome(intent, unanswered, watch, { atMs: 1000, upload: gone, object: object(E), readBack });

describe('the last byte', () => {
  const { error } = failure('conflict', 'x', { reason: 'busy' });

  test('is asked for once HEAD has proved the object, and not of an empty one', () => {
    expect(wantsByte(object(E))).toBe(true);
    expect(wantsByte(object(other))).toBe(false);
    expect(wantsByte(absent)).toBe(false);
    expect(wantsByte(object(E, { sizeBytes: 0 }), { totalSizeBytes: 0 })).toBe(false);
  });
  test('came: completed', () => {
    expect(read({ kind: 'read' }).decision).toMatchObject({ outcome: 'completed', isUnread: false });
  });
  test('may not be read: completed, and said to be unread', () => {
    expect(read({ kind: 'forbidden', error }).decision).toMatchObject({
      outcome: 'completed',
      isUnread: true,
    });
  });
  test('cannot be read: asked again, then it needs attention, and never is a success', () => {
    let watch = noWatch;
    for (let asks = 1; asks < retryPolicies.outcome.maxUnreadAsks; asks += 1) {
      const step = read({ kind: 'failed', error }, watch);
      expect(step.decision).toMatchObject({ kind: 'ask-again', waiting: { kind: 'reading' } });
      ({ watch } = step);
    }
    expect(read({ kind: 'failed', error }, watch).decision).toMatchObject({
      kind: 'attention',
      reason: 'object-unreadable',
    });
  });
});
