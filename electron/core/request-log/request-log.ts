import type { RequestLogEntry } from '../../../shared/models/settings.ts';
import type { Clock } from '../ports.ts';
import type { RequestLogSink } from '../s3/model/request-types.ts';

export interface RequestLog {
  /** Returns the sink that receives the entries of one connection's client. */
  sinkFor(connectionId: string): RequestLogSink;
  /** Returns entries, newest first. */
  list(options: {
    readonly beforeId: number | null;
    readonly limit: number;
    readonly connectionId: string | null;
  }): RequestLogEntry[];
  /** Yields the newest id when entries have been added, at most four times a second. */
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
  const recentEntries = (): readonly LoggedRequest[] => entries.slice(-capacity);

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
      const all = recentEntries();
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
        ? { fileName: `cooper-requests-${stamp}.json`, text: logAsJson(recentEntries()) }
        : { fileName: `cooper-requests-${stamp}.txt`, text: logAsText(recentEntries()) };
    },
    clear: () => {
      entries = [];
      lastId += 1;
      for (const listener of listeners) listener();
    },
  };
}

type LoggedRequest = RequestLogEntry & { readonly connectionId: string };

/** The fields with a fixed position in a line. All other fields follow with their names. */
const positionedFields: ReadonlySet<string> = new Set<keyof LoggedRequest>([
  'id',
  'connectionId',
  'startedAt',
  'method',
  'status',
  'durationMs',
  'tryNumber',
  'requestBytes',
  'responseBytes',
  'requestId',
  'operation',
  'host',
  'path',
  'error',
]);

/** Returns the log as text for the user or a provider's support: one line per request, oldest first. */
function logAsText(entries: readonly LoggedRequest[]): string {
  const lines = entries.map((entry) =>
    [
      entry.startedAt,
      entry.method,
      entry.status ?? 'no answer',
      `${Math.round(entry.durationMs)} ms`,
      `try ${entry.tryNumber}`,
      `sent ${entry.requestBytes} B`,
      `received ${entry.responseBytes} B`,
      `request id ${entry.requestId ?? '-'}`,
      `${entry.operation} ${entry.host}${visible(entry.path)}`,
      ...(entry.error === null ? [] : [visible(entry.error)]),
      ...Object.entries(entry)
        .filter(([field]) => !positionedFields.has(field))
        .map(([field, value]) => `${field} ${visible(String(value))}`),
    ].join('  '),
  );
  return lines.length === 0 ? 'No requests were made.\n' : `${lines.join('\n')}\n`;
}

function logAsJson(entries: readonly LoggedRequest[]): string {
  return `${JSON.stringify(
    entries.map(({ id: _id, connectionId: _connectionId, ...entry }) => entry),
    null,
    2,
  )}\n`;
}

/** Replaces control characters and line breaks, so that a key cannot forge lines of the log. */
function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the expression replaces control characters
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '\ufffd');
}
