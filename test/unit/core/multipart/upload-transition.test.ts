import { retryPolicies } from '../../../../electron/core/flow/retry-policies.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../shared/error-schema.ts';
import { failure, type AppError } from '../../../../shared/errors.ts';
import { isFinal, isInFlight, type EngineEvent } from '../../../../electron/core/jobs/job.ts';
import { completeJob, resumeJob } from '../../../../electron/core/multipart/new-jobs.ts';
import {
  maxRounds,
  uploadTransition,
  type UploadEffect,
  type UploadEvent,
} from '../../../../electron/core/multipart/upload-transition.ts';
import { uploadJobSchema, type UploadJob } from '../../../../electron/core/multipart/upload-job.ts';
import {
  isAgreed,
  conditions,
  type HeadResult,
  type Intent,
} from '../../../../electron/core/multipart/outcome/outcome.ts';
import { quietMs } from '../../../../electron/core/multipart/outcome/verify-outcome.ts';

const ref = { connectionId: 'c', bucket: 'b', key: 'k', uploadId: 'u' };
const seed = { id: 'j', nowMs: 0, ref, quietUntilMs: 0 };
const file = { path: '/f', name: 'f', sizeBytes: 10, mtimeNs: '1', inode: '1' };
const asItIs = completeJob({ fingerprint: 'f', acceptGaps: false }, seed);
const fromFile = resumeJob(
  { file, slots: [], etagsAreNotMd5: false, initiatedAt: null, standing: null },
  { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false },
  seed,
).job;
const toAbort: UploadJob = { ...asItIs, kind: 'abort' };

const intent: Intent = {
  partCount: 1,
  totalSizeBytes: 10,
  expectedEtag: 'e-1',
  partsVerified: true,
  checksums: {},
  sendsChecksums: false,
  initiatedAt: null,
  before: { kind: 'absent' },
  condition: 'free',
};
const prepared: UploadEvent = { kind: 'prepared', intent, parts: [{ partNumber: 1, etag: 'x' }] };
const now = (nowMs = 1000) => ({ nowMs, fraction: 0.5 });

function through(
  job: UploadJob,
  ...events: (UploadEvent | EngineEvent)[]
): { job: UploadJob; effects: string[] } {
  let current = job;
  const effects: string[] = [];
  for (const event of events) {
    const step = uploadTransition(current, event, now());
    effects.push(...step.effects.map((effect) => effect.kind));
    current = step.job;
  }
  return { job: current, effects };
}

function failed(error: AppError): EngineEvent {
  return { kind: 'failed', error };
}

const s3 = (status: number, code: string | null) => ({ status, code, message: null, requestId: null });
const broken = failure('network', 'reset', { retry: 'backoff', outcome: 'unknown' }).error;
const serviceFailed = failure('server', 'x', {
  retry: 'backoff',
  outcome: 'unknown',
  s3: s3(500, 'InternalError'),
}).error;
const gateway = failure('server', 'x', { retry: 'backoff', outcome: 'unknown', s3: s3(504, null) }).error;
const rejected = failure('parts-rejected', 'x', { retry: 'after-fix', s3: s3(400, 'InvalidPart') }).error;
const badDigest = failure('damaged', 'x', {
  retry: 'backoff',
  reason: 'content-damaged',
  s3: s3(400, 'BadDigest'),
}).error;
const gone = failure('upload-gone', 'x', { s3: s3(404, 'NoSuchUpload') }).error;
const expired = failure('auth-expired', 'x', { retry: 'after-fix' }).error;

const stillThere = (object: HeadResult): UploadEvent => ({
  kind: 'observed',
  observation: { atMs: 1000, upload: { kind: 'there', fingerprint: 'f' }, object, readBack: null },
});

const observedAt = (atMs: number, object: HeadResult): UploadEvent => ({
  kind: 'observed',
  observation: { atMs, upload: { kind: 'there', fingerprint: 'f' }, object, readBack: null },
});

