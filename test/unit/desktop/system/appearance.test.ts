import { expect, test } from 'vitest';
import { activeJobs, dockOf, accentOf } from '../../../../electron/desktop/system/appearance.ts';
import type { JobCounts } from '../../../../shared/models/jobs.ts';

test("Electron's accent colour is read without alpha, and an invalid or invisible one as null", () => {
  expect(accentOf('0078D4FF')).toBe('#0078d4');
  expect(accentOf('#0078d480')).toBe('#0078d4');
  expect(accentOf('0078d4')).toBe('#0078d4');
  for (const none of ['', '00000000', '#0078d400', 'blue', '0078d', 'url(x)0078d4ff'])
    expect(accentOf(none)).toBeNull();
});

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
