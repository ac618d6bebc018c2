import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { ScanEvent } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { UploadsWhere } from '../model/list-query.ts';

export type ScanStatus = 'running' | 'done' | 'stopped' | 'failed';

export interface Scan {
  readonly status: ScanStatus;
  /** The results so far. After a restart, the previous results stay until the new search reports. */
  readonly event: ScanEvent | null;
  readonly error: AppError | null;
  readonly restart: () => void;
  readonly stop: () => void;
}

interface State extends Pick<Scan, 'status' | 'event' | 'error'> {
  /** The search to which this state belongs. */
  readonly run: number;
}

/** Searches for stalled uploads in a location. Stops when the user leaves the location. */
export function useScan(where: UploadsWhere): Scan {
  const { connectionId, bucket, prefix } = where;
  const [run, setRun] = useState(1);
  const [state, setState] = useState<State>({ run: 1, status: 'running', event: null, error: null });
  const aborter = useRef<AbortController | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    aborter.current = controller;
    const report = (change: Change): void => {
      if (!controller.signal.aborted) setState((now) => ({ ...now, error: null, ...change, run }));
    };
    void follow({ connectionId, bucket, prefix }, controller.signal, report);
    return () => controller.abort();
  }, [connectionId, bucket, prefix, run]);

  const restart = useCallback(() => setRun((now) => now + 1), []);
  const stop = useCallback(() => {
    aborter.current?.abort();
    setState((now) => ({ ...now, run, status: 'stopped' }));
  }, [run]);
  const { event } = state;
  return state.run === run
    ? { ...state, restart, stop }
    : { status: 'running', event, error: null, restart, stop };
}

type Change = Partial<Omit<State, 'run'>>;

async function follow(
  where: UploadsWhere,
  signal: AbortSignal,
  report: (change: Change) => void,
): Promise<void> {
  try {
    for await (const event of await rpc.stalled.scan(where, { signal }))
      report({ event, status: event.finished ? 'done' : 'running' });
    report({ status: 'done' });
  } catch (thrown) {
    report({ status: 'failed', error: appErrorOf(thrown) });
  }
}

interface ReadProgress {
  readonly read: number;
  readonly total: number;
  readonly failed: number;
}

export type ReadRest = ReturnType<typeof useReadRest>;

/** Interval between re-sorts of the list while parts are read. */
const refreshMs = 1000;

/** Reads the parts of all rows for a sort order or filter that depends on them. Aborts on `stop` or when the list changes. */
export function useReadRest(scanId: string | null, refresh: () => void) {
  /** Null while no parts are being read. */
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
    const controller = new AbortController();
    aborter.current = controller;
    setError(null);
    setProgress({ read: 0, total: 0, failed: 0 });
    void (async () => {
      let refreshedAt = Date.now();
      try {
        for await (const event of await rpc.stalled.inspectAll({ scanId }, { signal: controller.signal })) {
          if (controller.signal.aborted) return;
          setProgress(event);
          if (Date.now() - refreshedAt < refreshMs) continue;
          refreshedAt = Date.now();
          onRefresh.current();
        }
      } catch (thrown) {
        if (!controller.signal.aborted) setError(appErrorOf(thrown));
      } finally {
        if (aborter.current === controller) {
          setProgress(null);
          onRefresh.current();
        }
      }
    })();
  }, [scanId]);

  return { progress, error, start, stop };
}
