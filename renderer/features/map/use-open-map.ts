import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { MapStatus } from '../../../shared/models/map.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { followMap, RefreshClick, type MapCalls } from './follow-map.ts';
import type { MapPlace } from './map-services.ts';

export interface WatchedMap {
  /** Null until the core has reported a status. */
  readonly status: MapStatus | null;
  readonly error: AppError | null;
  /** Reads all keys again. */
  readonly refresh: () => void;
}

interface State {
  readonly name: string;
  readonly status: MapStatus | null;
  readonly error: AppError | null;
}

/** Returns the known content of a folder: at once from a catalogue, or growing while all its keys are listed. */
export function useOpenMap({ connectionId, bucket, folder }: MapPlace): WatchedMap {
  const name = JSON.stringify([connectionId, bucket, folder]);
  const [state, setState] = useState<State>({ name, status: null, error: null });
  const [click, setClick] = useState(() => new RefreshClick(null));
  const core = useCoreStatus();
  const generation = core.kind === 'ready' ? core.generation : 0;
  useEffect(() => {
    if (generation === 0) return undefined;
    const aborter = new AbortController();
    const { signal } = aborter;
    const calls: MapCalls = {
      open: async (refresh) => await rpc.map.open({ connectionId, bucket, prefix: folder, refresh }),
      watch: async (mapId) => await rpc.map.watch({ mapId }, { signal }),
      wait: async (delayMs) => await waitFor(delayMs, signal),
      nowMs: () => performance.now(),
    };
    const onStatus = (status: MapStatus): void => setState({ name, status, error: null });
    followMap(calls, click.take(name), signal, onStatus).catch((thrown: unknown) => {
      const error = appErrorOf(thrown);
      // A banner already says that the core is unreachable.
      if (signal.aborted || error.code === 'disconnected') return;
      setState((before) => ({ name, status: before.name === name ? before.status : null, error }));
    });
    return () => aborter.abort();
  }, [name, connectionId, bucket, folder, generation, click]);
  const refresh = useCallback(() => setClick(new RefreshClick(name)), [name]);
  // The map of a parent folder contains this folder. It is shown until the core has responded.
  const isFolderCovered = state.name === name || isAbove(state.status, { connectionId, bucket, folder });
  return {
    status: isFolderCovered ? state.status : null,
    error: state.name === name ? state.error : null,
    refresh,
  };
}

/** Resolves after the delay, or when the signal aborts. */
function waitFor(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

function isAbove(status: MapStatus | null, { connectionId, bucket, folder }: MapPlace): boolean {
  return (
    status !== null &&
    status.connectionId === connectionId &&
    status.bucket === bucket &&
    folder.startsWith(status.prefix)
  );
}

/**
 * Returns the latest response to requests that change faster than responses arrive. Sends one request at a time, then the most
 * recent one. `name` identifies a request. The previous response stays until a newer response arrives.
 */
export function useLatestResponse<T>(
  name: string | null,
  ask: () => Promise<T>,
): { readonly answer: T | null; readonly error: unknown } {
  const [state, setState] = useState<{ readonly answer: T | null; readonly error: unknown }>({
    answer: null,
    error: null,
  });
  const latest = useRef({ name, ask });
  const isAsking = useRef(false);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  useEffect(() => {
    latest.current = { name, ask };
    if (isAsking.current || name === null) return;
    isAsking.current = true;
    void (async () => {
      for (
        let requestedName: string | null = null;
        isMounted.current && latest.current.name !== requestedName;
      ) {
        requestedName = latest.current.name;
        if (requestedName === null) break;
        try {
          const reply = await latest.current.ask();
          if (isMounted.current) setState({ answer: reply, error: null });
        } catch (error) {
          if (isMounted.current) setState((before) => ({ ...before, error }));
        }
      }
      isAsking.current = false;
    })();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the name identifies the question
  }, [name]);
  return state;
}
