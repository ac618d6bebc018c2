import { useCallback, useEffect, useRef, useState } from 'react';
import { AppFailure, type AppError } from '../../../shared/errors.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import type { Chosen, OperationPlace } from './chosen.ts';

interface Sum {
  readonly keys: number;
  readonly sizeBytes: number;
  readonly requests: number;
}

export interface Count extends Sum {
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly error: AppError | null;
}

/** Number of folders counted at the same time. Each count already sends requests in parallel. */
const walksAtOnce = 2;

/** Counts the objects in the selected rows while the dialog is open. Counts a folder by listing all keys below it. */
export function useCount(
  place: OperationPlace,
  rows: readonly Chosen[],
): { readonly count: Count; readonly stop: () => void } {
  const [count, setCount] = useState(() => startOf(rows));
  const aborter = useRef<AbortController | null>(null);
  const { connectionId, bucket } = place;
  useEffect(() => {
    const folders = rows.filter(({ kind }) => kind === 'folder');
    if (folders.length === 0) return undefined;
    const current = new AbortController();
    aborter.current = current;
    const known = startOf(rows);
    const sums = new Map<string, Sum>();
    const show = (prefix: string, sum: Sum): void => {
      sums.set(prefix, sum);
      if (!current.signal.aborted) setCount({ ...known, ...added(known, sums.values()) });
    };
    const waiting = folders.map(({ key }) => key);
    const work = async (): Promise<void> => {
      for (let prefix = waiting.shift(); prefix !== undefined; prefix = waiting.shift())
        await walk({ connectionId, bucket, prefix }, current.signal, show);
    };
    void (async () => {
      try {
        await Promise.all(Array.from({ length: walksAtOnce }, work));
        if (!current.signal.aborted) setCount((now) => ({ ...now, state: 'done' }));
      } catch (thrown) {
        if (!current.signal.aborted)
          setCount((now) => ({ ...now, state: 'failed', error: appErrorOf(thrown) }));
        current.abort();
      }
    })();
    return () => current.abort();
  }, [connectionId, bucket, rows]);
  const stop = useCallback(() => {
    aborter.current?.abort();
    setCount((now) => (now.state === 'running' ? { ...now, state: 'stopped' } : now));
  }, []);
  return { count, stop };
}

function startOf(rows: readonly Chosen[]): Count {
  const objects = rows.filter(({ kind }) => kind === 'object');
  return {
    keys: objects.length,
    sizeBytes: objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    requests: 0,
    state: objects.length === rows.length ? 'done' : 'running',
    error: null,
  };
}

function added(known: Sum, sums: Iterable<Sum>): Sum {
  let { keys, sizeBytes, requests } = known;
  for (const sum of sums) {
    keys += sum.keys;
    sizeBytes += sum.sizeBytes;
    requests += sum.requests;
  }
  return { keys, sizeBytes, requests };
}

/** Counts one folder completely, then closes its walk (the listing of its keys) in the core. */
async function walk(
  where: { readonly connectionId: string; readonly bucket: string; readonly prefix: string },
  signal: AbortSignal,
  show: (prefix: string, sum: Sum) => void,
): Promise<void> {
  if (signal.aborted) return;
  const { walkId } = await rpc.walks.start({ ...where, query: null });
  try {
    for await (const status of await rpc.walks.watch({ walkId }, { signal })) {
      show(where.prefix, status);
      if (status.state === 'failed' && status.error !== null) throw new AppFailure(status.error);
    }
  } finally {
    // The call fails if the walk was closed elsewhere, which needs no handling.
    await rpc.walks.close({ walkId }).catch(() => undefined);
  }
}
