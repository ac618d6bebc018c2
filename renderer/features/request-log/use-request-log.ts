import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { RequestLogEntry } from '../../../shared/models/settings.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { mergeLog } from './log-model.ts';

const pageSize = 500;

interface LoadedLog {
  readonly entries: readonly RequestLogEntry[];
  readonly hasOlder: boolean;
}

const emptyLog: LoadedLog = { entries: [], hasOlder: false };

/**
 * Fetches entries page by page, from the newest to the newest known one. `known` is called again at the end, because older entries may
 * have been added meanwhile.
 */
async function fetchNewer(
  known: () => LoadedLog,
  connectionId: string | null,
  signal: AbortSignal,
): Promise<LoadedLog> {
  const newestKnown = known().entries[0]?.id ?? null;
  let beforeId: number | null = null;
  let found: readonly RequestLogEntry[] = [];
  for (;;) {
    const page = await rpc.requestLog.list({ beforeId, limit: pageSize, connectionId }, { signal });
    found = [...found, ...page];
    const last = page.at(-1);
    // The log ends before the known entries, so it has been cleared in the meantime.
    if (last === undefined || page.length < pageSize) {
      return { entries: mergeLog([], found), hasOlder: false };
    }
    if (newestKnown === null || last.id <= newestKnown) {
      const { entries, hasOlder } = known();
      return { entries: mergeLog(entries, found), hasOlder: newestKnown === null || hasOlder };
    }
    beforeId = last.id;
  }
}

/** Returns the entries of the request log, and adds new ones as they are logged. */
export function useRequestLog(connectionId: string | null) {
  const status = useCoreStatus();
  const generation = status.kind === 'ready' ? status.generation : 0;
  /** Null until the first entries have been read. */
  const [loaded, setLoaded] = useState<LoadedLog | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const latest = useRef<LoadedLog>(emptyLog);
  /** Aborts the request for older entries. Null if there is none. */
  const loadingOlder = useRef<AbortController | null>(null);

  const keep = useCallback((next: LoadedLog) => {
    latest.current = next;
    setLoaded(next);
    setError(null);
  }, []);
  const fail = useCallback((thrown: unknown) => {
    const problem = appErrorOf(thrown);
    if (problem.code === 'cancelled' || problem.code === 'disconnected') return;
    setError(problem);
  }, []);

  /** Older entries of another connection, or from before the log was cleared, must not join this log. */
  const stopLoadingOlder = useCallback(() => {
    loadingOlder.current?.abort();
    loadingOlder.current = null;
  }, []);

  useEffect(() => {
    if (generation === 0) return undefined;
    const aborter = new AbortController();
    const { signal } = aborter;
    const follow = async () => {
      // Subscribes before fetching, so that an entry logged in between is not missed.
      const changes = await rpc.requestLog.watch(undefined, { signal });
      keep(await fetchNewer(() => emptyLog, connectionId, signal));
      for await (const { newestId } of changes) {
        if (signal.aborted) return;
        // The log was cleared if its ids restart or it is empty.
        const wasCleared = newestId < (latest.current.entries[0]?.id ?? 0);
        const known = () => (wasCleared ? emptyLog : latest.current);
        const next = await fetchNewer(known, connectionId, signal);
        if (!signal.aborted) keep(next);
      }
    };
    follow().catch((thrown: unknown) => {
      if (!signal.aborted) fail(thrown);
    });
    return () => {
      aborter.abort();
      stopLoadingOlder();
    };
  }, [connectionId, generation, keep, fail, stopLoadingOlder]);

  const loadOlder = useCallback(() => {
    const oldest = latest.current.entries.at(-1);
    if (loadingOlder.current !== null || oldest === undefined || !latest.current.hasOlder) return;
    const aborter = new AbortController();
    const { signal } = aborter;
    loadingOlder.current = aborter;
    const load = async () => {
      const page = await rpc.requestLog.list(
        { beforeId: oldest.id, limit: pageSize, connectionId },
        { signal },
      );
      if (signal.aborted) return;
      keep({ entries: mergeLog(latest.current.entries, page), hasOlder: page.length === pageSize });
      loadingOlder.current = null;
    };
    load().catch((thrown: unknown) => {
      if (signal.aborted) return;
      loadingOlder.current = null;
      fail(thrown);
    });
  }, [connectionId, keep, fail]);

  const clear = useCallback(async () => {
    await rpc.requestLog.clear();
    stopLoadingOlder();
    keep(emptyLog);
  }, [keep, stopLoadingOlder]);

  const isLoading = loaded === null && error === null;
  return { ...(loaded ?? emptyLog), isLoading, error, loadOlder, clear };
}
