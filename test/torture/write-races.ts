import type { FaultProxy } from '../support/servers/fault-proxy.ts';

const reads: ReadonlySet<string> = new Set(['HeadObject', 'GetObject', 'ListObjectsV2']);
const changes: ReadonlySet<string> = new Set([
  'PutObject',
  'CopyObject',
  'CompleteMultipartUpload',
  'DeleteObject',
  'DeleteObjects',
]);
/** A request may be carried out a little after others that reached the proxy later. */
const lateRequests = 8;

/**
 * Returns true if another write may have happened between the program's check and the unconditional change based on it. `from`
 * and `to` delimit the requests that reached the proxy meanwhile. No client can close that gap on a service that ignores
 * conditions.
 */
export function mayHaveRaced(proxy: FaultProxy, key: string, from: number, to: number): boolean {
  const { journal } = proxy.faults;
  const isAbout = (one: (typeof journal)[number]): boolean => one.key === key || one.key === '';
  const isUnconditional = (one: (typeof journal)[number]): boolean =>
    isAbout(one) &&
    changes.has(one.operation) &&
    !one.headers.has('if-match') &&
    !one.headers.has('if-none-match');
  if (journal.slice(Math.max(0, from - lateRequests), to).some(isUnconditional)) return true;
  const next = journal
    .slice(to)
    .find((one) => isAbout(one) && (reads.has(one.operation) || changes.has(one.operation)));
  return next !== undefined && isUnconditional(next);
}
