import { describe, expect, it } from 'vitest';
import { failure } from '../../../../../shared/errors.ts';
import { jobActionsFor, remedyFor } from '../../../../../renderer/features/transfers/queue/job-actions.ts';
import { noticesFor } from '../../../../../renderer/features/transfers/queue/settled.ts';
import { jobReasons, jobStates } from '../../../../../shared/models/jobs.ts';
import { jobOf } from './fixtures.ts';

describe('the actions of a job', () => {
  it('include cancel until it is final, and clear only when it has settled', () => {
    for (const state of jobStates) {
      const actions = jobActionsFor(jobOf({ state }));
      const final = state === 'done' || state === 'cancelled';
      expect(actions.includes('cancel')).toBe(!final);
      expect(actions.includes('clear')).toBe(final || state === 'needs-attention');
    }
  });

  it('include "Try again now" while it waits for a retry', () => {
    expect(jobActionsFor(jobOf({ state: 'retry-scheduled' }))).toContain('retryNow');
    const retryAt = '2026-01-01T00:10:00.000Z';
    expect(jobActionsFor(jobOf({ state: 'verifying-outcome', retryAt }))).toContain('retryNow');
    expect(jobActionsFor(jobOf({ state: 'verifying-outcome', retryAt: null }))).not.toContain('retryNow');
    expect(jobActionsFor(jobOf({ state: 'sending-parts' }))).not.toContain('retryNow');
    const wait = { until: retryAt, error: failure('rate-limited', 'SlowDown').error };
    expect(jobActionsFor(jobOf({ state: 'sending-parts', wait }))).toContain('retryNow');
  });

  it('include resume after a pause was requested', () => {
    expect(jobActionsFor(jobOf({ state: 'completing', pauseRequested: true }))).toContain('resume');
  });

  it('exclude pause for S3 Batch jobs, which cannot be run before confirmation', () => {
    const batch = {
      operation: { kind: 'restore', days: 1, tier: 'BULK' },
      accountId: '123456789012',
      serviceId: null,
      region: 'us-east-1',
      objects: 1,
      manifest: { bucket: 'b', key: 'm' },
      report: { bucket: 'b', prefix: '' },
      seen: null,
      isInDoubt: false,
      cancelRequested: false,
    } as const;
    const made = { ...batch, serviceId: 's' };
    expect(jobActionsFor(jobOf({ state: 'transferring', batch }))).toContain('pause');
    expect(jobActionsFor(jobOf({ state: 'preparing', batch }))).not.toContain('pause');
    expect(
      jobActionsFor(jobOf({ state: 'retry-scheduled', batch: { ...batch, isInDoubt: true } })),
    ).not.toContain('pause');
    const retryAt = '2026-01-01T00:10:00.000Z';
    const followed = jobOf({ state: 'verifying-outcome', retryAt, waitsFor: 'batch', batch: made });
    expect(jobActionsFor(followed)).toEqual(['lookNow', 'cancel']);
    const waits = jobOf({ state: 'needs-attention', reason: 'batch-confirm', batch: made });
    expect(jobActionsFor(waits)).toEqual(['lookNow', 'cancel', 'clear']);
    expect(remedyFor(waits)).toBe('run-batch');
    for (const reason of ['batch-failed', 'batch-items-failed'] as const) {
      const over = jobOf({ state: 'needs-attention', reason, batch: made });
      expect(jobActionsFor(over)).toEqual(['clear']);
      expect(remedyFor(over)).toBe('show-report');
    }
  });

  it('exclude a retry for lost or removed uploads', () => {
    for (const reason of ['lost', 'overwritten', 'upload-gone'] as const)
      expect(jobActionsFor(jobOf({ state: 'needs-attention', reason }))).not.toContain('retryNow');
  });

  it('include a remedy only while it is paused for a reason', () => {
    expect(remedyFor(jobOf({ state: 'paused', reason: 'needs-new-keys' }))).toBe('edit-connection');
    expect(remedyFor(jobOf({ state: 'needs-attention', reason: 'file-wanted' }))).toBe('give-file');
    // A retry would overwrite something, so it needs a confirmation and no repeating key.
    const inTheWay = jobOf({ state: 'needs-attention', reason: 'target-changed' });
    expect(remedyFor(inTheWay)).toBe('replace');
    expect(jobActionsFor(inTheWay)).not.toContain('retryNow');
    for (const reason of jobReasons)
      expect(remedyFor(jobOf({ kind: 'upload', state: 'done', reason }))).toBeNull();
    expect(remedyFor(jobOf({ kind: 'download', state: 'done' }))).toBe('show-in-folder');
  });
});

describe('"Check now"', () => {
  const retryAt = '2026-01-01T00:00:00.000Z';
  it('is offered while a job waits for the service, and does not retry early', () => {
    const silent = jobOf({ state: 'completing', waitsFor: 'complete-answer' });
    expect(jobActionsFor(silent)).toContain('lookNow');
    const waiting = jobActionsFor(jobOf({ state: 'verifying-outcome', retryAt, waitsFor: 'assembling' }));
    expect(waiting).toContain('lookNow');
    expect(waiting).not.toContain('retryNow');
    expect(jobActionsFor(jobOf({ state: 'completing' }))).not.toContain('lookNow');
  });
});

describe('transfer notices', () => {
  it('name each of a few jobs and count many', () => {
    const done = jobOf({ state: 'done' });
    expect(noticesFor([done]).map(({ kind }) => kind)).toEqual(['done']);
    const many = ['a', 'b', 'c'].map((id) => ({ ...done, id }));
    expect(noticesFor(many)).toEqual([{ kind: 'many-done', count: 3, jobIds: ['a', 'b', 'c'] }]);
  });

  it("are not shown for the user's own actions", () => {
    expect(
      noticesFor([jobOf({ state: 'paused', reason: 'by-user' }), jobOf({ state: 'cancelled' })]),
    ).toEqual([]);
  });

  it('are shown for a job that pauses without the user', () => {
    const job = jobOf({ state: 'paused', reason: 'needs-new-keys' });
    expect(noticesFor([job])).toEqual([{ kind: 'attention', job }]);
  });
});
