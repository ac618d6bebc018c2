import type { TFunction } from 'i18next';
import type { RequestLogEntry } from '../../../shared/models/settings.ts';

export type StatusFilter = 'all' | 'ok' | 'failed' | 'retried';
export const statusFilters: readonly StatusFilter[] = ['all', 'ok', 'failed', 'retried'];

export interface LogFilter {
  readonly text: string;
  readonly status: StatusFilter;
}

export const noLogFilter: LogFilter = { text: '', status: 'all' };

/** Returns true if the request succeeded. A 304 and a followed redirect are not failures. */
export function hasSucceeded(entry: RequestLogEntry): boolean {
  return entry.error === null && entry.status !== null && entry.status < 400;
}

function fitsStatus(entry: RequestLogEntry, status: StatusFilter): boolean {
  if (status === 'all') return true;
  if (status === 'retried') return entry.tryNumber > 1;
  return hasSucceeded(entry) === (status === 'ok');
}

/** Returns true if the entry's line contains every word. */
function fitsText(entry: RequestLogEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const line = [
    entry.operation,
    entry.method,
    entry.host,
    entry.path,
    readablePath(entry.path),
    String(entry.status ?? ''),
    entry.requestId ?? '',
    entry.error ?? '',
  ]
    .join('\n')
    .toLocaleLowerCase();
  return words.every((word) => line.includes(word));
}

export function filterLog(
  entries: readonly RequestLogEntry[],
  filter: LogFilter,
): readonly RequestLogEntry[] {
  const words = filter.text
    .toLocaleLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0 && filter.status === 'all') return entries;
  return entries.filter((entry) => fitsStatus(entry, filter.status) && fitsText(entry, words));
}

/** Merges known and newly fetched entries, each id once and the newest first. */
export function mergeLog(
  known: readonly RequestLogEntry[],
  more: readonly RequestLogEntry[],
): readonly RequestLogEntry[] {
  const byId = new Map([...known, ...more].map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((a, b) => b.id - a.id);
}

/** Returns the path percent-decoded if possible. Use it for display and search, but never in a request. */
export function readablePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns an entry as one line of text, for a message to the provider. */
export function lineAsText(entry: RequestLogEntry): string {
  const parts = [
    entry.startedAt,
    entry.method,
    `${entry.host}${entry.path}`,
    entry.status === null ? 'no answer' : String(entry.status),
    `${Math.round(entry.durationMs)} ms`,
    ...(entry.tryNumber > 1 ? [`try ${entry.tryNumber}`] : []),
    ...(entry.requestId === null ? [] : [`request id ${entry.requestId}`]),
    ...(entry.error === null ? [] : [entry.error]),
  ];
  return parts.join('  ');
}

/** Formats the time of day to the millisecond, which providers ask for. */
export function timeOfDay(iso: string, locale: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).format(time);
}

export function durationText(durationMs: number, t: TFunction): string {
  return durationMs < 10_000
    ? t('requestLog.ms', { ms: Math.round(durationMs) })
    : t('requestLog.seconds', { seconds: (durationMs / 1000).toFixed(1) });
}
