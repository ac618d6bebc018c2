import { type InfiniteData, infiniteQueryOptions, type Query, type QueryClient } from '@tanstack/react-query';
import type { FolderRest } from '../../../../shared/models/objects.ts';
import { rpc } from '../../../rpc/client.ts';
import { bucketId, type FolderPlace, type ListNumber, placeId, prefixOf } from '../rows/place.ts';
import { folderRowsOfPage, type RowsPage } from '../rows/row.ts';
import type { FolderModel } from './folder-model.ts';
import { beginRefresh } from './refresh-folder.ts';

/** The source of a list's rows: a folder in a bucket, or on this computer. */
export interface FolderSource {
  /** The id of the folder in the list that shows it. */
  readonly id: string;
  /** The prefix of every key. */
  readonly folder: string;
  readonly page: (pageToken: string | null, signal: AbortSignal) => Promise<RowsPage>;
  /** Loads everything after a page token, in pieces. Null if one page is the whole list. */
  readonly rest: ((pageToken: string, signal: AbortSignal) => Promise<AsyncIterable<FolderRest>>) | null;
}

/** A folder of a bucket. */
export function bucketSource(place: FolderPlace, list: ListNumber): FolderSource {
  const { connectionId, bucket, folder } = place;
  const prefix = prefixOf(place);
  return {
    id: placeId(place, list),
    folder,
    page: async (pageToken, signal) => {
      const input = { connectionId, bucket, prefix, delimiter: '/' as const, pageToken };
      // Measures the age of the rows from the request, since the service does not say when it read them.
      const requestedAtMs = Date.now();
      return folderRowsOfPage(await rpc.objects.list(input, { signal }), requestedAtMs);
    },
    rest: async (pageToken, signal) =>
      await rpc.objects.rest({ connectionId, bucket, prefix, pageToken }, { signal }),
  };
}

export type Pages = InfiniteData<RowsPage, string | null>;

/**
 * Milliseconds for which all rows of a folder stay cached after it was left. Afterwards, only its first pages remain
 * (`FolderCache`).
 */
const cachedForMs = 18_000;
const maxCachedRows = 100_000;
const justFailedMs = 2000;
/** Milliseconds after a listing during which a reopened folder is not listed again. */
const freshMs = 2000;

/** One model per listing, keyed by its first page. A reload starts with a different first page. */
export const models = new WeakMap<RowsPage, FolderModel>();

/**
 * Keeps the folders left most recently, so that they show immediately on return. Limits the total of rows, and evicts the folder
 * left longest ago.
 */
export class FolderCache {
  readonly #folders = new Map<string, Pages>();
  readonly #maxRows: number;
  #rows = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  get rowCount(): number {
    return this.#rows;
  }

  keep(id: string, { pages, pageParams }: Pages): void {
    this.forget(id);
    // Copies the pages. Models are keyed weakly by their first page, so the original object would keep the whole model alive.
    const begin = pages.slice(0, maxPagesPerFolder).map((page) => ({ ...page }));
    this.#folders.set(id, { pages: begin, pageParams: pageParams.slice(0, begin.length) });
    this.#rows += rowsOf(begin);
    for (const oldest of this.#folders.keys()) {
      if (this.#rows <= this.#maxRows) break;
      this.forget(oldest);
    }
  }

  get(id: string): Pages | null {
    return this.#folders.get(id) ?? null;
  }

  forget(id: string): void {
    const known = this.#folders.get(id);
    if (known === undefined) return;
    this.#folders.delete(id);
    this.#rows -= rowsOf(known.pages);
  }

  /** Drops all folders whose ids start with `idsBegin`. */
  forgetAll(idsBegin: string): void {
    for (const id of this.#folders.keys()) if (id.startsWith(idsBegin)) this.forget(id);
  }
}

/** Returns the number of rows plus one, so that empty folders also count towards the limit. */
function rowsOf(pages: readonly RowsPage[]): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 1);
}

const folderCache = new FolderCache(maxCachedRows);

export function folderKey(id: string): readonly ['folder', string] {
  return ['folder', id];
}

export function folderQuery({ id, page }: FolderSource) {
  return infiniteQueryOptions({
    queryKey: folderKey(id),
    queryFn: async ({ pageParam, signal }) => await page(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last: RowsPage) => last.nextPageToken,
    // A reopened folder shows its kept rows immediately, and is then revalidated.
    initialData: (): Pages | undefined => folderCache.get(id) ?? undefined,
    // Structural sharing would compare old rows with new ones, at a cost that grows with each page.
    structuralSharing: false,
    staleTime: Infinity,
    // A prefetch that just failed is not repeated on mount.
    retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > justFailedMs,
    gcTime: cachedForMs,
    meta: { keepAfterReconnect: true },
  });
}

/**
 * Keeps the first pages of a folder when it is left. They can be shown immediately on return, even after the query was evicted.
 */
export function cacheLeftFolder(queries: QueryClient, id: string): void {
  const data = queries.getQueryData<Pages>(folderKey(id));
  if (data !== undefined) folderCache.keep(id, data);
}

/** Empties the model of an evicted folder, which rendered components may still reference. */
export function releaseFolder({ queryKey, state }: Pick<Query, 'queryKey' | 'state'>): void {
  if (queryKey[0] !== 'folder') return;
  const first = (state.data as Pages | undefined)?.pages[0];
  if (first === undefined) return;
  models.get(first)?.release();
  models.delete(first);
}

