import {
  infiniteQueryOptions,
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { rpc, useCoreStatus } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { FolderModel } from './folder-model.ts';
import { bucketId, placeId, prefixOf, type FolderPlace } from './place.ts';
import { beginRefresh, endRefresh, takeRefreshed, useOutdated } from './refresh.ts';
import { rowsOfPage, type RowsPage } from './row.ts';
import type { SortOrder } from './sort.ts';
import { workerSorter } from './sorter.ts';

/** One model for as long as the listing it was made from: a reload begins with another first page. */
const models = new WeakMap<RowsPage, FolderModel>();
const keptMs = 10 * 60_000;
const justFailedMs = 2000;

/** How a folder is sorted once it is complete. */
export interface FolderOrder {
  /** null: as the service lists it. */
  readonly sort: SortOrder | null;
  readonly foldersFirst: boolean;
}

function modelOf(
  pages: readonly RowsPage[] | undefined,
  place: FolderPlace,
  order: FolderOrder,
): FolderModel | null {
  const first = pages?.[0];
  if (pages === undefined || first === undefined) return null;
  const known = models.get(first);
  if (known !== undefined) return known;
  const model = new FolderModel(place.folder, workerSorter, takeRefreshed(placeId(place)));
  // A folder that is complete with its first pages is never seen in another order.
  if (pages.at(-1)?.nextPageToken === null) model.setSort(order.sort, order.foldersFirst);
  // At once, since nobody listens yet: a table over a model without rows would go and come again.
  model.take(pages);
  models.set(first, model);
  return model;
}

/** The rows as they are to be shown: those of before until the new ones stand in the same order. */
function arranged(model: FolderModel | null): FolderModel | null {
  return model === null || model.isReady ? model : (model.before ?? model);
}

export interface Folder {
  /** null while nothing has come yet. */
  readonly model: FolderModel | null;
  readonly hasPlaceholder: boolean;
  /** Why nothing could be listed. */
  readonly error: AppError | null;
  /** Why the list ends before its end, or is not as fresh as was asked. */
  readonly nextError: AppError | null;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly isLoadingAll: boolean;
  /** So many pages came without an entry, and none with one. */
  readonly emptyPages: number;
  /** Something changed here, and too much is loaded to list it all again unasked. */
  readonly isOutdated: boolean;
  /** Asks for the next page unless a request is under way or the last one failed. */
  readonly fetchAhead: () => void;
  readonly retry: () => void;
  readonly reload: () => void;
  readonly loadAll: () => void;
  readonly stopLoadingAll: () => void;
}

const nothing = (): (() => void) => () => undefined;
const zero = (): number => 0;

function folderQuery(place: FolderPlace) {
  const { connectionId, bucket } = place;
  const prefix = prefixOf(place);
  return infiniteQueryOptions({
    queryKey: ['folder', placeId(place)],
    queryFn: async ({ pageParam, signal }) => {
      const input = { connectionId, bucket, prefix, delimiter: '/' as const, pageToken: pageParam };
      return rowsOfPage(await rpc.objects.list(input, { signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last: RowsPage) => last.nextPageToken,
    // Comparing old rows with new ones would cost more with each page.
    structuralSharing: false,
    staleTime: Infinity,
    // What failed when it was asked for ahead is not asked for a second time by being drawn.
    retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > justFailedMs,
    gcTime: keptMs,
    meta: { keepAfterReconnect: true },
  });
}

/** Looks again at every folder of a bucket that is shown or kept: something was changed there. Place and selection stay. */
export function refreshFolders(
  queries: QueryClient,
  { connectionId, bucket }: Pick<FolderPlace, 'connectionId' | 'bucket'>,
): void {
  const ofBucket = bucketId(connectionId, bucket);
  for (const query of queries.getQueryCache().findAll({ queryKey: ['folder'] })) {
    const id = String(query.queryKey[1]);
    const data = query.state.data as InfiniteData<RowsPage, string | null> | undefined;
    if (!id.startsWith(ofBucket) || data === undefined) continue;
    const first = data.pages[0];
    const model = first === undefined ? undefined : models.get(first);
    const answer = beginRefresh(id, data.pages.length, query.isActive(), model ?? null);
    if (answer === 'cut-short')
      query.setData({ pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) });
    if (answer !== 'say-so') void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

/**
 * Asks for the first page of a folder that is about to be opened, before anything is drawn. Settles when there is something
 * to draw; null: it is there.
 */
export function askAhead(queries: QueryClient, place: FolderPlace): Promise<void> | null {
  const query = folderQuery(place);
  const asked = queries.prefetchInfiniteQuery(query);
  return queries.getQueryData(query.queryKey) === undefined ? asked : null;
}

/** The pages of a folder, one request at a time; leaving the folder ends the one under way. */
export function useFolder(place: FolderPlace, order: FolderOrder): Folder {
  const queries = useQueryClient();
  const id = placeId(place);
  const query = useInfiniteQuery(folderQuery(place));
  const { data, fetchNextPage, refetch, hasNextPage, isFetching, isFetchNextPageError } = query;
  const pages = data?.pages;
  const newest = modelOf(pages, place, order);
  const model = arranged(newest);
  useSyncExternalStore(newest?.subscribe ?? nothing, newest?.version ?? zero);
  useLayoutEffect(() => {
    if (pages !== undefined) newest?.take(pages);
  }, [newest, pages]);

  const canFetch = hasNextPage && !isFetching && !isFetchNextPageError;
  const fetchAhead = useCallback(() => {
    if (canFetch) void fetchNextPage({ cancelRefetch: false });
  }, [canFetch, fetchNextPage]);

  // Services filter pages empty, or clean up behind them: a table without rows has nobody who asks for the next.
  const isBare = newest?.loadedCount === 0;
  useEffect(() => {
    if (isBare) fetchAhead();
  }, [isBare, fetchAhead]);

  const [loadingAllOf, setLoadingAllOf] = useState<string | null>(null);
  const isLoadingAll = loadingAllOf === id && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isLoadingAll) fetchAhead();
  }, [isLoadingAll, fetchAhead]);

  const retry = useCallback(() => {
    if (isFetchNextPageError) void fetchNextPage();
    else void refetch();
  }, [isFetchNextPageError, refetch, fetchNextPage]);

  const reload = useCallback(() => {
    setLoadingAllOf(null);
    endRefresh(id);
    // A refetch asks again for every page there is; a reload begins at the first.
    queries.setQueryData<InfiniteData<RowsPage, string | null>>(['folder', id], (old) =>
      old === undefined ? old : { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    );
    void refetch();
  }, [queries, id, refetch]);

  useRetryWhenBack(query.error !== null && appErrorOf(query.error).code === 'disconnected', retry);

  return {
    model,
    hasPlaceholder: pages?.[0]?.hasPlaceholder ?? false,
    error: pages === undefined && query.error !== null && !isFetching ? appErrorOf(query.error) : null,
    nextError: pages !== undefined && query.error !== null ? appErrorOf(query.error) : null,
    hasMore: hasNextPage,
    isFetching,
    isLoadingAll,
    emptyPages: isBare ? (pages?.length ?? 0) : 0,
    isOutdated: useOutdated(id),
    fetchAhead,
    retry,
    reload,
    loadAll: useCallback(() => {
      setLoadingAllOf(id);
    }, [id]),
    stopLoadingAll: useCallback(() => {
      setLoadingAllOf(null);
      void queries.cancelQueries({ queryKey: ['folder', id] });
    }, [queries, id]),
  };
}

/** A page that was lost with the connection to the core is asked for again when that is back. */
function useRetryWhenBack(wasLost: boolean, retry: () => void): void {
  const status = useCoreStatus();
  const ready = status.kind === 'ready';
  useEffect(() => {
    if (ready && wasLost) retry();
    // Only the return of the connection counts, not a new failure on a good one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ready]);
}
