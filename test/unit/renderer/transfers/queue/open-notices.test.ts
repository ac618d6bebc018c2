import { expect, test } from 'vitest';
import {
  withoutSettledJobs,
  type OpenNotices,
} from '../../../../../renderer/features/transfers/queue/open-notices.ts';
import { jobOf } from './fixtures.ts';

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