/**
 * Drops the cached data of a connection that was removed or changed its endpoint. Visible folders are empty until they are listed
 * again.
 */
export function forgetFolders(queries: QueryClient, connectionId: string): void {
  const idsBegin = `${connectionId}\0`;
  folderCache.forgetAll(idsBegin);
  for (const query of queries.getQueryCache().findAll({ queryKey: ['folder'] })) {
    if (!String(query.queryKey[1]).startsWith(idsBegin)) continue;
    const exactly = { queryKey: query.queryKey, exact: true };
    if (query.isActive()) void queries.resetQueries(exactly);
    else queries.removeQueries(exactly);
  }
  void queries.resetQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'folder' && JSON.stringify(queryKey).includes(connectionId),
  });
}

/** Revalidates every visible or cached folder of a bucket after a change. Scroll position and selection stay. */
export function refreshFolders(
  queries: QueryClient,
  { connectionId, bucket }: Pick<FolderPlace, 'connectionId' | 'bucket'>,
): void {
  refreshListed(queries, bucketId(connectionId, bucket));
}

/** Revalidates all lists whose ids start with `idsBegin`. */
export function refreshListed(queries: QueryClient, idsBegin: string): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: ['folder'] })) {
    const id = String(query.queryKey[1]);
    const data = query.state.data as Pages | undefined;
    if (!id.startsWith(idsBegin) || data === undefined) continue;
    const response = beginRefresh(id, data.pages.length, query.isActive(), modelShown(data));
    if (response === 'cut-short')
      query.setData({ pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) });
    if (response !== 'say-so') void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

/**
 * Revalidates a cached folder unless it was listed just now. Shows the old rows until new rows replace them. A folder too long to
 * be listed again without a request shows its age instead.
 */
export function revalidateFolder(queries: QueryClient, source: FolderSource): void {
  const { id } = source;
  const query = queries.getQueryCache().find<Pages>({ queryKey: folderKey(id), exact: true });
  const data = query?.state.data;
  const first = data?.pages[0];
  if (query === undefined || data === undefined || first === undefined) return;
  if (query.state.fetchStatus !== 'idle' || Date.now() - first.listedAtMs < freshMs) return;
  if (beginRefresh(id, data.pages.length, true, modelShown(data), 'revisited') === 'again')
    void queries.prefetchInfiniteQuery({ ...folderQuery(source), staleTime: 0 });
}

/** Returns a function that finds the model of these pages when called, since a folder that is just opening has no model yet. */
function modelShown({ pages: [first] }: Pages): () => FolderModel | null {
  return () => (first === undefined ? null : (models.get(first) ?? null));
}

/**
 * Prefetches the first page of a folder that is about to render. The promise resolves once it has loaded; null if it is cached.
 */
export function prefetchOpening(
  queries: QueryClient,
  place: FolderPlace,
  list: ListNumber,
): Promise<void> | null {
  const source = bucketSource(place, list);
  const query = folderQuery(source);
  if (prefetchedId === source.id) prefetchedId = null;
  // No page will be mounted for a folder that is shown already.
  const isShown =
    queries.getQueryCache().find({ queryKey: query.queryKey, exact: true })?.isActive() === true;
  openingId = isShown ? null : source.id;
  const prefetch = queries.prefetchInfiniteQuery(query);
  if (queries.getQueryData(query.queryKey) === undefined) return prefetch;
  revalidateFolder(queries, source);
  return null;
}

/** The id of the folder that is about to render. Null once any page is mounted. */
let openingId: string | null = null;

/**
 * Revalidates the folder of a page that is mounted. A folder that was listed for this page is not listed again, however long the
 * page took to render.
 */
export function revisitFolder(queries: QueryClient, source: FolderSource): void {
  const wasListed = openingId === source.id;
  openingId = null;
  if (!wasListed) revalidateFolder(queries, source);
}

/**
 * The id of the folder that is prefetched because the mouse rests on it. Null without a prefetch, or after the folder was opened.
 */
let prefetchedId: string | null = null;

/**
 * Prefetches the first page of a folder that may be opened next, unless it is cached. Cancels the previous prefetch, unless it
 * has finished or its folder was opened. With null, only cancels.
 */
export function prefetchLikely(
  queries: QueryClient,
  request: { readonly place: FolderPlace; readonly list: ListNumber } | null,
): void {
  const source = request === null ? null : bucketSource(request.place, request.list);
  if (prefetchedId === (source?.id ?? null)) return;
  if (prefetchedId !== null) cancelUnseen(queries, folderKey(prefetchedId));
  prefetchedId = null;
  if (source === null) return;
  const known = queries.getQueryState(folderKey(source.id));
  // Skips a folder that is cached or in flight. A folder that failed is requested again only when it is opened.
  if (known !== undefined && (known.status !== 'pending' || known.fetchStatus !== 'idle')) return;
  prefetchedId = source.id;
  void queries.prefetchInfiniteQuery(folderQuery(source)).finally(() => {
    if (prefetchedId === source.id) prefetchedId = null;
  });
}

/** Cancels a prefetch, unless a page shows the folder meanwhile. The page would otherwise have to list it again. */
function cancelUnseen(queries: QueryClient, queryKey: ReturnType<typeof folderKey>): void {
  void queries.cancelQueries({ queryKey, exact: true, predicate: (query) => !query.isActive() });
}

/** The maximum number of pages kept per folder. */
const maxPagesPerFolder = 10;
