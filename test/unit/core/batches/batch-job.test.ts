import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BatchJob,
  batchJobSchema,
  descriptionOf,
  batchTransition,
  type BatchEvent,
} from '../../../../electron/core/batches/batch-job.ts';
import { retryPolicies } from '../../../../electron/core/flow/retry-policies.ts';
import { isFinal, isInFlight, type EngineEvent } from '../../../../electron/core/jobs/job.ts';
import { failure } from '../../../../shared/errors.ts';
import {
  batchStatuses,
  type ReportedBatchState,
  type BatchStatus,
} from '../../../../shared/models/batches.ts';

const fresh: BatchJob = batchJobSchema.parse({
  id: 'j',
  kind: 'batch',
  state: 'waiting',
  connectionId: 'c',
  lockKey: 'batch j',
  createdMs: 0,
  updatedMs: 0,
  stateSinceMs: 0,
  dueMs: null,
  run: 0,
  failures: 0,
  reason: null,
  outcome: null,
  error: null,
  bucket: 'b',
  operation: { kind: 'tag', tags: [{ key: 'k', value: 'v' }] },
  accountId: '123456789012',
  roleArn: 'arn:aws:iam::123456789012:role/r',
  priority: 10,
  region: 'us-east-1',
  asksFirst: false,
  report: { bucket: 'b', prefix: '', scope: 'AllTasks' },
  manifest: {
    bucket: 'b',
    key: 'm',
    file: { path: '/m', name: 'm', sizeBytes: 1, mtimeNs: '1', inode: '1' },
    md5: '',
    objects: 1,
    stored: null,
  },
  token: 't',
  createSent: false,
  inDoubt: false,
  serviceId: null,
  wanted: 'nothing',
  told: 'nothing',
  seen: null,
  looks: 0,
});

const lost = failure('network', 'reset', { retry: 'backoff', outcome: 'unknown' }).error;
const refused = failure('invalid-argument', 'no', { retry: 'after-fix' }).error;
const failed = (error: typeof lost): EngineEvent => ({ kind: 'failed', error });
const stored: BatchEvent = { kind: 'manifest-stored', etag: 'e', versionId: null };
const created: BatchEvent = { kind: 'created', serviceId: 's' };
const seenAs = (status: BatchStatus, change: Partial<ReportedBatchState> = {}): BatchEvent => ({
  kind: 'seen',
  seen: { status, total: 0, succeeded: 0, failed: 0, failures: [], reason: null, ...change },
});
const start: EngineEvent = { kind: 'started' };

function through(
  job: BatchJob,
  ...events: (BatchEvent | EngineEvent)[]
): { job: BatchJob; effects: string[] } {
  let current = job;
  const effects: string[] = [];
  for (const event of events) {
    const step = batchTransition(current, event, { nowMs: 1000, fraction: 0.5 });
    effects.push(
      ...step.effects.map((effect) =>
        'request' in effect ? `${effect.kind} ${effect.request}` : effect.kind,
      ),
    );
    current = step.job;
  }
  return { job: current, effects };
}

