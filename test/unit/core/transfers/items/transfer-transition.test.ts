import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { errorCodes } from '../../../../../shared/error-schema.ts';
import { failure } from '../../../../../shared/errors.ts';
import { isFinal, isResting, type EngineEvent } from '../../../../../electron/core/jobs/job.ts';
import {
  noCountChanges,
  transferTransition,
  type TransferEvent,
} from '../../../../../electron/core/transfers/items/transfer-transition.ts';
import {
  operationTransfer,
  uploadTransfer,
  type TransferJob,
} from '../../../../../electron/core/transfers/items/transfer-job.ts';
import { defaultUploadOptions } from '../../../../../shared/models/transfers.ts';

const moment = { nowMs: 1_000_000, fraction: 0.5 };
const seed = { id: 'j', nowMs: 0, connectionId: 'c', bucket: 'b', prefix: '', name: 'n' };

function jobIn(change: Partial<TransferJob>): TransferJob {
  return { ...uploadTransfer(seed, [{ path: '/a', real: '/a' }], defaultUploadOptions), ...change };
}

function after(job: TransferJob, ...events: readonly (TransferEvent | EngineEvent)[]): TransferJob {
  return events.reduce((now, event) => transferTransition(now, event, moment).job, job);
}

const started = after(jobIn({}), { kind: 'started' });
const running = after(started, { kind: 'prepared' });

describe('a transfer', () => {
  test('prepares the list before it moves anything', () => {
    expect(transferTransition(jobIn({}), { kind: 'started' }, moment).effects).toEqual([{ kind: 'prepare' }]);
    expect(transferTransition(started, { kind: 'prepared' }, moment).effects).toEqual([{ kind: 'transfer' }]);
    expect(running).toMatchObject({ state: 'transferring', prepared: true });
  });

  test('asks about conflicts before it reports failures, and is done when nothing is left', () => {
    const end = { kind: 'pass-ended', dueMs: null, error: null } as const;
    const asking = after(
      running,
      { kind: 'items-moved', moved: { ...noCountChanges, asking: 1, failed: 1 } },
      end,
    );
    expect(asking).toMatchObject({ state: 'needs-attention', reason: 'conflicts' });
    const answered = after(asking, { kind: 'answered', answeredCount: 1, policy: 'skip' });
    expect(answered).toMatchObject({ state: 'waiting', onConflict: 'skip', counts: { asking: 0 } });
    const again = after(answered, { kind: 'started' }, end);
    expect(again).toMatchObject({ state: 'needs-attention', reason: 'items-failed' });
    const retried = after(again, { kind: 'retry-now' });
    expect(retried).toMatchObject({ state: 'waiting', counts: { failed: 0 } });
    expect(after(retried, { kind: 'started' }, end)).toMatchObject({ state: 'done', outcome: 'uploaded' });
  });

  test('is scheduled for a retry when the service fails or a single item is due later', () => {
    const error = failure('server', 'x', { retry: 'backoff' }).error;
    const troubled = after(running, { kind: 'pass-ended', dueMs: 0, error });
    expect(troubled).toMatchObject({ state: 'retry-scheduled', failures: 1 });
    expect(troubled.dueMs).toBeGreaterThan(moment.nowMs);
    const later = after(running, { kind: 'pass-ended', dueMs: moment.nowMs + 9000, error });
    expect(later).toMatchObject({ state: 'retry-scheduled', dueMs: moment.nowMs + 9000, failures: 0 });
  });

  test('keeps its failed items when it continues after a sleep', () => {
    const error = failure('server', 'x', { retry: 'backoff' }).error;
    const waiting = after(
      running,
      { kind: 'items-moved', moved: { ...noCountChanges, failed: 2 } },
      { kind: 'pass-ended', dueMs: moment.nowMs + 9000, error },
    );
    const woken = after(waiting, { kind: 'retry-now', isAutomatic: true });
    expect(woken).toMatchObject({ state: 'waiting', dueMs: null, counts: { failed: 2 } });
    const ended = after(waiting, { kind: 'pause' });
    expect(after(ended, { kind: 'retry-now', isAutomatic: true })).toBe(ended);
    expect(after(waiting, { kind: 'retry-now' })).toMatchObject({ state: 'waiting', counts: { failed: 0 } });
  });

  test('resumes after a crash, and stays paused if paused', () => {
    expect(after(running, { kind: 'restarted' })).toMatchObject({ state: 'waiting', prepared: true });
    expect(after(running, { kind: 'pause' }, { kind: 'restarted' }, { kind: 'started' })).toMatchObject({
      state: 'paused',
      reason: 'by-user',
    });
  });

  test('pauses for a full disk or expired keys and resumes with new keys', () => {
    const full = failure('storage', 'x', { reason: 'disk-full' }).error;
    expect(after(running, { kind: 'failed', error: full })).toMatchObject({
      state: 'paused',
      reason: 'disk-full',
    });
    const keys = after(running, { kind: 'failed', error: failure('auth-expired', 'x').error });
    expect(keys).toMatchObject({ state: 'paused', reason: 'needs-new-keys' });
    expect(after(keys, { kind: 'keys-changed' }).state).toBe('waiting');
  });
});

