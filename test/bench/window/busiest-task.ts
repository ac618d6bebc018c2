import type { Page } from '@playwright/test';

export interface WithBusiestTask<T> {
  readonly value: T;
  /** The largest processor time of one task of the page, in milliseconds. */
  readonly busiestTaskMs: number;
}

interface TraceEvent {
  readonly pid: number;
  readonly tid: number;
  readonly name: string;
  /** The thread time in microseconds. Absent for a task during which the trace began or ended. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/**
 * Runs the work and measures the processor time of the page's tasks meanwhile. Unlike their duration, it does not include waiting
 * for the processor or the compositor on a busy computer.
 */
export async function withBusiestTask<T>(page: Page, work: () => Promise<T>): Promise<WithBusiestTask<T>> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page belongs to no browser.');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const value = await work();
  const trace = await browser.stopTracing();
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  const mains = new Set(
    traceEvents.flatMap(({ name, args, pid, tid }) =>
      name === 'thread_name' && args?.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
  const tasksMs = traceEvents.flatMap(({ name, pid, tid, tdur }) =>
    name === 'ThreadControllerImpl::RunTask' && mains.has(`${pid} ${tid}`) && tdur !== undefined
      ? [tdur / 1000]
      : [],
  );
  if (tasksMs.length === 0) throw new Error('The trace has no task of a page.');
  return { value, busiestTaskMs: tasksMs.reduce((longest, ms) => Math.max(longest, ms), 0) };
}
