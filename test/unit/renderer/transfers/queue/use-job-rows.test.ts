import { describe, expect, it } from 'vitest';
import {
  emptyJobs,
  indexOfJob,
  jobAt,
  type JobTable,
  needsReading,
  withChanges,
} from '../../../../../renderer/features/transfers/queue/use-job-rows.ts';
import type { JobsEvent } from '../../../../../shared/models/jobs.ts';
import { countsOf, jobOf } from './fixtures.ts';

const table: JobTable = {
  total: 300,
  pages: new Map([
    [0, [jobOf({ id: 'a' }), jobOf({ id: 'b' })]],
    [2, [jobOf({ id: 'c' })]],
  ]),
};
const event = (changes: Partial<JobsEvent> = {}): JobsEvent => ({
  changed: [],
  removed: [],
  reload: false,
  counts: countsOf({ total: 300 }),
  settled: [],
  ...changes,
});

describe('the job table', () => {
  it('finds jobs by position and by id', () => {
    expect(jobAt(table, 1)?.id).toBe('b');
    expect(jobAt(table, 200)?.id).toBe('c');
    expect(jobAt(table, 100)).toBeNull();
    expect(indexOfJob(table, 'c')).toBe(200);
    expect(indexOfJob(table, 'x')).toBe(-1);
    expect(jobAt(emptyJobs, 0)).toBeNull();
  });

  it('keeps the pages of unchanged jobs identical', () => {
    const next = withChanges(table, [jobOf({ id: 'a', state: 'done' })]);
    expect(jobAt(next, 0)?.state).toBe('done');
    expect(next.pages.get(2)).toBe(table.pages.get(2));
    expect(withChanges(table, [jobOf({ id: 'elsewhere' })])).toBe(table);
  });

  it('is re-read only if rows may have been added, removed or moved', () => {
    const before = countsOf({ total: 300 });
    expect(needsReading(event({ changed: [jobOf({ id: 'a' })] }), before, false)).toBe(false);
    expect(needsReading(event({ removed: ['a'] }), before, false)).toBe(true);
    expect(needsReading(event({ reload: true }), before, false)).toBe(true);
    expect(needsReading(event({ counts: countsOf({ total: 301 }) }), before, false)).toBe(true);
    const moved = event({ counts: countsOf({ total: 300, byState: { done: 1 } }) });
    expect(needsReading(moved, before, false)).toBe(false);
    expect(needsReading(moved, before, true)).toBe(true);
  });
});
