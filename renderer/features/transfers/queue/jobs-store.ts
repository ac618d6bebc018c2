import { create } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../../shared/errors.ts';
import type { JobCounts, JobsEvent } from '../../../../shared/models/jobs.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';

interface JobsNow {
  /** Null while unknown. */
  readonly counts: JobCounts | null;
  readonly error: AppError | null;
  /** A number that grows each time jobs have ended. It triggers a reload of all that they may have changed. */
  readonly settledSerial: number;
}

/** The numbers of jobs by state, shared by all parts of the window that show them. */
export const useJobsNow = create<JobsNow>()(() => ({ counts: null, error: null, settledSerial: 0 }));

const jobsEvents = createStore<{ readonly last: JobsEvent | null }>()(() => ({ last: null }));

/** Calls the listener on every change until the returned function is called. */
export function onJobsEvent(listener: (event: JobsEvent) => void): () => void {
  return jobsEvents.subscribe(({ last }) => {
    if (last !== null) listener(last);
  });
}

/** Receives job events from the core until the signal aborts. The whole window shares this stream. */
export async function followJobs(signal: AbortSignal): Promise<void> {
  try {
    const events = await rpc.jobs.watch(undefined, { signal });
    useJobsNow.setState({ counts: await rpc.jobs.counts(undefined, { signal }), error: null });
    // Changes before the first event were missed, for example while the connection to the core was lost.
    let reload = true;
    for await (const event of events) {
      useJobsNow.setState(({ settledSerial }) => ({
        counts: event.counts,
        settledSerial: settledSerial + (event.settled.length > 0 ? 1 : 0),
      }));
      jobsEvents.setState({ last: reload ? { ...event, reload } : event });
      reload = false;
    }
  } catch (thrown) {
    // A banner shows a lost connection to the core, and the stream is restarted after it.
    const error = appErrorOf(thrown);
    if (!signal.aborted && error.code !== 'disconnected') useJobsNow.setState({ error });
  }
}
