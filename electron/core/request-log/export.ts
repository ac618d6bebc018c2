import type { RequestLogEntry } from '../../../shared/models/settings.ts';

export type LoggedRequest = RequestLogEntry & { readonly connectionId: string };

/** The fields with a fixed position in a line. All other fields follow with their names. */
const placed: ReadonlySet<string> = new Set<keyof LoggedRequest>([
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
export function logAsText(entries: readonly LoggedRequest[]): string {
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
        .filter(([field]) => !placed.has(field))
        .map(([field, value]) => `${field} ${visible(String(value))}`),
    ].join('  '),
  );
  return lines.length === 0 ? 'No requests were made.\n' : `${lines.join('\n')}\n`;
}

export function logAsJson(entries: readonly LoggedRequest[]): string {
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