describe('an S3 Batch Operations job', () => {
  test('stores its manifest, sends CreateJob and polls until the job is complete', () => {
    const { job, effects } = through(
      fresh,
      start,
      stored,
      created,
      seenAs('Active'),
      start,
      seenAs('Complete'),
    );
    expect(effects).toEqual(['store-manifest', 'create', 'look', 'look']);
    expect(job).toMatchObject({ state: 'done', outcome: 'batch-complete' });
  });

  test('needs attention and offers no retry when it completes with failed objects', () => {
    const complete = seenAs('Complete', { succeeded: 2, failed: 1 });
    const { job } = through(fresh, start, stored, created, seenAs('Active'), start, complete);
    expect(job).toMatchObject({ state: 'needs-attention', reason: 'batch-items-failed' });
    expect(through(job, { kind: 'retry-now' })).toEqual({ job, effects: [] });
  });

  test('backs off polling while nothing changes and polls soon after a change', () => {
    const looked = (job: BatchJob, ...events: BatchEvent[]): BatchJob =>
      events.reduce((now, event) => through({ ...now, dueMs: null }, event).job, job);
    const following = through(fresh, start, stored, created, seenAs('Active')).job;
    const { baseMs, maxMs } = retryPolicies.batch;
    expect((following.dueMs ?? 0) - 1000).toBe(baseMs);
    expect((looked(following, seenAs('Active')).dueMs ?? 0) - 1000).toBe(2 * baseMs);
    const idle = looked(following, ...Array.from({ length: 12 }, () => seenAs('Active')));
    expect((idle.dueMs ?? 0) - 1000).toBe(maxMs);
    expect((looked(idle, seenAs('Active', { succeeded: 1 })).dueMs ?? 0) - 1000).toBe(baseMs);
  });

  test('persists that CreateJob may be sent before the request', () => {
    expect(through(fresh, start, stored).job).toMatchObject({ createSent: true, inDoubt: false });
  });

  test('has an unknown outcome after a lost response or a crash, even if a later attempt is refused', () => {
    const creating = through(fresh, start, stored).job;
    expect(through(creating, failed(lost)).job).toMatchObject({ createSent: true, inDoubt: true });
    expect(through(creating, { kind: 'restarted' }).job).toMatchObject({ createSent: true, inDoubt: true });
    expect(through(creating, failed(refused)).job).toMatchObject({ createSent: false, inDoubt: false });
    expect(through(creating, failed(lost), start, failed(refused)).job).toMatchObject({ inDoubt: true });
  });

  test('is cancelled at once if nothing was sent, otherwise by a request to the service', () => {
    const cancel: EngineEvent = { kind: 'cancel' };
    expect(through(fresh, start, cancel).job).toMatchObject({ state: 'cancelled' });
    const doubtful = through(fresh, start, stored, failed(lost)).job;
    expect(through(doubtful, cancel, start, created).effects).toEqual(['create', 'tell cancel']);
    const following = through(fresh, start, stored, created).job;
    const notified = through(following, cancel, start, {
      kind: 'told',
      request: 'cancel',
      wasAccepted: true,
    });
    expect(notified.effects).toEqual(['stop', 'tell cancel', 'look']);
    expect(through(notified.job, seenAs('Cancelled')).job).toMatchObject({ state: 'cancelled' });
  });

  test('runs only after confirmation, not after a resume, new credentials or a retry', () => {
    const waits = through(fresh, start, stored, created, seenAs('Suspended')).job;
    expect(waits).toMatchObject({ state: 'needs-attention', reason: 'batch-confirm' });
    for (const kind of ['resume', 'keys-changed', 'retry-now'] as const)
      expect(through(waits, { kind }, start).effects.filter((effect) => effect.startsWith('tell'))).toEqual(
        [],
      );
    expect(through(waits, { kind: 'confirm' }, start).effects).toEqual(['tell run']);
  });

  test('never repeats CreateJob once the job is named, never runs unconfirmed and never stops making progress', () => {
    const status = fc.constantFrom(...batchStatuses);
    const event = fc.oneof(
      fc.constant<EngineEvent | BatchEvent>(start),
      fc.constantFrom<EngineEvent>(
        { kind: 'restarted' },
        { kind: 'pause' },
        { kind: 'resume' },
        { kind: 'retry-now' },
        { kind: 'cancel' },
        { kind: 'keys-changed' },
        failed(lost),
        failed(refused),
      ),
      fc.constantFrom<BatchEvent>(
        stored,
        created,
        { kind: 'manifest-in-the-way', error: refused },
        { kind: 'told', request: 'run', wasAccepted: true },
        { kind: 'told', request: 'cancel', wasAccepted: false },
      ),
      status.map((report) => seenAs(report)),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let job = fresh;
        for (const event of events) {
          const before = job;
          const step = batchTransition(job, event, { nowMs: 1000, fraction: 0.5 });
          ({ job } = step);
          const notified = step.effects.flatMap((effect) => (effect.kind === 'tell' ? [effect.request] : []));
          const creates = step.effects.some(({ kind }) => kind === 'create');
          const rests = job.state === 'paused' || job.state === 'needs-attention' || isFinal(job.state);
          const goesOn = job.state === 'waiting' || job.dueMs !== null || isInFlight(job);
          expect({
            createsAgain: creates && before.serviceId !== null,
            runsUnasked: notified.includes('run'),
            forgetsItsName: before.serviceId !== null && job.serviceId !== before.serviceId,
            isLeft: rests ? !isFinal(job.state) && job.reason === null : !goesOn,
          }).toEqual({ createsAgain: false, runsUnasked: false, forgetsItsName: false, isLeft: false });
        }
      }),
    );
  });

  test("has a description within the API's limit for any bucket name", () => {
    const token = '00000000-0000-4000-8000-000000000000';
    expect(descriptionOf({ token, bucket: 'b'.repeat(63) }).length).toBeLessThanOrEqual(256);
  });
});
