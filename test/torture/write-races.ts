import type { FaultProxy } from '../support/servers/fault-proxy.ts';

const reads: ReadonlySet<string> = new Set(['HeadObject', 'GetObject', 'ListObjectsV2']);
const changes: ReadonlySet<string> = new Set([
  'PutObject',
  'CopyObject',
  'CompleteMultipartUpload',
  'DeleteObject',
  'DeleteObjects',
]);
/** A request may be carried out after this many others that reached the proxy later. */
const lateRequests = 8;

/**
 * Returns true if another write may have happened between the program's check and the unconditional change based on it. `from`
 * and `to` delimit the requests that reached the proxy meanwhile. No client can close that gap on a service that ignores
 * conditions.
 */
export function mayHaveRaced(proxy: FaultProxy, key: string, from: number, to: number): boolean {
  const { journal } = proxy.faults;
  const isAbout = (record: (typeof journal)[number]): boolean => record.key === key || record.key === '';
  const isUnconditional = (record: (typeof journal)[number]): boolean =>
    isAbout(record) &&
    changes.has(record.operation) &&
    !record.headers.has('if-match') &&
    !record.headers.has('if-none-match');
  if (journal.slice(Math.max(0, from - lateRequests), to).some(isUnconditional)) return true;
  const next = journal
    .slice(to)
    .find((record) => isAbout(record) && (reads.has(record.operation) || changes.has(record.operation)));
  return next !== undefined && isUnconditional(next);
}
