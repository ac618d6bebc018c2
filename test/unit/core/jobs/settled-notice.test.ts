import { expect, test } from 'vitest';
import { settledNotice } from '../../../../electron/core/jobs/settled-notice.ts';
import type { Job } from '../../../../shared/models/jobs.ts';

const job = {
  kind: 'upload',
  state: 'done',
  bucket: 'photos',
  key: '2024/first.jpg',
  fileName: 'first.jpg',
  items: { total: 1, done: 1, skipped: 0, failed: 0, asking: 0 },
} as Partial<Job> as Job;

test('one thing is there, several are', () => {
  expect(settledNotice(job)?.body).toBe('first.jpg is there.');
  expect(settledNotice({ ...job, moreChosen: 2 })?.body).toBe('first.jpg and 2 more are there.');
});

test('one thing is gone, several are', () => {
  expect(settledNotice({ ...job, kind: 'delete' })?.body).toBe('first.jpg is gone.');
  expect(settledNotice({ ...job, kind: 'delete', moreChosen: 1 })?.body).toBe(
    'first.jpg and 1 more are gone.',
  );
});

test('one thing waits, several wait', () => {
  expect(settledNotice({ ...job, state: 'paused' })?.body).toMatch(/^first\.jpg waits /);
  expect(settledNotice({ ...job, state: 'paused', moreChosen: 2 })?.body).toMatch(
    /^first\.jpg and 2 more wait /,
  );
});

test('a job that AWS ran says how many objects failed', () => {
  const seen = { status: 'Complete', total: 3, succeeded: 3, failed: 0, failures: [], reason: null };
  const { items: _, ...bare } = job;
  const batch = (failed: number): Job =>
    ({ ...bare, kind: 'batch', batch: { seen: { ...seen, failed } } }) as unknown as Job;
  expect(settledNotice(batch(0))?.body).toBe('AWS went through the objects of photos.');
  expect(
    settledNotice({ ...batch(2), state: 'needs-attention', reason: 'batch-items-failed' })?.body,
  ).toContain('2 objects of photos failed');
});
