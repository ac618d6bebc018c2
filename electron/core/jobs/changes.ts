import {
  jobStates,
  type SettledJob,
  type Job,
  type JobCounts,
  type JobsEvent,
  type JobState,
} from '../../../shared/models/jobs.ts';
import type { Clock } from '../ports.ts';
import type { JobStore } from './job-store.ts';
import { isResting } from './job.ts';

/** Interval between events in ms: at most four a second. */
const coalesceMs = 250;
const maxChanged = 200;

interface Watcher {
  readonly changed: Set<string>;
  readonly removed: Set<string>;
  readonly settled: Map<string, SettledJob>;
  isReordered: boolean;
  wake: (() => void) | null;
}

/** Reports coalesced changes to windows, and keeps the counts of jobs up to date without queries. */
export class JobChanges {
  readonly #clock: Clock;
  readonly #modelOf: (jobId: string) => Job | null;
  readonly #watchers = new Set<Watcher>();
  readonly #counts = new Map<string, number>();
  /** The bytes of jobs that are not at rest, as far as reported in this run of the program. */
  readonly #bytes = new Map<string, { total: number; done: number }>();
  #broken: number;
  #closed = false;

  constructor(clock: Clock, store: JobStore, modelOf: (jobId: string) => Job | null) {
    this.#clock = clock;
    this.#modelOf = modelOf;
    for (const [state, count] of store.countsByState()) this.#counts.set(state, count);
    this.#broken = store.brokenCount();
  }

  counts(): JobCounts {
    const byState: Partial<Record<JobState, number>> = {};
    let total = 0;
    for (const state of jobStates) {
      const count = this.#counts.get(state) ?? 0;
      if (count > 0) byState[state] = count;
      total += count;
    }
    let bytesTotal = 0;
    let bytesDone = 0;
    for (const bytes of this.#bytes.values()) {
      bytesTotal += bytes.total;
      bytesDone += bytes.done;
    }
    return { total, byState, broken: this.#broken, bytesTotal, bytesDone };
  }

  added(state: JobState): void {
    this.#add(state, 1);
  }

  moved(from: JobState, to: JobState): void {
    if (from === to) return;
    this.#add(from, -1);
    this.#add(to, 1);
  }

  broke(state: string): void {
    this.#add(state, -1);
    this.#broken += 1;
    for (const watcher of this.#watchers) watcher.wake?.();
  }

  removed(jobId: string, state: JobState): void {
    this.#add(state, -1);
    this.#bytes.delete(jobId);
    for (const watcher of this.#watchers) {
      watcher.changed.delete(jobId);
      watcher.removed.add(jobId);
      watcher.wake?.();
    }
  }

  touch(jobId: string): void {
    for (const watcher of this.#watchers) {
      watcher.changed.add(jobId);
      watcher.wake?.();
    }
  }

  /** Makes the watchers reload the rows, whose order changed. */
  reordered(): void {
    for (const watcher of this.#watchers) {
      watcher.isReordered = true;
      watcher.wake?.();
    }
  }

  settled({ id, kind, state, reason, connectionId, bucket, target }: SettledJob): void {
    // Without a watcher, or in an event with more jobs than it may name, no later step removes them.
    this.#bytes.delete(id);
    const job = {
      id,
      kind,
      state,
      reason,
      connectionId,
      bucket,
      ...(target === undefined ? {} : { target }),
    };
    for (const watcher of this.#watchers) watcher.settled.set(id, job);
  }

  close(): void {
    this.#closed = true;
    for (const watcher of this.#watchers) watcher.wake?.();
  }

  /** Yields the counts at once, then coalesced changes until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<JobsEvent> {
    const watcher: Watcher = {
      changed: new Set(),
      removed: new Set(),
      settled: new Map(),
      isReordered: false,
      wake: null,
    };
    this.#watchers.add(watcher);
    const onAbort = (): void => watcher.wake?.();
    signal.addEventListener('abort', onAbort);
    try {
      yield this.#take(watcher);
      while (!signal.aborted && !this.#closed) {
        if (!watcher.isReordered && watcher.changed.size + watcher.removed.size + watcher.settled.size === 0)
          await wakeUp(watcher);
        if (signal.aborted || this.#closed) return;
        try {
          await this.#clock.sleep(coalesceMs, signal);
        } catch {
          return;
        }
        yield this.#take(watcher);
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#watchers.delete(watcher);
    }
  }

  #take(watcher: Watcher): JobsEvent {
    const ids = [...watcher.changed];
    const changed: Job[] = [];
    for (const id of ids.slice(0, maxChanged)) {
      const job = this.#modelOf(id);
      if (job === null) continue;
      changed.push(job);
      if (isResting(job.state)) this.#bytes.delete(id);
      else this.#bytes.set(id, { total: job.bytesTotal, done: job.bytesDone });
    }
    const event: JobsEvent = {
      changed,
      removed: [...watcher.removed],
      reload: ids.length > maxChanged || watcher.isReordered,
      counts: this.counts(),
      settled: [...watcher.settled.values()],
    };
    watcher.changed.clear();
    watcher.isReordered = false;
    watcher.removed.clear();
    watcher.settled.clear();
    return event;
  }

  #add(state: string, by: number): void {
    this.#counts.set(state, (this.#counts.get(state) ?? 0) + by);
  }
}

function wakeUp(watcher: Watcher): Promise<void> {
  return new Promise((resolve) => {
    watcher.wake = () => {
      watcher.wake = null;
      resolve();
    };
  });
}
