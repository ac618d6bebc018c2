import { useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { JobCounts, JobsEvent } from '../../../shared/models/jobs.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';

interface JobsNow {
  /** null: not known yet. */
  readonly counts: JobCounts | null;
  readonly error: AppError | null;
  /** Grows each time that jobs came to rest: what they worked on may look different now. */
  readonly settledSerial: number;
}

let now: JobsNow = { counts: null, error: null, settledSerial: 0 };
const listeners = new Set<() => void>();
const eventListeners = new Set<(event: JobsEvent) => void>();

function set(change: Partial<JobsNow>): void {
  now = { ...now, ...change };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The counts, in every place of the window that shows them. */
export function useJobsNow(): JobsNow {
  return useSyncExternalStore(subscribe, () => now);
}

/** Hears of every change until the function it returns is called. */
export function onJobsEvent(listener: (event: JobsEvent) => void): () => void {
  eventListeners.add(listener);
  return () => {
    eventListeners.delete(listener);
  };
}

/** Follows the jobs until the signal; one stream for the whole window. */
export async function followJobs(signal: AbortSignal): Promise<void> {
  try {
    const events = await rpc.jobs.watch(undefined, { signal });
    set({ counts: await rpc.jobs.counts(undefined, { signal }), error: null });
    for await (const event of events) {
      set({
        counts: event.counts,
        ...(event.settled.length > 0 ? { settledSerial: now.settledSerial + 1 } : {}),
      });
      for (const listener of eventListeners) listener(event);
    }
  } catch (thrown) {
    // A lost channel is shown by the banner, and followed again after it.
    const error = appErrorOf(thrown);
    if (!signal.aborted && error.code !== 'disconnected') set({ error });
  }
}
