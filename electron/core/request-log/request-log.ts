import type { RequestLogEntry } from '../../../shared/models/settings.ts';
import type { Clock } from '../ports.ts';
import type { RequestLogSink } from '../s3/model/request-types.ts';
import { logAsJson, logAsText, type LoggedRequest } from './export.ts';

export interface RequestLog {
  /** Returns the sink that receives the entries of one connection's client. */
  sinkFor(connectionId: string): RequestLogSink;
  /** Returns entries, newest first. */
  list(options: {
    readonly beforeId: number | null;
    readonly limit: number;
    readonly connectionId: string | null;
  }): RequestLogEntry[];
  /** Yields the newest id when entries were added, at most four times a second. */
  watch(signal: AbortSignal | undefined): AsyncGenerator<{ newestId: number }, void, void>;
  export(format: 'text' | 'json'): { fileName: string; text: string };
  clear(): void;
}

const capacity = 5000;
const pauseMs = 250;

/** Creates the log of recent requests. It is only in memory, because requests are private and must not outlive the program. */
export function createRequestLog(clock: Clock): RequestLog {
  let entries: LoggedRequest[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();

  const add = (connectionId: string, entry: Omit<RequestLogEntry, 'id'>): void => {
    lastId += 1;
    entries.push({ ...entry, id: lastId, connectionId });
    if (entries.length >= 2 * capacity) entries = entries.slice(-capacity);
    for (const listener of listeners) listener();
  };
  const kept = (): readonly LoggedRequest[] => entries.slice(-capacity);

  async function* watch(signal: AbortSignal | undefined): AsyncGenerator<{ newestId: number }, void, void> {
    let lastReportedId = lastId;
    let wake: (() => void) | null = null;
    const isOver = (): boolean => signal?.aborted === true;
    const listener = (): void => wake?.();
    listeners.add(listener);
    signal?.addEventListener('abort', listener);
    try {
      while (!isOver()) {
        if (lastId === lastReportedId) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          wake = null;
          continue;
        }
        lastReportedId = lastId;
        yield { newestId: lastReportedId };
        await clock.sleep(pauseMs, signal);
      }
    } catch (thrown) {
      if (!isOver()) throw thrown;
    } finally {
      listeners.delete(listener);
      signal?.removeEventListener('abort', listener);
    }
  }

  return {
    sinkFor: (connectionId) => (entry) => add(connectionId, entry),
    list: ({ beforeId, limit, connectionId }) => {
      const found: RequestLogEntry[] = [];
      const all = kept();
      for (let index = all.length - 1; index >= 0 && found.length < limit; index--) {
        const entry = all[index];
        if (entry === undefined || (beforeId !== null && entry.id >= beforeId)) continue;
        if (connectionId !== null && entry.connectionId !== connectionId) continue;
        found.push(entry);
      }
      return found;
    },
    watch,
    export: (format) => {
      const stamp = new Date(clock.nowMs()).toISOString().slice(0, 19).replaceAll(':', '-');
      return format === 'json'
        ? { fileName: `cooper-requests-${stamp}.json`, text: logAsJson(kept()) }
        : { fileName: `cooper-requests-${stamp}.txt`, text: logAsText(kept()) };
    },
    clear: () => {
      entries = [];
      lastId += 1;
      for (const listener of listeners) listener();
    },
  };
}
