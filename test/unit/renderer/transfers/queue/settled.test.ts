import { expect, test } from 'vitest';
import {
  noticesFor,
  type OpenNotices,
  withoutSettledJobs,
} from '../../../../../renderer/features/transfers/queue/settled.ts';
import { jobOf } from './fixtures.ts';

test('the notices count all jobs that ended together, however many, without those that the user ended', () => {
  const jobs = Array.from({ length: 400 }, (_, at) =>
    jobOf({
      id: String(at),
      ...(
        [
          { state: 'done' },
          { state: 'needs-attention' },
          { state: 'cancelled' },
          { state: 'paused', reason: 'by-user' },
        ] as const
      )[at % 4],
    }),
  );
  expect(
    noticesFor(jobs).map((notice) => ('count' in notice ? [notice.kind, notice.count] : notice)),
  ).toEqual([
    ['many-attention', 100],
    ['many-done', 100],
  ]);
});

const open: OpenNotices = new Map([
  ['one', new Set(['a'])],
  ['many', new Set(['b', 'c'])],
]);

test('a notice closes when the user has decided, and stays while its job still waits', () => {
  const waits = { ...jobOf(), id: 'a', state: 'needs-attention' as const };
  expect(withoutSettledJobs(open, { changed: [waits], removed: [] })).toEqual({ open, over: [] });
  const goesOn = { ...jobOf(), id: 'a', state: 'transferring' as const };
  expect(withoutSettledJobs(open, { changed: [goesOn], removed: [] }).over).toEqual(['one']);
});

test('a notice about several jobs closes with the last of them', () => {
  const first = withoutSettledJobs(open, { changed: [], removed: ['b'] });
  expect(first.over).toEqual([]);
  const cancelled = { ...jobOf(), id: 'c', state: 'cancelled' as const };
  expect(withoutSettledJobs(first.open, { changed: [cancelled], removed: [] }).over).toEqual(['many']);
});

test('a notice closes when the user pauses its job', () => {
  const paused = { ...jobOf(), id: 'a', state: 'paused' as const, reason: 'by-user' as const };
  expect(withoutSettledJobs(open, { changed: [paused], removed: [] }).over).toEqual(['one']);
  const offline = { ...paused, reason: 'needs-new-keys' as const };
  expect(withoutSettledJobs(open, { changed: [offline], removed: [] }).over).toEqual([]);
});
