import { describe, expect, test } from 'vitest';
import { failure } from '../../../../shared/errors.ts';
import { completeJob } from '../../../../electron/core/multipart/new-jobs.ts';
import { completeConditionFor } from '../../../../electron/core/multipart/plan-completion.ts';
import { uploadJobSchema, type UploadJob } from '../../../../electron/core/multipart/upload-job.ts';
import type { HeadSeen } from '../../../../electron/core/multipart/outcome/outcome.ts';

const ref = { connectionId: 'c', bucket: 'b', key: 'k', uploadId: 'u' };
const job = completeJob({ fingerprint: 'f', acceptGaps: false }, { id: 'j', nowMs: 0, ref, quietUntilMs: 0 });
const hidden: HeadSeen = {
  kind: 'unreadable',
  error: failure('access-denied', 'x', { retry: 'after-fix' }).error,
};

function present(etag: string | null): HeadSeen {
  return { kind: 'present', sizeBytes: 1, etag, lastModified: null, versionId: null, etagIsNotMd5: false };
}

describe('the condition of a Complete', () => {
  test.each<readonly [string, Partial<UploadJob>, HeadSeen, string]>([
    ['a free key stays free', {}, { kind: 'absent' }, 'free'],
    ['what was seen is still there', {}, present('"e"'), 'as-seen'],
    ['nothing, for a weak ETag never matches (RFC 9110, 13.1.1)', {}, present('W/"e"'), 'none'],
    ['nothing, without an ETag', {}, present(null), 'none'],
    ['a key that may not be looked at is free', {}, hidden, 'free'],
    ['nothing, where the user has agreed without a look', { agreed: hidden }, hidden, 'none'],
    ['nothing, where the service knows no conditions', { withConditions: false }, { kind: 'absent' }, 'none'],
  ])('%s', (_what, change, before, condition) => {
    expect(completeConditionFor({ ...job, ...change }, before)).toBe(condition);
  });
});

test('a job that an earlier version has stored is read: its owner decides, and its Complete had no condition', () => {
  const { agreed: _agreed, inTheWay: _inTheWay, withConditions: _withConditions, ...old } = job;
  const intent = {
    partCount: 1,
    totalSizeBytes: 1,
    expectedEtag: null,
    partsVerified: false,
    initiatedAt: null,
    before: { kind: 'absent' },
  };
  const watch = { asks: 0, unclearAsks: 0, fingerprint: null, sinceMs: 0, missingSinceMs: null };
  const sent = { answer: null, doubtAtMs: null };
  const completion = { intent, attempts: 1, inFlight: true, sent, watch };
  expect(uploadJobSchema.parse({ ...old, completion })).toMatchObject({
    agreed: null,
    inTheWay: null,
    withConditions: true,
    completion: { intent: { condition: 'none' }, sent: { refusal: null } },
  });
});
