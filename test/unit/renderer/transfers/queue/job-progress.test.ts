import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activeCount,
  countOf,
  groupOf,
  jobGroups,
  jobPercent,
  pagesOf,
  percentOf,
  spokenProgress,
  statesOf,
  totalProgress,
} from '../../../../../renderer/features/transfers/queue/job-progress.ts';
import { jobStates } from '../../../../../shared/models/jobs.ts';
import { countsOf, jobOf } from './fixtures.ts';

describe('groups of jobs', () => {
  it('hold every state once', () => {
    const all = jobGroups.flatMap((group) => statesOf(group));
    expect(all.toSorted()).toEqual([...jobStates].toSorted());
    for (const group of jobGroups) for (const state of statesOf(group)) expect(groupOf(state)).toBe(group);
  });

  it('add up', () => {
    const counts = countsOf({ byState: { 'sending-parts': 2, completing: 1, waiting: 4, done: 9 } });
    expect(countOf(counts, 'running')).toBe(3);
    expect(countOf(counts, 'finished')).toBe(9);
    expect(activeCount(counts)).toBe(7);
  });
});

describe('progress', () => {
  it('is 100 percent at the end and never before', () => {
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

  it('is unknown where there is nothing to measure by', () => {
    expect(percentOf(0, 0)).toBeNull();
    expect(jobPercent(jobOf({ bytesTotal: 0, bytesDone: 0, partsTotal: 0, partsDone: 0 }))).toBeNull();
  });

  it('goes by parts where no bytes are counted', () => {
    expect(jobPercent(jobOf({ bytesTotal: 0, bytesDone: 0 }))).toBe(40);
  });

  it('of all is shown below 100 while anything runs', () => {
    const counts = countsOf({ byState: { completing: 1 }, bytesTotal: 10, bytesDone: 10 });
    expect(totalProgress(counts)).toEqual({ kind: 'running', count: 1, percent: 99 });
    expect(totalProgress(countsOf({ byState: { done: 3, paused: 1 } }))).toEqual({ kind: 'idle' });
  });
});

it('the announced progress changes at most four times, and when a transfer begins or ends', () => {
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

describe('pages', () => {
  it('cover the rows in sight', () => {
    expect(pagesOf(0, 10, 100)).toEqual([0]);
    expect(pagesOf(95, 205, 100)).toEqual([0, 1, 2]);
    expect(pagesOf(0, -1, 100)).toEqual([]);
  });
});

it('no share is shown of a list that still grows', () => {
  expect(jobPercent(jobOf({ state: 'preparing', bytesDone: 5, bytesTotal: 10 }))).toBeNull();
  expect(jobPercent(jobOf({ state: 'transferring', bytesDone: 5, bytesTotal: 10 }))).toBe(50);
});