describe('completing an upload', () => {
  const completing = through(asItIs, { kind: 'started' }, prepared);

  test('persists the intent and the attempt before sending CompleteMultipartUpload', () => {
    expect(completing.effects).toEqual(['prepare-completion', 'complete']);
    expect(completing.job).toMatchObject({
      state: 'completing',
      completion: { attempts: 1, inFlight: true, intent },
    });
  });

  test('checks the object after a successful CompleteMultipartUpload', () => {
    const after = through(completing.job, { kind: 'complete-answered', etag: null, isProved: false });
    expect(after.job.state).toBe('verifying-outcome');
    expect(after.effects).toEqual(['observe']);
  });

  test.each([
    ['a broken connection', broken],
    ['504', gateway],
    ['a senseless response', failure('protocol', 'html', { outcome: 'unknown' }).error],
    ['a timeout', failure('timeout', 'x', { retry: 'backoff', outcome: 'unknown' }).error],
  ])('verifies the outcome after %s instead of resending', (_name, error) => {
    const after = through(completing.job, failed(error));
    expect(after.effects).toEqual([]);
    expect(after.job).toMatchObject({ state: 'verifying-outcome', completion: { inFlight: false } });
    expect(after.job.completion?.sent.doubtAtMs).toBe(1000);
  });

  test('verifies the outcome after InternalError, which leaves no doubt', () => {
    const after = through(completing.job, failed(serviceFailed));
    expect(after.job.state).toBe('verifying-outcome');
    expect(after.job.completion?.sent.doubtAtMs).toBeNull();
  });

  test('verifies the outcome after NoSuchUpload, which may mean success', () => {
    const after = through(completing.job, failed(gone));
    expect(after.job.state).toBe('verifying-outcome');
    expect(after.effects).toEqual(['observe']);
  });

  test('compares the parts after BadDigest, repeats the request once, then needs attention', () => {
    const there = stillThere({ kind: 'absent' });
    const doubted: UploadEvent = { kind: 'parts-doubted', partsToSend: 0, partsDone: 1, bytesDone: 10 };
    const once = through(completing.job, failed(badDigest), there);
    expect(once.effects).toEqual(['observe', 'doubt-parts']);
    expect(once.job).toMatchObject({ state: 'verifying-parts', completion: null });
    const again = through(once.job, doubted, prepared);
    expect(again.effects).toEqual(['prepare-completion', 'complete']);
    const twice = through(again.job, failed(badDigest), there, doubted);
    expect(twice.job).toMatchObject({
      state: 'needs-attention',
      reason: 'parts-rejected',
      error: { code: 'damaged', retry: 'after-fix' },
    });
  });

  test('waits after BadDigest while an earlier request without a response may still be applied', () => {
    const absentLater = observedAt(1000 + quietMs, { kind: 'absent' });
    const again = through(completing.job, failed(broken), { kind: 'started' }, absentLater, absentLater);
    const resent = through(
      again.job,
      { kind: 'started' },
      observedAt(1000 + 2 * quietMs, { kind: 'absent' }),
    );
    expect(resent.effects).toContain('complete');
    const after = through(resent.job, failed(badDigest), stillThere({ kind: 'absent' }));
    expect(after.effects).toEqual(['observe']);
    expect(after.job).toMatchObject({ state: 'verifying-outcome', waiting: { kind: 'assembling' } });
  });

  test('lists the parts after InvalidPart and shows those that differ', () => {
    const after = through(completing.job, failed(rejected));
    expect(after.effects).toEqual(['explain-rejection']);
    expect(after.job.completion).toBeNull();
    const explained = through(after.job, {
      kind: 'unable',
      reason: 'parts-rejected',
      error: rejected,
      partNumbers: [3],
    });
    expect(explained.job).toMatchObject({
      state: 'needs-attention',
      reason: 'parts-rejected',
      partNumbers: [3],
    });
  });

  const conflict = failure('conflict', 'x', {
    reason: 'precondition-failed',
    s3: s3(412, 'PreconditionFailed'),
  }).error;
  const unknown = failure('unsupported', 'x', { s3: s3(501, 'NotImplemented') }).error;
  const other: HeadResult = {
    kind: 'present',
    sizeBytes: 7,
    etag: '"other"',
    lastModified: null,
    versionId: null,
    etagIsNotMd5: false,
  };
  test('checks the outcome after 412, then checks the key and prepares again', () => {
    const after = through(completing.job, failed(conflict));
    expect(after.effects).toEqual(['observe']);
    expect(after.job.completion?.sent).toMatchObject({ doubtAtMs: null, refusal: 'taken' });
    const seen = through(after.job, stillThere(other));
    expect(seen.effects).toEqual(['prepare-completion']);
    expect(seen.job).toMatchObject({ state: 'listing-parts', completion: null, withConditions: true });
  });

  test('omits from then on a condition that the service does not implement', () => {
    const after = through(completing.job, failed(unknown), stillThere({ kind: 'absent' }));
    expect(after.effects).toEqual(['observe', 'prepare-completion']);
    expect(after.job).toMatchObject({ completion: null, withConditions: false });
  });

  test('needs attention after 501 to a CompleteMultipartUpload without a condition', () => {
    const plain = through(
      asItIs,
      { kind: 'started' },
      { ...prepared, intent: { ...intent, condition: 'none' } },
    );
    expect(through(plain.job, failed(unknown)).job).toMatchObject({
      state: 'needs-attention',
      reason: 'refused',
    });
  });

  test('needs attention if the key keeps changing', () => {
    let { job } = completing;
    for (let round = 0; round < maxRounds; round += 1) {
      job = through(job, failed(conflict), stillThere(other)).job;
      expect(job.state).toBe('listing-parts');
      job = through(job, prepared).job;
    }
    expect(through(job, failed(conflict), stillThere(other)).job).toMatchObject({
      state: 'needs-attention',
      reason: 'target-changed',
      inTheWay: { kind: 'present', sizeBytes: 7 },
    });
  });

  const agreedToNone: UploadJob = { ...asItIs, agreed: { kind: 'absent' } };
  const overOther: UploadEvent = { ...prepared, intent: { ...intent, before: other, condition: 'as-seen' } };

  test("waits for the user's agreement if another object is at the key, and resumes with it", () => {
    const held = through(agreedToNone, { kind: 'started' }, overOther);
    expect(held.effects).toEqual(['prepare-completion']);
    expect(held.job).toMatchObject({
      state: 'needs-attention',
      reason: 'target-changed',
      completion: null,
      inTheWay: { kind: 'present', etag: '"other"' },
    });
    const agreed = through(held.job, { kind: 'retry-now' }, { kind: 'started' }, overOther);
    expect(agreed.effects).toEqual(['prepare-completion', 'complete']);
    expect(agreed.job).toMatchObject({ inTheWay: null, agreed: { kind: 'present', etag: '"other"' } });
    const newer: UploadEvent = {
      ...prepared,
      intent: { ...intent, before: { ...other, etag: '"newer"' }, condition: 'as-seen' },
    };
    expect(through(held.job, { kind: 'retry-now' }, { kind: 'started' }, newer).job.reason).toBe(
      'target-changed',
    );
  });

  test('asks again after a retry by the user, which agrees to nothing', () => {
    const held: UploadJob = { ...asItIs, state: 'needs-attention', inTheWay: { kind: 'absent' } };
    expect(through(held, { kind: 'retry-now' }).job).toMatchObject({ agreed: null, inTheWay: null });
  });

  test('does not ask about an object identical to the one being uploaded', () => {
    const same: HeadResult = { ...other, sizeBytes: 10, etag: '"e-1"' };
    const event: UploadEvent = { ...prepared, intent: { ...intent, before: same, condition: 'as-seen' } };
    expect(through(agreedToNone, { kind: 'started' }, event).effects).toEqual([
      'prepare-completion',
      'complete',
    ]);
  });

  test('pauses when keys expire and resumes when they are replaced', () => {
    const after = through(completing.job, failed(expired));
    expect(after.job).toMatchObject({ state: 'paused', reason: 'needs-new-keys', completion: null });
    expect(through(after.job, { kind: 'keys-changed' }).job.state).toBe('waiting');
  });

  test('delays a pause until the response and accepts a success', () => {
    const asked = through(completing.job, { kind: 'pause' });
    expect(asked.job).toMatchObject({ state: 'completing', pauseRequested: true });
    expect(asked.effects).toEqual([]);
    expect(through(asked.job, failed(broken)).job.state).toBe('paused');
    expect(through(asked.job, { kind: 'complete-answered', etag: 'e-1', isProved: false }).job.state).toBe(
      'verifying-outcome',
    );
  });

  test('aborts the request on cancel but not the upload', () => {
    const after = through(completing.job, { kind: 'cancel' });
    expect(after.effects).toEqual(['stop']);
    expect(after.job.state).toBe('cancelled');
  });

  test('verifies the outcome after a crash', () => {
    const after = through(completing.job, { kind: 'restarted' }, { kind: 'started' });
    expect(after.job.state).toBe('verifying-outcome');
    expect(after.effects).toEqual(['observe']);
    expect(after.job.completion?.sent.doubtAtMs).not.toBeNull();
  });

  test('waits for the quiet period that an earlier job left before another CompleteMultipartUpload', () => {
    const waiting = { ...asItIs, quietUntilMs: quietMs };
    expect(through(waiting, { kind: 'started' }).job).toMatchObject({
      state: 'retry-scheduled',
      dueMs: quietMs,
    });
  });
});

