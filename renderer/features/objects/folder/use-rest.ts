import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { FolderSource } from './folder-source.ts';
import { loadRest } from './load-rest.ts';

/** The progress of loading the rest of one folder. */
type Rest =
  | { readonly kind: 'running' | 'in-turn'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: AppError };

export interface RestOfFolder {
  readonly isRunning: boolean;
  /** True if this folder can be listed only page by page. */
  readonly isInTurn: boolean;
  readonly error: AppError | null;
  readonly forgetError: () => void;
}

/** Loads the rest of a folder while `isWanted` is true. Leaving the folder or resetting `isWanted` aborts the requests. */
export function useLoadRest(queries: QueryClient, source: FolderSource, isWanted: boolean): RestOfFolder {
  const { id } = source;
  const [rest, setRest] = useState<Rest | null>(null);
  const current = rest?.id === id ? rest : null;
  const mayBegin = isWanted && current?.kind !== 'in-turn' && current?.kind !== 'failed';

  useEffect(() => {
    if (!mayBegin) return undefined;
    const stopping = new AbortController();
    const run = async (): Promise<void> => {
      setRest({ kind: 'running', id });
      try {
        for (;;) {
          const end = await loadRest(queries, source, stopping.signal);
          if (stopping.signal.aborted) return;
          // The folder was listed again in the meantime, so loading starts over with the new page token.
          if (end === 'overtaken') continue;
          setRest(end === 'in-turn' ? { kind: 'in-turn', id } : null);
          return;
        }
      } catch (thrown) {
        if (!stopping.signal.aborted) setRest({ kind: 'failed', id, error: appErrorOf(thrown) });
      }
    };
    void run();
    return () => {
      stopping.abort();
      setRest((now) => (now?.kind === 'running' ? null : now));
    };
    // The id identifies the source.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [queries, id, mayBegin]);

  return {
    isRunning: current?.kind === 'running',
    isInTurn: current?.kind === 'in-turn',
    error: current?.kind === 'failed' ? current.error : null,
    forgetError: useCallback(() => {
      setRest((now) => (now?.kind === 'failed' ? null : now));
    }, []),
  };
}
