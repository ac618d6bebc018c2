import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activeCount,
  countOf,
  groupOf,
  jobGroups,
  jobPercent,
  percentOf,
  spokenProgress,
  statesOf,
  totalProgress,
} from '../../../../../renderer/features/transfers/queue/job-progress.ts';
import { jobStates } from '../../../../../shared/models/jobs.ts';
import { countsOf, jobOf } from './fixtures.ts';

describe('the groups of jobs', () => {
  it('contain every state once', () => {
    const all = jobGroups.flatMap((group) => statesOf(group));
    expect(all.toSorted()).toEqual([...jobStates].toSorted());
    for (const group of jobGroups) for (const state of statesOf(group)) expect(groupOf(state)).toBe(group);
  });

  it('are summed from the counts by state', () => {
    const counts = countsOf({ byState: { 'sending-parts': 2, completing: 1, waiting: 4, done: 9 } });
    expect(countOf(counts, 'running')).toBe(3);
    expect(countOf(counts, 'finished')).toBe(9);
    expect(activeCount(counts)).toBe(7);
  });
});

describe('the progress of a job', () => {
  it('is 100 percent exactly at the end', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (total, share) => {
          const done = Math.floor(total * share);
          const percent = percentOf(done, total);
          expect(percent === 100).toBe(done >= total);
          expect(percent).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  it('is unknown if there is nothing to measure', () => {
    expect(percentOf(0, 0)).toBeNull();
    expect(jobPercent(jobOf({ bytesTotal: 0, bytesDone: 0, partsTotal: 0, partsDone: 0 }))).toBeNull();
  });

  it('is measured in parts if no bytes are counted', () => {
    expect(jobPercent(jobOf({ bytesTotal: 0, bytesDone: 0 }))).toBe(40);
  });

  it('is below 100 percent in total while any job runs', () => {
    const counts = countsOf({ byState: { completing: 1 }, bytesTotal: 10, bytesDone: 10 });
    expect(totalProgress(counts)).toEqual({ kind: 'running', count: 1, percent: 99 });
    expect(totalProgress(countsOf({ byState: { done: 3, paused: 1 } }))).toEqual({ kind: 'idle' });
  });
});

it('announced progress changes at most four times and when a transfer starts or ends', () => {
  const bytesTotal = 10_000;
  const spoken = Array.from({ length: bytesTotal }, (_, bytesDone) =>
    JSON.stringify(spokenProgress(countsOf({ byState: { 'sending-parts': 1 }, bytesDone, bytesTotal }))),
  );
  expect([...new Set(spoken)].map((text) => JSON.parse(text) as unknown)).toEqual(
    [0, 25, 50, 75].map((percent) => ({ kind: 'running', count: 1, percent })),
  );
  expect(spokenProgress(countsOf({ byState: { 'sending-parts': 2 } }))).toMatchObject({ count: 2 });
  expect(spokenProgress(countsOf({ byState: { done: 1 } }))).toEqual({ kind: 'idle' });
});

it('no percentage is shown while the list of items still grows', () => {
  expect(jobPercent(jobOf({ state: 'preparing', bytesDone: 5, bytesTotal: 10 }))).toBeNull();
  expect(jobPercent(jobOf({ state: 'transferring', bytesDone: 5, bytesTotal: 10 }))).toBe(50);
});
