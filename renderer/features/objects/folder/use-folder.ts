import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../../shared/errors.ts';
import { useCoreStatus } from '../../../rpc/client.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { RowsPage } from '../rows/row.ts';
import type { SortOrder } from '../rows/folder-columns.ts';
import { workerSorter } from '../rows/sorter.ts';
import { FolderModel } from './folder-model.ts';
import {
  cacheLeftFolder,
  folderKey,
  folderQuery,
  type FolderSource,
  models,
  type Pages,
  revisitFolder,
} from './folder-query.ts';
import { endRefresh, type Outdated, takeRefreshed, useOutdated } from './refresh-folder.ts';
import { useLoadRest } from './use-rest.ts';

/** The order of a folder once it is complete. */
export interface FolderOrder {
  /** The sort order, or null for the service's order. */
  readonly sort: SortOrder | null;
  readonly foldersFirst: boolean;
}

function modelOf(
  pages: readonly RowsPage[] | undefined,
  { id, folder }: FolderSource,
  order: FolderOrder,
): FolderModel | null {
  const first = pages?.[0];
  if (pages === undefined || first === undefined) return null;
  const known = models.get(first);
  if (known !== undefined) return known;
  const model = new FolderModel(folder, workerSorter, takeRefreshed(id));
  // If the folder is complete, sorts it before it is first shown.
  if (pages.at(-1)?.nextPageToken === null) model.setSort(order.sort, order.foldersFirst);
  // Adds the rows before any component subscribes. Otherwise, the table would mount without rows and then mount again.
  model.addPages(pages);
  models.set(first, model);
  return model;
}

/** Returns the model to show. This is the previous model until the new rows are sorted and filtered. */
function modelToShow(model: FolderModel | null): FolderModel | null {
  return model === null || model.isReady ? model : (model.before ?? model);
}

export interface OpenFolder {
  /** The rows to show, or null until the first page has loaded. */
  readonly model: FolderModel | null;
  readonly hasPlaceholder: boolean;
  /** The error if the service listed nothing. */
  readonly error: AppError | null;
  /** The error that ended the list before all rows were loaded. */
  readonly nextError: AppError | null;
  /** The time when the rows were listed, if a new listing is in flight or has failed. Null if the rows are current. */
  readonly oldSinceMs: number | null;
  /** The error of the last refresh. */
  readonly refreshError: AppError | null;
  readonly hasMore: boolean;
  readonly isFetching: boolean;
  readonly isLoadingAll: boolean;
  /** The number of loaded pages if all of them are empty, otherwise 0. */
  readonly emptyPages: number;
  /** Why the rows may be out of date, if the folder is too long to be listed again automatically. Null if they are current. */
  readonly outdated: Outdated | null;
  /** Requests the next page, unless a request is in flight or the last request failed. */
  readonly fetchAhead: () => void;
  readonly retry: () => void;
  readonly reload: () => void;
  readonly loadAll: () => void;
  readonly stopLoadingAll: () => void;
}

const noChanges = createStore<{ readonly version: number }>()(() => ({ version: 0 }));