const count = fc.integer({ min: 0, max: 3 });
const events: fc.Arbitrary<TransferEvent | EngineEvent> = fc.oneof(
  fc.constantFrom<EngineEvent | TransferEvent>(
    { kind: 'started' },
    { kind: 'restarted' },
    { kind: 'pause' },
    { kind: 'resume' },
    { kind: 'retry-now' },
    { kind: 'cancel' },
    { kind: 'keys-changed' },
    { kind: 'list-cleared' },
    { kind: 'prepared' },
    { kind: 'undone' },
    { kind: 'pass-ended', dueMs: null, error: null },
    { kind: 'pass-ended', dueMs: 2_000_000, error: null },
  ),
  fc
    .constantFrom(...errorCodes)
    .map((code) => ({ kind: 'failed', error: failure(code, 'x').error }) as const),
  fc.constant({ kind: 'listed' } as const),
  fc
    .record({ done: count, failed: count, asking: count })
    .map((some) => ({ kind: 'items-moved', moved: { ...noCountChanges, ...some } }) as const),
);

test('a transfer keeps its final state for any events, and runs effects only in running states', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 40 }), (list) => {
      let job = jobIn({});
      for (const event of list) {
        const step = transferTransition(job, event, moment);
        const work = step.effects.filter((effect) => effect.kind === 'prepare' || effect.kind === 'transfer');
        expect(work.length === 0 || step.job.state === 'preparing' || step.job.state === 'transferring').toBe(
          true,
        );
        expect(!isFinal(job.state) || step.job === job).toBe(true);
        expect(work.length === 0 || step.job.run > job.run).toBe(true);
        expect(!isResting(step.job.state) || step.job.dueMs === null).toBe(true);
        job = step.job;
      }
    }),
  );
});

test('a cancelled download ends after its partial files are removed, also after a crash', () => {
  const cancelled = transferTransition(
    after(jobIn({ kind: 'download' }), { kind: 'started' }, { kind: 'prepared' }),
    { kind: 'cancel' },
    moment,
  );
  expect(cancelled.effects).toEqual([{ kind: 'stop' }, { kind: 'undo' }]);
  const again = after(cancelled.job, { kind: 'restarted' });
  expect(transferTransition(again, { kind: 'started' }, moment).effects).toEqual([{ kind: 'undo' }]);
  expect(after(cancelled.job, { kind: 'undone' })).toMatchObject({ state: 'cancelled', outcome: null });
});