describe('completing at a service that contradicts itself', () => {
  const completing = through(asItIs, { kind: 'started' }, prepared);

  /** Gives the same response to every CompleteMultipartUpload and check until the job rests. Returns when each was sent. */
  function sentUntilRest(
    reply: UploadEvent | EngineEvent,
    seen: (atMs: number) => UploadEvent,
  ): { readonly job: UploadJob; readonly sentMs: readonly number[] } {
    let nowMs = 0;
    let { job } = completing;
    const sentMs = [0];
    while (job.state === 'completing' || job.state === 'verifying-outcome') {
      const at = { nowMs: Math.max(nowMs, job.dueMs ?? 0), fraction: 0 };
      const event: UploadEvent | EngineEvent =
        job.state === 'completing' ? reply : job.dueMs === null ? seen(at.nowMs) : { kind: 'started' };
      const step = uploadTransition(job, event, at);
      nowMs = at.nowMs;
      ({ job } = step);
      if (step.effects.some((effect) => effect.kind === 'complete')) sentMs.push(nowMs);
    }
    return { job, sentMs };
  }

  test('resends after NoSuchUpload for a listed upload with growing delays, then needs attention', () => {
    const { job, sentMs } = sentUntilRest(failed(gone), (atMs) => observedAt(atMs, { kind: 'absent' }));
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'upload-contradicted' });
    expect(sentMs).toHaveLength(retryPolicies.outcome.maxGoneAnswers);
    const gaps = sentMs.slice(2).map((ms, index) => ms - (sentMs[index + 1] ?? 0));
    expect(gaps).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  });

  test('resends a success without an object every ten minutes, then needs attention', () => {
    const { job, sentMs } = sentUntilRest(
      { kind: 'complete-answered', etag: null, isProved: false },
      (atMs) => observedAt(atMs, { kind: 'absent' }),
    );
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'not-carried-out' });
    expect(sentMs).toHaveLength(retryPolicies.outcome.maxIdleAnswers);
    expect(sentMs.slice(1).every((ms, index) => ms - (sentMs[index] ?? 0) >= quietMs)).toBe(true);
  });

  test('starts counting again when the user retries', () => {
    const { job } = sentUntilRest(failed(gone), (atMs) => observedAt(atMs, { kind: 'absent' }));
    const again = through(job, { kind: 'retry-now' }, { kind: 'started' }, stillThere({ kind: 'absent' }));
    expect(again.effects).toEqual(['observe', 'complete']);
  });

  test('stores what it waits for and clears it at the next step', () => {
    const waiting = through(
      completing.job,
      failed(gateway),
      { kind: 'started' },
      stillThere({ kind: 'absent' }),
    );
    expect(waiting.job).toMatchObject({ waiting: { kind: 'assembling', untilMs: 1000 + quietMs } });
    expect(through(waiting.job, { kind: 'started' }).job.waiting).toBeNull();
  });

  test('resends a part refused with NoSuchUpload while the parts are listed', () => {
    const sending = through(
      fromFile,
      { kind: 'started' },
      { kind: 'parts-listed' },
      { kind: 'parts-verified', partsToSend: 2, partsDone: 1, bytesDone: 5 },
    );
    const explained = through(sending.job, failed(gone), {
      kind: 'gone-explained',
      hasWantedBytes: false,
      isListed: true,
    });
    expect(explained.job).toMatchObject({ state: 'retry-scheduled' });
  });

  test('checks the key again after a dropped CompleteMultipartUpload, which may still be applied', () => {
    const after = through(completing.job, { kind: 'complete-overtaken' });
    expect(after.effects).toEqual(['observe']);
    expect(after.job.completion).toMatchObject({ inFlight: false, sent: { doubtAtMs: 1000, answer: null } });
  });
});