/** Loads the pages of a folder, one request at a time. Leaving the folder aborts the request in flight. */
export function useBucketFolder(source: FolderSource, order: FolderOrder): OpenFolder {
  const queries = useQueryClient();
  const { id } = source;
  const query = useInfiniteQuery(folderQuery(source));
  const { data, fetchNextPage, refetch, hasNextPage, isFetching, isFetchNextPageError } = query;
  useRevisit(source);
  const outdated = useOutdated(id);
  const pages = data?.pages;
  const newest = modelOf(pages, source, order);
  const model = modelToShow(newest);
  useStore(newest?.changes ?? noChanges);
  useAddPages(newest, pages);

  const [loadingAllOf, setLoadingAllOf] = useState<string | null>(null);
  const wantsAll = loadingAllOf === id && hasNextPage && !isFetchNextPageError;
  const rest = useLoadRest(queries, source, wantsAll && !isFetching);
  const isLoadingAll = wantsAll && rest.error === null;
  const canFetch = hasNextPage && !isFetching && !isFetchNextPageError && !rest.isRunning;
  const fetchAhead = useCallback(() => {
    if (canFetch) void fetchNextPage({ cancelRefetch: false });
  }, [canFetch, fetchNextPage]);

  // Services may return empty pages before the end. Without rows, the table does not request the next page, so this effect does.
  const hasNoRows = newest?.loadedCount === 0;
  useEffect(() => {
    if (hasNoRows) fetchAhead();
  }, [hasNoRows, fetchAhead]);

  // If parallel listing is not possible, the rest loads page by page.
  useEffect(() => {
    if (isLoadingAll && rest.isInTurn) fetchAhead();
  }, [isLoadingAll, rest.isInTurn, fetchAhead]);

  const forgetRestError = rest.forgetError;
  const retry = useCallback(() => {
    forgetRestError();
    if (isFetchNextPageError) void fetchNextPage();
    else void refetch();
  }, [isFetchNextPageError, refetch, fetchNextPage, forgetRestError]);

  const reload = useCallback(() => {
    setLoadingAllOf(null);
    endRefresh(id);
    // Keeps only the first page, since a refetch requests as many pages as are cached.
    queries.setQueryData<Pages>(folderKey(id), (old) =>
      old === undefined ? old : { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
    );
    void refetch();
  }, [queries, id, refetch]);

  useRetryWhenBack(query.error !== null && appErrorOf(query.error).code === 'disconnected', retry);

  return {
    model,
    hasPlaceholder: pages?.[0]?.hasPlaceholder ?? false,
    error: pages === undefined && query.error !== null && !isFetching ? appErrorOf(query.error) : null,
    nextError: isFetchNextPageError && query.error !== null ? appErrorOf(query.error) : rest.error,
    oldSinceMs:
      query.isRefetching || query.isRefetchError || outdated === 'revisited'
        ? (pages?.[0]?.listedAtMs ?? null)
        : null,
    refreshError: query.isRefetchError && !isFetching ? appErrorOf(query.error) : null,
    hasMore: hasNextPage,
    isFetching: isFetching || rest.isRunning,
    isLoadingAll,
    emptyPages: hasNoRows ? (pages?.length ?? 0) : 0,
    outdated,
    fetchAhead,
    retry,
    reload,
    loadAll: useCallback(() => {
      setLoadingAllOf(id);
    }, [id]),
    stopLoadingAll: useCallback(() => {
      setLoadingAllOf(null);
      void queries.cancelQueries({ queryKey: folderKey(id) });
    }, [queries, id]),
  };
}

/**
 * Adds loaded pages to the model. It is a separate function because closures created in one call share their variables. A
 * long-lived closure would otherwise keep the pages of a folder that was left.
 */
function useAddPages(model: FolderModel | null, pages: Pages['pages'] | undefined): void {
  useLayoutEffect(() => {
    if (pages !== undefined) model?.addPages(pages);
  }, [model, pages]);
}

/** Revalidates a cached folder when it opens, and keeps its rows when it is left. */
function useRevisit(source: FolderSource): void {
  const queries = useQueryClient();
  const { id } = source;
  useEffect(() => {
    revisitFolder(queries, source);
    return () => {
      endRefresh(id);
      if (source.rest !== null) cacheLeftFolder(queries, id);
    };
    // The id identifies the source.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [queries, id]);
}

/** Retries a request that failed because the connection to the core was lost, once the core is connected again. */
function useRetryWhenBack(wasLost: boolean, retry: () => void): void {
  const status = useCoreStatus();
  const ready = status.kind === 'ready';
  useEffect(() => {
    if (ready && wasLost) retry();
    // Re-run only when the connection returns, not when a request fails on a working one.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [ready]);
}

/** Delay in milliseconds before the loading state shows. It would only flicker, since most folders load faster. */
const loadingDelayMs = 120;

/**
 * Keeps the previous folder's rows on the screen while the first page of the next folder loads. They are visible but inactive
 * (`isHeld`).
 */
export function usePreviousRows(model: FolderModel | null, home: string, hasFailed: boolean) {
  // Uses a store, since setting a React state during a render would render the folder twice.
  const [last] = useState(() => createStore<{ readonly model: FolderModel | null }>(() => ({ model })));
  const [timedOutHome, setTimedOutHome] = useState<string | null>(null);
  useLayoutEffect(() => {
    if (model !== null) last.setState({ model });
  }, [last, model]);
  const heldModel = model === null && !hasFailed && timedOutHome !== home ? last.getState().model : null;
  const isHeld = heldModel !== null && heldModel.count > 0;
  const isWaiting = model === null && timedOutHome !== home;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => {
      last.setState({ model: null });
      setTimedOutHome(home);
    }, loadingDelayMs);
    return () => clearTimeout(timer);
  }, [isWaiting, home, last]);
  return { shown: isHeld ? heldModel : model, isHeld };
}
