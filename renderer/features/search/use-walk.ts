import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { WalkStatus } from '../../../shared/models/walks.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';

export interface WatchedWalk {
  /** The status of the walk. Null while it is unknown, or if the core no longer has the walk. */
  readonly status: WalkStatus | null;
  /** True if the core no longer has the walk. */
  readonly isGone: boolean;
  readonly error: AppError | null;
}

interface State extends WatchedWalk {
  readonly walkId: string | null;
}

const nothing = { status: null, isGone: false, error: null } as const;

/** Follows a walk (a listing) in the core. Continues after the connection to the core was lost and restored. */
export function useWalk(walkId: string | null): WatchedWalk {
  const [state, setState] = useState<State>({ walkId: null, ...nothing });
  const core = useCoreStatus();
  const generation = core.kind === 'ready' ? core.generation : 0;
  useEffect(() => {
    if (walkId === null || generation === 0) return undefined;
    const aborter = new AbortController();
    const report = (next: WatchedWalk): void => {
      if (!aborter.signal.aborted) setState({ walkId, ...next });
    };
    void follow(walkId, aborter.signal, report);
    return () => aborter.abort();
  }, [walkId, generation]);
  return state.walkId === walkId ? state : nothing;
}

async function follow(
  walkId: string,
  signal: AbortSignal,
  report: (next: WatchedWalk) => void,
): Promise<void> {
  let latest: WalkStatus | null = null;
  try {
    for await (const status of await rpc.walks.watch({ walkId }, { signal })) {
      latest = status;
      report({ status, isGone: false, error: null });
    }
  } catch (thrown) {
    const error = appErrorOf(thrown);
    if (error.reason === 'walk-gone') report({ status: null, isGone: true, error: null });
    // A banner shows that the core is unreachable. The hook follows the walk again once the connection is back.
    else if (error.code !== 'disconnected') report({ status: latest, isGone: false, error });
  }
}