describe('sending the parts of an upload', () => {
  const sending = through(
    fromFile,
    { kind: 'started' },
    { kind: 'parts-listed' },
    { kind: 'parts-verified', partsToSend: 2, partsDone: 1, bytesDone: 5 },
  );

  test('lists, verifies and sends the missing parts', () => {
    expect(sending.effects).toEqual(['list-parts', 'verify-parts', 'send-parts']);
    expect(sending.job.state).toBe('sending-parts');
  });
  test('lists the parts again before CompleteMultipartUpload', () => {
    expect(through(sending.job, { kind: 'parts-sent' }).effects).toEqual(['prepare-completion']);
  });
  test('sends nothing if no part is missing', () => {
    const none = through(
      fromFile,
      { kind: 'started' },
      { kind: 'parts-listed' },
      { kind: 'parts-verified', partsToSend: 0, partsDone: 3, bytesDone: 10 },
    );
    expect(none.effects).toEqual(['list-parts', 'verify-parts', 'prepare-completion']);
  });
  test('honours Retry-After', () => {
    const error = failure('rate-limited', 'x', { retry: 'backoff', retryAfterMs: 90_000 }).error;
    expect(through(sending.job, failed(error)).job).toMatchObject({
      state: 'retry-scheduled',
      dueMs: 91_000,
    });
  });
  test('needs attention if the file changed', () => {
    const error = failure('storage', 'x', { reason: 'file-changed' }).error;
    expect(through(sending.job, failed(error)).job).toMatchObject({
      state: 'needs-attention',
      reason: 'file-changed',
    });
  });
  test('pauses if the disk is full', () => {
    const error = failure('storage', 'x', { reason: 'disk-full' }).error;
    expect(through(sending.job, failed(error)).job).toMatchObject({ state: 'paused', reason: 'disk-full' });
  });
  test('explains an upload that no longer exists', () => {
    const after = through(sending.job, failed(gone));
    expect(after.effects).toEqual(['explain-gone']);
    expect(
      through(after.job, { kind: 'gone-explained', hasWantedBytes: false, isListed: false }).job,
    ).toMatchObject({ state: 'needs-attention', reason: 'upload-gone' });
  });
  test('waits for a lost network without a limit', () => {
    let { job } = sending;
    const error = failure('network', 'x', { retry: 'backoff' }).error;
    for (let round = 0; round < 200; round += 1) {
      job = through(job, failed(error)).job;
      expect(job.state).toBe('retry-scheduled');
      job = through(
        job,
        { kind: 'started' },
        { kind: 'parts-listed' },
        { kind: 'parts-verified', partsToSend: 2, partsDone: 1, bytesDone: 5 },
      ).job;
    }
    expect(job.dueMs).toBeNull();
  });
});

