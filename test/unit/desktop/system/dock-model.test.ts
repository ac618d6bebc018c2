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
    'nothing to do: nothing to see',
    counts({ done: 5, paused: 2 }),
    { progress: -1, mode: 'normal', badge: 0 },
  ],
  ['bytes are a share', counts({ transferring: 2 }, 25, 100), { progress: 0.25, mode: 'normal', badge: 2 }],
  ['without a size the bar has no end', counts({ preparing: 1 }), { progress: 2, mode: 'normal', badge: 1 }],
  [
    'what needs the person is counted and coloured',
    counts({ 'needs-attention': 2, waiting: 1 }, 200, 100),
    { progress: 1, mode: 'error', badge: 3 },
  ],
])('%s', (_name, given, expected) => {
  expect(dockOf(given)).toEqual(expected);
});

test('what rests is not at work', () => {
  expect(activeJobs(counts({ done: 1, cancelled: 1, paused: 1, 'needs-attention': 1 }))).toBe(0);
  expect(activeJobs(counts({ waiting: 3, 'retry-scheduled': 1, completing: 1 }))).toBe(5);
});
