import { describe, expect, test } from 'vitest';
import { failure } from '../../../../shared/errors.ts';
import { completeJob } from '../../../../electron/core/multipart/new-jobs.ts';
import { completeConditionFor } from '../../../../electron/core/multipart/plan-completion.ts';
import { uploadJobSchema, type UploadJob } from '../../../../electron/core/multipart/upload-job.ts';
import type { HeadResult } from '../../../../electron/core/multipart/outcome/outcome.ts';

const ref = { connectionId: 'c', bucket: 'b', key: 'k', uploadId: 'u' };
const job = completeJob({ fingerprint: 'f', acceptGaps: false }, { id: 'j', nowMs: 0, ref, quietUntilMs: 0 });
const hidden: HeadResult = {
  kind: 'unreadable',
  error: failure('access-denied', 'x', { retry: 'after-fix' }).error,
};

function present(etag: string | null): HeadResult {
  return { kind: 'present', sizeBytes: 1, etag, lastModified: null, versionId: null, etagIsNotMd5: false };
}

describe('the condition of CompleteMultipartUpload', () => {
  test.each<readonly [string, Partial<UploadJob>, HeadResult, string]>([
    ['is "free" for an absent object', {}, { kind: 'absent' }, 'free'],
    ['is "as-seen" for a present object', {}, present('"e"'), 'as-seen'],
    ['is none for a weak ETag, which never matches (RFC 9110, 13.1.1)', {}, present('W/"e"'), 'none'],
    ['is none without an ETag', {}, present(null), 'none'],
    ['is "free" for a key that may not be read', {}, hidden, 'free'],
    ['is none if the user agreed without seeing the key', { agreed: hidden }, hidden, 'none'],
    [
      'is none if the service does not support conditions',
      { withConditions: false },
      { kind: 'absent' },
      'none',
    ],
  ])('%s', (_what, change, before, condition) => {
    expect(completeConditionFor({ ...job, ...change }, before)).toBe(condition);
  });
});

test('an upload job stored by an earlier version is read without a condition on its CompleteMultipartUpload', () => {
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
