import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import type { Foreign, Place, UnreadableEntry } from '../../../shared/models/objects.ts';
import type { Versioning, VersionsPage } from '../../../shared/models/versions.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { versionRowsOf, type VersionRow } from './version-rows.ts';

export interface VersionsWhere extends Place {
  /** A folder, or an object key if the delimiter is null. */
  readonly prefix: string;
  readonly delimiter: '/' | null;
}

export interface Versions {
  /** The rows, or null until the first page has loaded. */
  readonly rows: readonly VersionRow[] | null;
  readonly unreadable: readonly UnreadableEntry[];
  readonly foreign: Foreign;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  /** The error of the last failed page, or null. */
  readonly error: AppError | null;
  readonly versioning: Versioning | null;
  readonly fetchAhead: () => void;
  readonly retry: () => void;
  readonly reload: () => void;
}

/** Loads versions and delete markers page by page, as the user scrolls. */
export function useVersions(where: VersionsWhere): Versions {
  const { connectionId, bucket, prefix, delimiter } = where;
  const queries = useQueryClient();
  const queryKey = ['versions', connectionId, bucket, prefix, delimiter];
  const status = useQuery({
    queryKey: ['versions.status', connectionId, bucket],
    staleTime: 0,
    queryFn: async ({ signal }) => await rpc.versions.status({ connectionId, bucket }, { signal }),
  });
  const list = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) =>
      await rpc.versions.list({ connectionId, bucket, prefix, delimiter, pageToken: pageParam }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: VersionsPage) => last.nextPageToken,
    structuralSharing: false,
    staleTime: Infinity,
    gcTime: 0,
    meta: { keepAfterReconnect: true },
  });
  const { data, error, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, refetch } = list;
  const canFetch = hasNextPage && !isFetching && !isFetchNextPageError;
  const rows = data === undefined ? null : versionRowsOf(data.pages);
  // Without rows, the table does not request the next page, so this effect does.
  const isBare = rows?.length === 0;
  useEffect(() => {
    if (isBare && canFetch) void fetchNextPage({ cancelRefetch: false });
  }, [isBare, canFetch, fetchNextPage]);
  return {
    rows,
    unreadable: data?.pages.flatMap((page) => page.unreadable) ?? [],
    foreign: foreignOfPages(data?.pages ?? []),
    hasMore: hasNextPage,
    isFetching,
    error: error === null || isFetching ? null : appErrorOf(error),
    versioning: status.data?.versioning ?? null,
    fetchAhead: useCallback(() => {
      if (canFetch) void fetchNextPage({ cancelRefetch: false });
    }, [canFetch, fetchNextPage]),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
    // Resets the query to its first page, since a refetch would request every loaded page again.
    reload: () => void queries.resetQueries({ queryKey }),
  };
}

function foreignOfPages(pages: readonly VersionsPage[]): Foreign {
  return {
    count: pages.reduce((sum, { foreign }) => sum + foreign.count, 0),
    example: pages.find(({ foreign }) => foreign.example !== null)?.foreign.example ?? null,
  };
}
