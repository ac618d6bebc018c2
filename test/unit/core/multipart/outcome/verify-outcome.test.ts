import { retryPolicies } from '../../../../../electron/core/flow/retry-policies.ts';
import { describe, expect, test } from 'vitest';
import { failure } from '../../../../../shared/errors.ts';
import {
  decideOutcome,
  nothingSent,
  noWatch,
  pollMissingMs,
  quietMs,
  needsReadBack,
  type Observation,
  type OutcomeDecision,
} from '../../../../../electron/core/multipart/outcome/verify-outcome.ts';
import type {
  HeadResult,
  Intent,
  Sent,
  Watch,
} from '../../../../../electron/core/multipart/outcome/outcome.ts';

const E = '"11111111111111111111111111111111-3"';
const other = '"22222222222222222222222222222222-3"';

function object(etag: string | null, change: Partial<HeadResult & { kind: 'present' }> = {}): HeadResult {
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

const absent: HeadResult = { kind: 'absent' };
const gone: Observation['upload'] = { kind: 'gone' };
const there: Observation['upload'] = { kind: 'there', fingerprint: 'f' };
const unanswered: Sent = { ...nothingSent, doubtAtMs: 0 };
const intent: Intent = {
  partCount: 3,
  totalSizeBytes: 100,
  expectedEtag: E,
  partsVerified: true,
  checksums: {},
  sendsChecksums: false,
  initiatedAt: null,
  before: absent,
  condition: 'free',
};

function look(
  upload: Observation['upload'],
  seen: HeadResult,
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

/** Checks every 10 seconds until there is a decision. Returns the decision and its time. */
function watchUntilDecided(
  upload: (atMs: number) => Observation['upload'],
  seen: HeadResult,
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

describe('outcome rule 1, the upload still exists:', () => {
  test('the identical CompleteMultipartUpload is resent at once if the service reported a failure', () => {
    expect(look(there, absent, {}, nothingSent)).toEqual({ kind: 'send-again' });
  });
  test('after a broken connection CompleteMultipartUpload is resent only after 10 minutes without a change', () => {
    const { decision, atMs } = watchUntilDecided(() => there, absent);
    expect(decision).toEqual({ kind: 'send-again' });
    expect(atMs).toBe(quietMs);
  });
  const failed = nothingSent;
  test('an object that appeared meanwhile is checked for overwriting before CompleteMultipartUpload is resent', () => {
    expect(look(there, object(other), {}, failed)).toEqual({ kind: 'prepare-again', without: null });
    const before = object(other);
    expect(look(there, object(other), { before }, failed)).toEqual({ kind: 'send-again' });
    expect(look(there, absent, { before }, failed)).toMatchObject({ kind: 'prepare-again' });
    // On Ceph, a failed CompleteMultipartUpload may have written the expected bytes, so they do not count as another client's
    // object.
    expect(look(there, object(E), {}, failed)).toEqual({ kind: 'send-again' });
  });
  test('a CompleteMultipartUpload refused because the key is taken is prepared again, not resent', () => {
    const conflict = { ...failed, refusal: 'taken' } as const;
    expect(look(there, object(other), {}, conflict)).toEqual({ kind: 'prepare-again', without: null });
    expect(look(there, absent, {}, conflict)).toEqual({ kind: 'prepare-again', without: 'condition' });
    expect(look(there, object(E), {}, conflict)).toMatchObject({ kind: 'done', outcome: 'completed' });
    const hidden: HeadResult = {
      kind: 'unreadable',
      error: failure('access-denied', 'x', { retry: 'after-fix' }).error,
    };
    expect(look(there, hidden, { before: hidden }, conflict)).toMatchObject({ reason: 'target-changed' });
    // An earlier request may still be in flight.
    const doubtful = { ...conflict, doubtAtMs: 0 };
    expect(look(there, object(other), {}, doubtful).kind).toBe('ask-again');
    expect(watchUntilDecided(() => there, object(other), doubtful)).toEqual({
      decision: { kind: 'prepare-again', without: null },
      atMs: quietMs,
    });
  });
  test('a condition that the service does not support is left out', () => {
    const refused = { ...failed, refusal: 'condition' } as const;
    expect(look(there, absent, {}, refused)).toEqual({ kind: 'prepare-again', without: 'condition' });
  });
  test('a change of the upload restarts the 10 minutes', () => {
    expect(watchUntilDecided(changing, absent).atMs).toBe(quietMs + 300_000);
  });
  test('an object changing at the key restarts the 10 minutes', () => {
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
  test('the intervals between checks grow to 30 seconds', () => {
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
  test('an unclear response is asked again and then needs attention', () => {
    const { error } = failure('server', 'x', {
      retry: 'backoff',
      s3: { status: 500, code: 'E', message: null, requestId: null },
    });
    const { decision } = watchUntilDecided(() => ({ kind: 'unclear', error }), absent);
    expect(decision).toMatchObject({ kind: 'attention', reason: 'outcome-unclear' });
  });
  test('a lost network is waited out', () => {
    const { error } = failure('network', 'x', { retry: 'backoff' });
    expect(() => watchUntilDecided(() => ({ kind: 'unclear', error }), absent)).toThrow(/never decided/);
  });
  test('a 500 for a gone upload, as from Ceph, is decided by the object', () => {
    const { error } = failure('server', 'x', { retry: 'backoff' });
    const { decision } = watchUntilDecided(() => ({ kind: 'unclear', error }), object(E));
    expect(decision).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
});

describe('outcome rule 2, the upload is gone and the object has the expected ETag:', () => {
  test('it is completed if the object was absent or different before', () => {
    expect(look(gone, object(E))).toMatchObject({ kind: 'done', outcome: 'completed' });
    expect(look(gone, object(E), { before: object(other) })).toMatchObject({
      kind: 'done',
      outcome: 'completed',
    });
  });
  test('it has the wanted bytes if the ETag was the expected one before', () => {
    expect(look(gone, object(E), { before: object(E) })).toMatchObject({
      kind: 'done',
      outcome: 'wanted-bytes',
    });
  });
  test('an object of another size counts as overwritten', () => {
    expect(look(gone, object(E, { sizeBytes: 99 }))).toMatchObject({ reason: 'overwritten' });
  });
  test('LastModified may be earlier, since AWS reports the time of initiation', () => {
    const early = object(E, { lastModified: '1999-01-01T00:00:00Z' });
    expect(look(gone, early)).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
});

describe('outcome rule 3, the upload is gone and the object does not have the expected ETag:', () => {
  test('a 404 is polled for some minutes, then the upload is lost, never completed', () => {
    const { decision, atMs } = watchUntilDecided(() => gone, absent);
    expect(decision).toMatchObject({ kind: 'attention', reason: 'lost' });
    expect(atMs).toBe(pollMissingMs);
  });
  test('an unchanged previous object means that the upload is lost, not overwritten', () => {
    const { decision } = watchUntilDecided(() => gone, object(other), unanswered, { before: object(other) });
    expect(decision).toMatchObject({ kind: 'attention', reason: 'lost' });
  });
  test.each([`W/${other}`, null])(
    'a previous object whose ETag a proxy made weak or removed is unchanged (%s)',
    (etag) => {
      const before = object(etag);
      const { decision } = watchUntilDecided(() => gone, object(other), unanswered, { before });
      expect(decision).toMatchObject({ kind: 'attention', reason: 'lost' });
    },
  );
  test('an ETag that CompleteMultipartUpload itself returned means completed', () => {
    const answered: Sent = { ...nothingSent, answer: { etag: other, isProved: false } };
    expect(look(gone, object(other), {}, answered)).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
  test('another ETag after verified parts means overwritten', () => {
    expect(look(gone, object(other))).toMatchObject({ kind: 'attention', reason: 'overwritten' });
    const empty: Sent = { ...nothingSent, answer: { etag: '', isProved: false } };
    expect(look(gone, object(other), {}, empty)).toMatchObject({ kind: 'attention', reason: 'overwritten' });
  });
  test('another ETag with unverified parts is decided by size and change (rule 4)', () => {
    expect(look(gone, object(other), { partsVerified: false })).toMatchObject({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
  test('another ETag of a KMS or customer key object is decided by size and change (rule 4)', () => {
    expect(look(gone, object(other, { etagIsNotMd5: true }))).toMatchObject({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
});

describe('outcome rule 4, the expected ETag is unknown:', () => {
  test('the right size and a change mean probably completed', () => {
    expect(look(gone, object('"x"'), { expectedEtag: null })).toMatchObject({
      kind: 'done',
      outcome: 'probably-completed',
    });
  });
  test('another size means overwritten', () => {
    expect(look(gone, object('"x"', { sizeBytes: 5 }), { expectedEtag: null })).toMatchObject({
      reason: 'overwritten',
    });
  });
  test('no change means lost', () => {
    const same = object('"x"');
    const { decision } = watchUntilDecided(() => gone, same, unanswered, {
      expectedEtag: null,
      before: same,
    });
    expect(decision).toMatchObject({ reason: 'lost' });
  });
});

test('a successful CompleteMultipartUpload whose object may not be read is completed but unchecked', () => {
  const { error } = failure('access-denied', 'x', { retry: 'after-fix' });
  const answered: Sent = { ...nothingSent, answer: { etag: E, isProved: false } };
  expect(look(gone, { kind: 'unreadable', error }, {}, answered)).toMatchObject({
    kind: 'done',
    outcome: 'completed-unchecked',
  });
  expect(look(gone, { kind: 'unreadable', error })).toMatchObject({ reason: 'outcome-unclear' });
});

test('a successful CompleteMultipartUpload whose object cannot be read for now is never completed, only unclear', () => {
  const { error } = failure('protocol', 'x', { retry: 'after-fix', reason: 'html' });
  const answered: Sent = { ...nothingSent, answer: { etag: E, isProved: false } };
  const { decision } = watchUntilDecided(() => gone, { kind: 'unreadable', error }, answered);
  expect(decision).toMatchObject({ kind: 'attention', reason: 'outcome-unclear' });
});

describe('if parts are still listed after CompleteMultipartUpload, as on OpenStack Swift,', () => {
  test('HEAD with the expected ETag proves the object without waiting', () => {
    expect(look(there, object(E))).toMatchObject({ kind: 'done', outcome: 'completed' });
    expect(look(there, object(E), { before: object(other) })).toMatchObject({ outcome: 'completed' });
  });
  test('uploading the same content again is proved by a new LastModified', () => {
    const before = object(E, { lastModified: '2026-01-01T00:00:00Z' });
    expect(look(there, object(E), { before })).toMatchObject({ kind: 'done', outcome: 'wanted-bytes' });
    expect(look(there, object(E), { before: object(E) })).toMatchObject({ kind: 'ask-again' });
  });
  test('size and change prove an object without expected ETag, unless the ETag names another part count', () => {
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
  test('the state names what is awaited and until when', () => {
    expect(look(there, absent)).toMatchObject({ waiting: { kind: 'assembling', untilMs: 1000 + quietMs } });
    expect(look(gone, absent)).toMatchObject({
      waiting: { kind: 'appearing', untilMs: 1000 + pollMissingMs },
    });
  });
});

describe('a CompleteMultipartUpload that reports success but creates nothing', () => {
  const answered: Sent = { ...nothingSent, answer: { etag: E, isProved: false } };

  test('is resent after ten minutes without a change if the parts are still there', () => {
    const { decision, atMs } = watchUntilDecided(() => there, absent, answered);
    expect(decision).toEqual({ kind: 'send-again' });
    expect(atMs).toBe(quietMs);
    const before = object(other);
    expect(watchUntilDecided(() => there, before, answered, { before }).decision.kind).toBe('send-again');
  });
  test('is lost if the upload is gone', () => {
    expect(watchUntilDecided(() => gone, absent, answered).decision).toMatchObject({ reason: 'lost' });
  });
  test('needs attention after the maximum number of repeats', () => {
    const idle = { ...answered, idleAnswers: retryPolicies.outcome.maxIdleAnswers - 1 };
    expect(watchUntilDecided(() => there, absent, idle).decision).toMatchObject({
      reason: 'not-carried-out',
    });
  });
  test('is completed if the object appears meanwhile', () => {
    expect(look(there, object(E), {}, answered)).toMatchObject({ kind: 'done', outcome: 'completed' });
  });
});

describe('a CompleteMultipartUpload refused with NoSuchUpload although parts are listed', () => {
  test('is resent, and needs attention after the maximum number of repeats', () => {
    const some = { ...nothingSent, goneAnswers: 2 };
    expect(look(there, absent, {}, some)).toEqual({ kind: 'send-again' });
    expect(
      look(there, absent, {}, { ...some, goneAnswers: retryPolicies.outcome.maxGoneAnswers }),
    ).toMatchObject({ kind: 'attention', reason: 'upload-contradicted' });
  });
  test('is completed if HEAD proves the object', () => {
    expect(look(there, object(E), {}, { ...nothingSent, goneAnswers: 1 })).toMatchObject({
      kind: 'done',
      outcome: 'completed',
    });
  });
});

const wantsByte = (head: HeadResult, change: Partial<Intent> = {}): boolean =>
  needsReadBack({ ...intent, ...change }, unanswered, noWatch, {
    atMs: 0,
    upload: gone,
    object: head,
    readBack: null,
  });
const read = (readBack: Observation['readBack'], watch: Watch = noWatch) =>
  decideOutcome(intent, unanswered, watch, { atMs: 1000, upload: gone, object: object(E), readBack });

describe('the last byte of a completed object', () => {
  const { error } = failure('conflict', 'x', { reason: 'busy' });

  test('is requested once HEAD has proved the object, unless it is empty', () => {
    expect(wantsByte(object(E))).toBe(true);
    expect(wantsByte(object(other))).toBe(false);
    expect(wantsByte(absent)).toBe(false);
    expect(wantsByte(object(E, { sizeBytes: 0 }), { totalSizeBytes: 0 })).toBe(false);
  });
  test('marks the upload completed when it is read', () => {
    expect(read({ kind: 'read' }).decision).toMatchObject({ outcome: 'completed', isUnread: false });
  });
  test('marks the upload completed but unread if reading is forbidden', () => {
    expect(read({ kind: 'forbidden', error }).decision).toMatchObject({
      outcome: 'completed',
      isUnread: true,
    });
  });
  test('is requested again if it cannot be read, and never counts as success', () => {
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
