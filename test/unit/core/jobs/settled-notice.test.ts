import { expect, test } from 'vitest';
import { settledNotice } from '../../../../electron/core/jobs/settled-notice.ts';
import { jobStates, type Job } from '../../../../shared/models/jobs.ts';
import { jobOf } from '../../renderer/transfers/queue/fixtures.ts';

const items = { total: 1, done: 1, skipped: 0, failed: 0, asking: 0 };
const job = jobOf({
  kind: 'upload',
  state: 'done',
  outcome: 'uploaded',
  bucket: 'photos',
  key: '2024/first.jpg',
  fileName: 'first.jpg',
  items,
});

test('the notice of a settled job names its object and counts the others', () => {
  const notice = { state: 'done', work: 'upload', name: 'first.jpg', others: 0, bucket: 'photos', failed: 0 };
  expect(settledNotice(job)).toEqual(notice);
  expect(settledNotice({ ...job, moreChosen: 2 })).toEqual({ ...notice, others: 2 });
  expect(settledNotice({ ...job, fileName: null, key: 'a/b/' })?.name).toBe('b');
  expect(settledNotice({ ...job, fileName: null, key: '' })?.name).toBe('photos');
});

test('a job that skipped everything is announced as nothing done', () => {
  const skipped = { ...items, done: 0, skipped: 1 };
  expect(settledNotice({ ...job, items: skipped })?.state).toBe('nothing-done');
  expect(settledNotice({ ...job, items: { ...skipped, skipped: 0 } })?.state).toBe('nothing-done');
  // A sync whose sides were already equal succeeded, and so did deleting an empty bucket: neither counts as "nothing done".
  const sync = { removed: 0, unchanged: 3, skipped: 0 };
  expect(settledNotice({ ...job, items: skipped, sync })?.state).toBe('done');
  const bucket = { kind: 'delete', outcome: 'bucket-deleted', items: { ...items, done: 0 } } as const;
  expect(settledNotice({ ...job, ...bucket })?.state).toBe('done');
});

test('only settled states are announced', () => {
  const statesWithNotice = jobStates.filter((state) => settledNotice({ ...job, state }) !== null);
  expect(statesWithNotice).toEqual(['paused', 'needs-attention', 'done']);
});

test('the notice of a finished S3 Batch job has its number of failed objects', () => {
  const seen = { status: 'Complete', total: 3, succeeded: 1, failed: 2, failures: [], reason: null };
  const { items: _, ...bare } = job;
  const batch = { ...bare, kind: 'batch', batch: { seen } } as unknown as Job;
  expect(settledNotice(batch)?.failed).toBe(0);
  const failed = settledNotice({ ...batch, state: 'needs-attention', reason: 'batch-items-failed' });
  expect(failed).toMatchObject({ state: 'attention', failed: 2 });
});
