import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';

export interface ReadProgress {
  readonly read: number;
  readonly total: number;
  readonly failed: number;
}

export interface ReadRest {
  /** Null while no parts are being read. */
  readonly progress: ReadProgress | null;
  readonly error: AppError | null;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Interval between re-sorts of the list while parts are read. */
const refreshMs = 1000;

/** Reads the parts of all rows for a sort order or filter that depends on them. Aborts on `stop` or when the list changes. */
export function useReadRest(scanId: string | null, refresh: () => void): ReadRest {
  const [progress, setProgress] = useState<ReadProgress | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const aborter = useRef<AbortController | null>(null);
  const onRefresh = useRef(refresh);
  useEffect(() => {
    onRefresh.current = refresh;
  }, [refresh]);
  useEffect(() => {
    if (scanId === null) return undefined;
    return () => aborter.current?.abort();
  }, [scanId]);

  const stop = useCallback(() => {
    aborter.current?.abort();
    setProgress(null);
    onRefresh.current();
  }, []);

  const start = useCallback(() => {
    if (scanId === null) return;
    aborter.current?.abort();
    const mine = new AbortController();
    aborter.current = mine;
    setError(null);
    setProgress({ read: 0, total: 0, failed: 0 });
    void (async () => {
      let refreshedAt = Date.now();
      try {
        for await (const event of await rpc.stalled.inspectAll({ scanId }, { signal: mine.signal })) {
          if (mine.signal.aborted) return;
          setProgress(event);
          if (Date.now() - refreshedAt < refreshMs) continue;
          refreshedAt = Date.now();
          onRefresh.current();
        }
      } catch (thrown) {
        if (!mine.signal.aborted) setError(appErrorOf(thrown));
      } finally {
        if (aborter.current === mine) {
          setProgress(null);
          onRefresh.current();
        }
      }
    })();
  }, [scanId]);

  return { progress, error, start, stop };
}