const errorArb: fc.Arbitrary<AppError> = fc.record({
  code: fc.constantFrom(...errorCodes),
  message: fc.constant('x'),
  retry: fc.constantFrom('never', 'backoff', 'after-fix'),
  outcome: fc.constantFrom('not-applied', 'unknown'),
  reason: fc.constantFrom(
    'disk-full',
    'file-changed',
    'no-such-bucket',
    'connection-missing',
    'precondition-failed',
    'other',
  ),
  s3: fc.record({
    status: fc.constantFrom(200, 400, 403, 404, 412, 500, 501, 502, 503, 504),
    code: fc.constantFrom(null, 'InternalError', 'SlowDown'),
    message: fc.constant(null),
    requestId: fc.constant(null),
  }),
});

const headArb = fc.oneof(
  fc.constant({ kind: 'absent' as const }),
  fc.record({
    kind: fc.constant('present' as const),
    sizeBytes: fc.constantFrom(10, 11),
    etag: fc.constantFrom('e-1', 'other'),
    lastModified: fc.constantFrom('a', 'b'),
    versionId: fc.constant(null),
    etagIsNotMd5: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('unreadable' as const), error: errorArb }),
);

const eventArb: fc.Arbitrary<UploadEvent | EngineEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<EngineEvent>({ kind: 'started' }) },
  fc.constantFrom<EngineEvent>(
    { kind: 'restarted' },
    { kind: 'pause' },
    { kind: 'resume' },
    { kind: 'retry-now' },
    { kind: 'keys-changed' },
  ),
  { weight: 1, arbitrary: fc.constant<EngineEvent>({ kind: 'cancel' }) },
  { weight: 4, arbitrary: errorArb.map((error): EngineEvent => ({ kind: 'failed', error })) },
  { weight: 3, arbitrary: fc.constant<UploadEvent>({ kind: 'parts-listed' }) },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 0, max: 2 })
      .map((partsToSend): UploadEvent => ({
        kind: 'parts-verified',
        partsToSend,
        partsDone: 1,
        bytesDone: 1,
      })),
  },
  fc.constantFrom<UploadEvent>({ kind: 'part-sent', partsDone: 2, bytesDone: 2 }, { kind: 'parts-sent' }),
  {
    weight: 4,
    arbitrary: fc
      .tuple(headArb, fc.constantFrom(...conditions))
      .map(([before, condition]): UploadEvent => ({
        kind: 'prepared',
        intent: { ...intent, before, condition },
        parts: [],
      })),
  },
  fc.constant<UploadEvent>({ kind: 'parts-not-as-planned', partNumbers: [1] }),
  fc
    .constantFrom(null, 'e-1', 'z')
    .map((etag): UploadEvent => ({ kind: 'complete-answered', etag, isProved: false })),
  {
    weight: 4,
    arbitrary: fc
      .record({
        atMs: fc.integer({ min: 0, max: 3_000_000 }),
        upload: fc.oneof(
          fc.constant({ kind: 'gone' as const }),
          fc.constant({ kind: 'not-asked' as const }),
          fc.record({ kind: fc.constant('there' as const), fingerprint: fc.constantFrom('f', 'g') }),
          fc.record({ kind: fc.constant('unclear' as const), error: errorArb }),
        ),
        object: headArb,
        readBack: fc.oneof(
          fc.constant(null),
          fc.constant({ kind: 'read' as const }),
          fc.record({ kind: fc.constantFrom('forbidden' as const, 'failed' as const), error: errorArb }),
        ),
      })
      .map((observation): UploadEvent => ({ kind: 'observed', observation })),
  },
  fc
    .tuple(fc.boolean(), fc.boolean())
    .map(([hasWantedBytes, isListed]): UploadEvent => ({ kind: 'gone-explained', hasWantedBytes, isListed })),
  fc.constant<UploadEvent>({ kind: 'complete-overtaken' }),
  fc
    .constantFrom('aborted' as const, 'aborted-unchecked' as const, 'already-gone' as const)
    .map((outcome): UploadEvent => ({ kind: 'upload-aborted', outcome })),
);

