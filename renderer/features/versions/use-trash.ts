import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { Place } from '../../../shared/models/objects.ts';
import type { DeletedEntry, DeletedPage } from '../../../shared/models/versions.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { newestDeleted } from './trash-rows.ts';

export interface TrashWhere extends Place {
  /** The prefix: '' for the whole bucket, or a folder with a trailing `/`. */
  readonly prefix: string;
}

export interface Trash {
  /** The deleted objects, the last deleted first. Null until the first page has loaded. */
  readonly rows: readonly DeletedEntry[] | null;
  readonly scanned: number;
  /** True once all versions have been read. */
  readonly isWhole: boolean;
  readonly isReading: boolean;
  readonly error: AppError | null;
  readonly stop: () => void;
  /** Continues after a stop or a failure. */
  readonly resume: () => void;
}

/** Number of rows above which reading stops until the user continues. */
const maxRows = 200_000;

/** Reads all versions below a prefix page by page, and returns the deleted objects. */
export function useTrash({ connectionId, bucket, prefix }: TrashWhere): Trash {
  const [isStopped, setStopped] = useState(false);
  /** The number of rows at which reading stops. */
  const [limit, setLimit] = useState(maxRows);
  const list = useInfiniteQuery({
    // All queries whose keys start with these three items are reset by `refreshVersions`.
    queryKey: ['versions', connectionId, bucket, 'deleted', prefix],
    queryFn: async ({ pageParam, signal }) =>
      await rpc.versions.deleted({ connectionId, bucket, prefix, pageToken: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: DeletedPage) => last.nextPageToken,
    structuralSharing: false,
    staleTime: 0,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = list;
  const rows = data === undefined ? null : newestDeleted(data.pages);
  const isFull = (rows?.length ?? 0) >= limit;
  const goesOn = hasNextPage && !isFetching && !isFetchNextPageError && !isStopped && !isFull;
  useEffect(() => {
    if (goesOn) void fetchNextPage({ cancelRefetch: false });
  }, [goesOn, fetchNextPage]);
  return {
    rows,
    scanned: data?.pages.reduce((sum, page) => sum + page.scanned, 0) ?? 0,
    isWhole: data !== undefined && !hasNextPage,
    isReading: isFetching || goesOn,
    error: error === null || isFetching ? null : appErrorOf(error),
    stop: () => setStopped(true),
    resume: () => {
      setStopped(false);
      if (isFull) setLimit((rows?.length ?? 0) + maxRows);
      void (isFetchNextPageError ? fetchNextPage() : rows === null ? refetch() : undefined);
    },
  };
}
