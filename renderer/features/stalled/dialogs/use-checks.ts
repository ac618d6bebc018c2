import { useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../../../shared/errors.ts';
import type { CompletionCheck, UploadRef } from '../../../../shared/models/stalled.ts';
import { rpc } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';

/** Number of uploads per request, small enough to show progress and within the limit of the core's API. */
const chunkSize = 20;

export interface Checks {
  readonly checks: readonly CompletionCheck[];
  readonly total: number;
  readonly error: AppError | null;
  readonly retry: () => void;
}

/** Lists the parts of these uploads again, a few uploads at a time, and returns whether each upload can be completed. */
export function useChecks(refs: readonly UploadRef[]): Checks {
  const [found, setFound] = useState<Found>({ run: 0, checks: [], error: null });
  const [run, setRun] = useState(1);
  useEffect(() => {
    const { signal, abort } = stoppable();
    void (async () => {
      let checks: readonly CompletionCheck[] = [];
      try {
        for (let at = 0; at < refs.length; at += chunkSize) {
          const chunk = refs.slice(at, at + chunkSize);
          const read = await rpc.stalled.checkCompletion({ refs: chunk }, { signal });
          if (signal.aborted) return;
          checks = [...checks, ...read];
          setFound({ run, checks, error: null });
        }
      } catch (thrown) {
        if (!signal.aborted) setFound({ run, checks, error: appErrorOf(thrown) });
      }
    })();
    return abort;
  }, [refs, run]);
  const retry = useCallback(() => setRun((now) => now + 1), []);
  const { checks, error } = found.run === run ? found : { checks: [], error: null };
  return { checks, total: refs.length, error, retry };
}

interface Found {
  /** The attempt to which these results belong. */
  readonly run: number;
  readonly checks: readonly CompletionCheck[];
  readonly error: AppError | null;
}

function stoppable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const aborter = new AbortController();
  return { signal: aborter.signal, abort: () => aborter.abort() };
}
