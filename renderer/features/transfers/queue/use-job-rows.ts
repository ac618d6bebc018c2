import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { Job, JobCounts, JobFilter, JobsEvent } from '../../../../shared/models/jobs.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { jobPageSize, pagesOf } from './job-progress.ts';
import { onJobsEvent, useJobsNow } from './jobs-store.ts';

/** The jobs that were loaded, as pages in the core's order. */
export interface JobTable {
  readonly pages: ReadonlyMap<number, readonly Job[]>;
  readonly total: number;
}

export const emptyJobs: JobTable = { pages: new Map(), total: 0 };

export function jobAt(table: JobTable, index: number): Job | null {
  return table.pages.get(Math.floor(index / jobPageSize))?.[index % jobPageSize] ?? null;
}

export function indexOfJob(table: JobTable, jobId: string): number {
  for (const [page, jobs] of table.pages) {
    const at = jobs.findIndex(({ id }) => id === jobId);
    if (at >= 0) return page * jobPageSize + at;
  }
  return -1;
}

/** Applies changes to the loaded jobs. Pages without changes keep their identity. */
export function withChanges(table: JobTable, changed: readonly Job[]): JobTable {
  if (changed.length === 0) return table;
  const byId = new Map(changed.map((job) => [job.id, job]));
  const pages = new Map(table.pages);
  let touched = false;
  for (const [page, jobs] of table.pages) {
    if (!jobs.some(({ id }) => byId.has(id))) continue;
    touched = true;
    pages.set(
      page,
      jobs.map((job) => byId.get(job.id) ?? job),
    );
  }
  return touched ? { ...table, pages } : table;
}

/** Returns true if rows may have been added, removed or moved. The visible pages must then be loaded again. */
export function needsReading(event: JobsEvent, before: JobCounts | null, isFiltered: boolean): boolean {
  if (event.reload || event.removed.length > 0 || before === null) return true;
  if (event.counts.total !== before.total) return true;
  return isFiltered && JSON.stringify(event.counts.byState) !== JSON.stringify(before.byState);
}

/** Minimum interval between reloads of changed rows. */
const restMs = 400;

export interface JobRows {
  readonly table: JobTable;
  readonly isPending: boolean;
  readonly error: AppError | null;
  readonly onRange: (first: number, last: number) => void;
  readonly refresh: () => void;
}

/** Loads the visible jobs and updates them from the core's events. */
export function useJobRows(filter: JobFilter): JobRows {
  const [table, setTable] = useState(emptyJobs);
  const [isPending, setPending] = useState(true);
  const [error, setError] = useState<AppError | null>(null);
  const pages = useRef(table.pages);
  const sight = useRef({ first: 0, last: 30 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reader = useRef<AbortController | null>(null);

  const show = useCallback((make: (before: JobTable) => JobTable) => {
    setTable((before) => {
      const next = make(before);
      pages.current = next.pages;
      return next;
    });
  }, []);

  /** Loads pages. With `fresh`, aborts earlier requests and drops the loaded rows, which may have moved. */
  const read = useCallback(
    async (wanted: readonly number[], fresh: boolean) => {
      if (fresh) reader.current?.abort();
      const mine = fresh || reader.current === null ? new AbortController() : reader.current;
      reader.current = mine;
      try {
        const answers = await Promise.all(
          wanted.map((page) =>
            rpc.jobs.list(
              { offset: page * jobPageSize, limit: jobPageSize, filter },
              { signal: mine.signal },
            ),
          ),
        );
        if (mine.signal.aborted) return;
        show((before) => {
          const next = new Map(fresh ? [] : before.pages);
          for (const [at, page] of wanted.entries()) next.set(page, answers[at]?.jobs ?? []);
          return { pages: next, total: answers.at(-1)?.total ?? before.total };
        });
        setError(null);
        setPending(false);
      } catch (thrown) {
        if (mine.signal.aborted) return;
        setError(appErrorOf(thrown));
        setPending(false);
      }
    },
    [filter, show],
  );

  const refresh = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    void read(pagesOf(sight.current.first, sight.current.last), true);
  }, [read]);

  useEffect(() => {
    const first = setTimeout(refresh, 0);
    return () => {
      clearTimeout(first);
      clearTimeout(timer.current);
      timer.current = undefined;
      reader.current?.abort();
    };
  }, [refresh]);

  const isFiltered = filter.states !== null || filter.connectionId !== null || filter.text !== undefined;
  const counts = useRef<JobCounts | null>(useJobsNow().counts);
  useEffect(
    () =>
      onJobsEvent((event) => {
        const before = counts.current;
        counts.current = event.counts;
        show((now) => withChanges(now, event.changed));
        if (!needsReading(event, before, isFiltered)) return;
        if (timer.current === undefined) timer.current = setTimeout(refresh, restMs);
      }),
    [isFiltered, refresh, show],
  );

  const onRange = useCallback(
    (first: number, last: number) => {
      sight.current = { first, last };
      const missing = pagesOf(first, last).filter((page) => !pages.current.has(page));
      if (missing.length > 0) void read(missing, false);
    },
    [read],
  );
  return { table, isPending, error, onRange, refresh };
}
