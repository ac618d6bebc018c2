import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { Job, JobCounts, JobFilter, JobsEvent } from '../../../../shared/models/jobs.ts';
import { rpc } from '../../../rpc/client.ts';
import type { ReadRange } from '../../../ui/table/range-rows.ts';
import { useRangeRows, type RangeRowsInView } from '../../../ui/table/use-range-rows.ts';
import { onJobsEvent, useJobsNow } from './jobs-store.ts';

/** Returns true if rows may have been added, removed or moved. The visible pages must then be loaded again. */
export function needsReading(event: JobsEvent, before: JobCounts | null, isFiltered: boolean): boolean {
  if (event.reload || event.removed.length > 0 || before === null) return true;
  if (event.counts.total !== before.total) return true;
  return isFiltered && JSON.stringify(event.counts.byState) !== JSON.stringify(before.byState);
}

/** Minimum interval between reloads of changed rows. */
const restMs = 400;

/** Loads the visible jobs and updates them from the core's events. */
export function useJobRows(filter: JobFilter): RangeRowsInView<Job> {
  const read = useMemo<ReadRange<Job>>(
    () => async (range, signal) => {
      const { jobs, total } = await rpc.jobs.list({ ...range, filter }, { signal });
      return { rows: jobs, total };
    },
    [filter],
  );
  const rows = useRangeRows(read, '', false);
  const { refresh: reload, revise } = rows;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refresh = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    reload();
  }, [reload]);
  const isFiltered = filter.states !== null || filter.connectionId !== null || filter.text !== undefined;
  const counts = useRef<JobCounts | null>(useJobsNow().counts);
  useEffect(() => {
    const stop = onJobsEvent((event) => {
      const before = counts.current;
      counts.current = event.counts;
      const changed = new Map(event.changed.map((job) => [job.id, job]));
      revise((job) => changed.get(job.id) ?? job);
      if (!needsReading(event, before, isFiltered)) return;
      if (timer.current === undefined) timer.current = setTimeout(refresh, restMs);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [isFiltered, refresh, revise]);
  return { ...rows, refresh };
}
