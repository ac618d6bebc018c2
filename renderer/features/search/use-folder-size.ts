import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { WalkStatus } from '../../../shared/models/walks.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { SearchWhere } from './search-services.ts';
import { useWalk } from './use-walk.ts';

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

export interface FolderSizeState {
  /** Null if the size was never requested. */
  readonly walkId: string | null;
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
    walkId,
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