describe('a copy or move', () => {
  const operation = {
    items: [{ kind: 'prefix' as const, prefix: 'a/' }],
    to: { connectionId: 'c', bucket: 'b', prefix: 'x/' },
    versions: 'markers' as const,
    patch: null,
  };
  const of = (kind: 'copy' | 'move' | 'delete'): TransferJob =>
    after(operationTransfer(kind, seed, operation, 'ask'), { kind: 'started' }, { kind: 'prepared' });

  test('of one item to a new name counts as renamed, others as moved', () => {
    const end = { kind: 'pass-ended', dueMs: null, error: null } as const;
    const outcomeOf = (
      prefix: string,
      name: string,
      ...items: NonNullable<TransferJob['operation']>['items']
    ) => {
      const to = { connectionId: 'c', bucket: 'b', prefix: name };
      const job = operationTransfer('move', { ...seed, prefix }, { ...operation, items, to }, 'ask');
      return after(job, { kind: 'started' }, { kind: 'prepared' }, end).outcome;
    };
    const file = { kind: 'key' as const, key: 'a/old.txt' };
    const folder = { kind: 'prefix' as const, prefix: 'a/' };
    expect(outcomeOf('a/old.txt', 'a/new.txt', file)).toBe('renamed');
    expect(outcomeOf('a/', 'b/', folder)).toBe('renamed');
    expect(outcomeOf('a/', 'b/', file)).toBe('moved');
    expect(outcomeOf('a/', 'x/b/', folder)).toBe('moved');
    expect(outcomeOf('a/', 'b/', folder, { kind: 'prefix', prefix: 'c/' })).toBe('moved');
  });

  test('is undone before it ends when cancelled, also after a crash and failures', () => {
    const undoing = transferTransition(of('move'), { kind: 'cancel' }, moment);
    expect(undoing.effects).toEqual([{ kind: 'stop' }, { kind: 'undo' }]);
    expect(undoing.job).toMatchObject({ state: 'aborting', cancelling: true });
    const again = after(undoing.job, { kind: 'restarted' });
    expect(transferTransition(again, { kind: 'started' }, moment).effects).toEqual([{ kind: 'undo' }]);
    const error = failure('network', 'x', { retry: 'backoff' }).error;
    const later = after(undoing.job, { kind: 'failed', error });
    expect(later).toMatchObject({ state: 'retry-scheduled', cancelling: true });
    expect(transferTransition(later, { kind: 'started' }, moment).effects).toEqual([{ kind: 'undo' }]);
    expect(after(undoing.job, { kind: 'undone' })).toMatchObject({ state: 'cancelled', outcome: 'undone' });
  });

  test('reports if something was moved before it was cancelled', () => {
    const some = after(
      of('move'),
      { kind: 'items-moved', moved: { ...noCountChanges, done: 1 } },
      { kind: 'cancel' },
    );
    expect(after(some, { kind: 'undone' })).toMatchObject({ state: 'cancelled', outcome: 'partly-moved' });
  });

  test('ends without undoing when cancelled again while it cannot be undone', () => {
    const stuck = after(
      of('move'),
      { kind: 'cancel' },
      { kind: 'failed', error: failure('access-denied', 'x').error },
    );
    expect(stuck).toMatchObject({ state: 'needs-attention', reason: 'access-denied' });
    const over = transferTransition(stuck, { kind: 'cancel' }, moment);
    expect(over).toMatchObject({ job: { state: 'cancelled', outcome: null }, effects: [] });
  });

  test('has nothing to undo before it was listed; a deletion never has', () => {
    const listing = after(operationTransfer('move', seed, operation, 'ask'), { kind: 'started' });
    expect(after(listing, { kind: 'cancel' })).toMatchObject({ state: 'cancelled' });
    expect(after(of('delete'), { kind: 'cancel' })).toMatchObject({ state: 'cancelled' });
  });
});

test('a transfer whose list is completed while it runs changes only its state and continues', () => {
  const preparing = transferTransition(jobIn({}), { kind: 'started' }, moment).job;
  const moved = transferTransition(
    preparing,
    { kind: 'items-moved', moved: { ...noCountChanges, done: 3 } },
    moment,
  ).job;
  expect(moved.counts.done).toBe(3);
  const { job, effects } = transferTransition(moved, { kind: 'listed' }, moment);
  expect(job).toMatchObject({
    state: 'transferring',
    prepared: true,
    run: preparing.run,
    counts: { done: 3 },
  });
  expect(effects).toEqual([]);
  expect(transferTransition(job, { kind: 'listed' }, moment).job).toBe(job);
});
