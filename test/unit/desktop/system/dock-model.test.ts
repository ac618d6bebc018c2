import { expect, test } from 'vitest';
import { activeJobs, dockOf } from '../../../../electron/desktop/system/dock-model.ts';
import type { JobCounts } from '../../../../shared/models/jobs.ts';

const counts = (byState: JobCounts['byState'], bytesDone = 0, bytesTotal = 0): JobCounts => ({
  total: 9,
  byState,
  broken: 0,
  bytesDone,
  bytesTotal,
});

test.each<[string, JobCounts, ReturnType<typeof dockOf>]>([
  [
    'nothing is shown without active jobs',
    counts({ done: 5, paused: 2 }),
    { progress: -1, mode: 'normal', badge: 0 },
  ],
  [
    'progress is the share of bytes',
    counts({ transferring: 2 }, 25, 100),
    { progress: 0.25, mode: 'normal', badge: 2 },
  ],
  [
    'progress is indeterminate without a size',
    counts({ preparing: 1 }),
    { progress: 2, mode: 'normal', badge: 1 },
  ],
  [
    'jobs that need attention are counted and coloured',
    counts({ 'needs-attention': 2, waiting: 1 }, 200, 100),
    { progress: 1, mode: 'error', badge: 3 },
  ],
])('the dock icon of a window shows: %s', (_name, given, expected) => {
  expect(dockOf(given)).toEqual(expected);
});

test('paused and finished jobs do not count as active', () => {
  expect(activeJobs(counts({ done: 1, cancelled: 1, paused: 1, 'needs-attention': 1 }))).toBe(0);
  expect(activeJobs(counts({ waiting: 3, 'retry-scheduled': 1, completing: 1 }))).toBe(5);
});
