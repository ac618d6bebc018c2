import type { Job, JobCounts, JobsEvent } from '../../../../shared/models/jobs.ts';
import { jobPageSize } from './job-progress.ts';

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