/** Plays these events and returns the rules of the queue that a step broke. */
function play(start: UploadJob, events: readonly (readonly [UploadEvent | EngineEvent, number])[]): string[] {
  const wrong: string[] = [];
  let job = start;
  let nowMs = 0;
  let completesInFlight = 0;
  for (const [event, passedMs] of events) {
    nowMs += passedMs;
    const before = job;
    const step = uploadTransition(job, event, { nowMs, fraction: 0.3 });
    ({ job } = step);
    const effects = step.effects.filter((effect): effect is UploadEffect => effect.kind !== 'stop');
    const complain = (text: string): void =>
      void wrong.push(`${text}: ${before.state} + ${event.kind} -> ${job.state}`);
    // CompleteMultipartUpload is no longer in flight once the job leaves `completing` (stopped, answered or failed).
    if (before.state === 'completing' && job.run !== before.run) completesInFlight = 0;
    if (before.state === 'completing' && job.state !== 'completing') completesInFlight = 0;
    for (const effect of effects) {
      if (effect.kind !== 'complete') continue;
      completesInFlight += 1;
      if (completesInFlight > 1) complain('two Completes in flight');
      if (job.completion?.inFlight !== true) complain('a Complete without a stored intent');
      if (job.state !== 'completing') complain('a Complete outside completing');
      if (before.completion !== null && event.kind !== 'observed') complain('a repeat without a look');
      const over = job.completion?.intent;
      if (before.agreed !== null && over !== undefined && !isAgreed(before.agreed, over))
        complain('a Complete over what nobody has agreed to');
    }
    if (effects.some((effect) => effect.kind === 'abort-upload') && start.kind !== 'abort')
      complain('aborted unasked');
    if (isFinal(before.state) && job !== before) complain('a final job moved');
    if (effects.length > 1) complain('two effects at once');
    if (effects.length === 1 && !isInFlight(job)) complain('an effect in a state that does not run');
    if (effects.length === 1 && job.run === before.run) complain('an effect without a new run');
    if (effects.length === 0 && isInFlight(job) && job.state !== before.state)
      complain('a running state without an effect');
    if (before.state === 'completing' && event.kind === 'failed' && event.error.outcome === 'unknown') {
      if (job.completion === null && event.error.code !== 'parts-rejected')
        complain('an unknown outcome was forgotten');
    }
    if (isInFlight(before) && !isInFlight(job) && event.kind === 'cancel' && step.effects[0]?.kind !== 'stop')
      complain('cancelled without a stop');
    if (!uploadJobSchema.safeParse(JSON.parse(JSON.stringify(job))).success)
      complain('a job that cannot be stored');
  }
  return wrong;
}

test.each([
  ['completing as is', asItIs],
  ['completing as is over nothing unseen', { ...asItIs, agreed: { kind: 'absent' } as const }],
  ['resuming from a file', fromFile],
  ['abort', toAbort],
])('any sequence of events of an upload job (%s) keeps the rules of the queue', (_name, start) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(eventArb, fc.constantFrom(0, 1, 1000, 700_000)), { maxLength: 60 }),
      (events) => {
        expect(play(start, events)).toEqual([]);
      },
    ),
    { numRuns: 3000 },
  );
});
