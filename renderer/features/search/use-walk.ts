import { useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AppError } from '../../../shared/errors.ts';
import type { WalkStatus } from '../../../shared/models/walks.ts';
import { orpc, rpc, useCoreStatus } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { SearchWhere } from './search-services.ts';

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

/**
 * Follows a walk (a listing) in the core. Continues after the connection to the core was lost and restored. A different `version`
 * means that the results of an ended walk may have changed.
 */
export function useWalk(walkId: string | null, version = 0): WatchedWalk {
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
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each version
  }, [walkId, generation, version]);
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

/** Returns all folder sizes that were requested and not discarded. The core stores them, so they survive a reload. */
export function useSizes() {
  const queries = useQueryClient();
  const options = orpc.walks.list.queryOptions();
  const { data, isPending } = useQuery(options);
  const known = (data ?? []).filter(({ query }) => query === null);
  return { known, isPending, reload: () => queries.invalidateQueries({ queryKey: options.queryKey }) };
}

export function isOf(where: SearchWhere, walk: WalkStatus): boolean {
  return (
    walk.connectionId === where.connectionId && walk.bucket === where.bucket && walk.prefix === where.prefix
  );
}

interface FolderSizeState {
  /** Null if the size was never requested. */
  readonly status: WalkStatus | null;
  readonly isPending: boolean;
  /** Counts again and discards the previous count. */
  readonly calculate: () => void;
  readonly stop: () => void;
}

/** Returns the known size of one folder. Several folders can be counted at the same time. */
export function useFolderSize(where: SearchWhere): FolderSizeState {
  const { known, isPending, reload } = useSizes();
  const listed = known.findLast((walk) => isOf(where, walk)) ?? null;
  const walkId = listed?.walkId ?? null;
  const watched = useWalk(walkId);
  const { connectionId, bucket, prefix } = where;
  return {
    status: watched.isGone ? null : (watched.status ?? listed),
    isPending,
    calculate: () => {
      sayingFailure(async () => {
        const old = known.filter((walk) => isOf(where, walk));
        await rpc.walks.start({ connectionId, bucket, prefix, query: null });
        // Ignores errors, since another window may have closed a walk already.
        await Promise.allSettled(old.map((walk) => rpc.walks.close({ walkId: walk.walkId })));
        await reload();
      });
    },
    stop: () => {
      if (walkId !== null) sayingFailure(() => rpc.walks.stop({ walkId }));
    },
  };
}
