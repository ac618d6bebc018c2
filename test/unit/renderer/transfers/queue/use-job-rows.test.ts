import { describe, expect, it } from 'vitest';
import { needsReading } from '../../../../../renderer/features/transfers/queue/use-job-rows.ts';
import type { JobsEvent } from '../../../../../shared/models/jobs.ts';
import { countsOf, jobOf } from './fixtures.ts';

const event = (changes: Partial<JobsEvent> = {}): JobsEvent => ({
  changed: [],
  removed: [],
  reload: false,
  counts: countsOf({ total: 300 }),
  settled: [],
  ...changes,
});

describe('the job table', () => {
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
