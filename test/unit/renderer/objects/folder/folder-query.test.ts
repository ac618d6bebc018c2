import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { FolderModel } from '../../../../../renderer/features/objects/folder/folder-model.ts';
import {
  bucketSource,
  cacheLeftFolder,
  folderKey,
  folderQuery,
  type FolderSource,
  FolderCache,
  models,
  type Pages,
  prefetchLikely,
  prefetchOpening,
  releaseFolder,
  revalidateFolder,
  revisitFolder,
} from '../../../../../renderer/features/objects/folder/folder-query.ts';
import { pageOf } from '../fixtures.ts';

let number = 0;
let queries = new QueryClient();

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
});

interface Listed {
  readonly source: FolderSource;
  readonly asked: (string | null)[];
  keys: readonly string[];
}

/** Returns a folder whose pages have one key each, and whose rows were listed at this time. */
function folderOf(keys: readonly string[], listedAtMs: number): Listed {
  number += 1;
  const listed: Listed = {
    asked: [],
    keys,
    source: {
      id: `test-${String(number)}`,
      folder: '',
      rest: () => Promise.reject(new Error('Nobody asks for the rest.')),
      page: (token) => {
        listed.asked.push(token);
        const at = Number(token ?? '0');
        const page = pageOf(
          [],
          listed.keys.slice(at, at + 1),
          at + 1 < listed.keys.length ? String(at + 1) : null,
        );
        return Promise.resolve({ ...page, listedAtMs });
      },
    },
  };
  return listed;
}

const shownKeys = (id: string): readonly string[] =>
  (queries.getQueryData<Pages>(folderKey(id))?.pages ?? []).flatMap(({ rows }) =>
    [...rows].map(({ key }) => key),
  );

async function allPages({ source }: Listed): Promise<void> {
  const observer = new InfiniteQueryObserver(queries, folderQuery(source));
  await observer.refetch();
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
}

async function settled(): Promise<void> {
  while (queries.isFetching() > 0) await new Promise(setImmediate);
}

describe('a folder visited before', () => {
  it('is shown at once while all its pages are revalidated', async () => {
    const folder = folderOf(['a', 'b'], 0);
    await allPages(folder);
    folder.keys = ['a', 'b', 'c'];
    folder.asked.length = 0;
    revalidateFolder(queries, folder.source);
    expect(shownKeys(folder.source.id)).toEqual(['a', 'b']);
    await settled();
    expect(shownKeys(folder.source.id)).toEqual(['a', 'b']);
    expect(folder.asked).toEqual([null, '1']);
    expect(queries.getQueryData<Pages>(folderKey(folder.source.id))?.pages.at(-1)?.nextPageToken).toBe('2');
  });

  it('is shown even if its model was freed meanwhile', async () => {
    const folder = folderOf(['a', 'b'], 0);
    await allPages(folder);
    cacheLeftFolder(queries, folder.source.id);
    queries.removeQueries({ queryKey: folderKey(folder.source.id) });
    folder.asked.length = 0;
    folder.keys = ['b', 'c'];
    await queries.prefetchInfiniteQuery(folderQuery(folder.source));
    expect(shownKeys(folder.source.id)).toEqual(['a', 'b']);
    expect(folder.asked).toEqual([]);
    revalidateFolder(queries, folder.source);
    await settled();
    expect(shownKeys(folder.source.id)).toEqual(['b', 'c']);
  });

  it('keeps its rows if revalidating fails', async () => {
    const folder = folderOf(['a'], 0);
    await allPages(folder);
    const gone = { ...folder.source, page: () => Promise.reject(new Error('gone')) };
    revalidateFolder(queries, gone);
    await settled();
    expect(shownKeys(folder.source.id)).toEqual(['a']);
    expect(queries.getQueryState(folderKey(folder.source.id))?.status).toBe('error');
  });

  it('is not requested again right after it was listed', async () => {
    const folder = folderOf(['a'], Date.now());
    await allPages(folder);
    folder.asked.length = 0;
    revalidateFolder(queries, folder.source);
    await settled();
    expect(folder.asked).toEqual([]);
  });

  it('is not relisted automatically if it is long', async () => {
    const folder = folderOf(
      Array.from({ length: 11 }, (_, at) => `k${String(at).padStart(2, '0')}`),
      0,
    );
    await allPages(folder);
    folder.asked.length = 0;
    revalidateFolder(queries, folder.source);
    await settled();
    expect(folder.asked).toEqual([]);
  });
});

it('a folder that was listed for its page is not listed again when the page takes long to render', async () => {
  const place = { connectionId: 'c', bucket: 'slow', folder: 'f/', startsWith: '' };
  const source = bucketSource(place, 1);
  const queryKey = folderKey(source.id);
  const fetchStatus = () => queries.getQueryState(queryKey)?.fetchStatus;
  void prefetchOpening(queries, place, 1);
  await queries.cancelQueries({ queryKey });
  queries.setQueryData(queryKey, {
    pages: [{ ...pageOf([], ['a'], null), listedAtMs: 0 }],
    pageParams: [null],
  });
  revisitFolder(queries, source);
  expect(fetchStatus()).toBe('idle');
  // The next page of this folder revalidates it.
  revisitFolder(queries, source);
  expect(fetchStatus()).toBe('fetching');

  // A later page revalidates the folder too if another folder was shown instead of the opened one.
  await queries.cancelQueries({ queryKey });
  void prefetchOpening(queries, place, 1);
  await queries.cancelQueries({ queryKey });
  revisitFolder(queries, bucketSource({ ...place, folder: 'other/' }, 1));
  revisitFolder(queries, source);
  expect(fetchStatus()).toBe('fetching');
});

it('the next page of a folder that was opened while it was shown already revalidates it', async () => {
  const place = { connectionId: 'c', bucket: 'shown', folder: 'f/', startsWith: '' };
  const source = bucketSource(place, 1);
  const queryKey = folderKey(source.id);
  queries.setQueryData(queryKey, {
    pages: [{ ...pageOf([], ['a'], null), listedAtMs: 0 }],
    pageParams: [null],
  });
  const leave = new InfiniteQueryObserver(queries, folderQuery(source)).subscribe(() => undefined);
  void prefetchOpening(queries, place, 1);
  await queries.cancelQueries({ queryKey });
  leave();
  // Later, the page is replaced by a map, and the map by a page.
  revisitFolder(queries, source);
  expect(queries.getQueryState(queryKey)?.fetchStatus).toBe('fetching');
});

describe('the folder under a resting mouse', () => {
  const place = { connectionId: 'c', bucket: 'b', folder: 'f/', startsWith: '' };
  const { id } = bucketSource(place, 1);
  const fetchStatus = () => queries.getQueryState(folderKey(id))?.fetchStatus;

  it('is listed ahead until the mouse leaves it', () => {
    prefetchLikely(queries, { place, list: 1 });
    expect(fetchStatus()).toBe('fetching');
    prefetchLikely(queries, null);
    expect(fetchStatus()).toBe('idle');
  });

  it('is listed only once if a page shows it before the mouse leaves it', () => {
    prefetchLikely(queries, { place, list: 1 });
    const stop = new InfiniteQueryObserver(queries, folderQuery(bucketSource(place, 1))).subscribe(
      () => undefined,
    );
    prefetchLikely(queries, null);
    expect(fetchStatus()).toBe('fetching');
    stop();
  });
});

it('removing a folder from the cache frees the rows of its model', async () => {
  const listed = folderOf(['a', 'b', 'c'], 0);
  await allPages(listed);
  const query = queries.getQueryCache().find<Pages>({ queryKey: folderKey(listed.source.id) });
  const pages = query?.state.data?.pages ?? [];
  const model = new FolderModel('', () => new Uint32Array());
  model.addPages(pages);
  const [first] = pages;
  if (query === undefined || first === undefined) throw new Error('Nothing was listed.');
  models.set(first, model);
  releaseFolder({ queryKey: ['another'], state: query.state });
  expect(model.count).toBe(3);
  releaseFolder(query);
  expect([model.count, model.loadedCount, model.row(0)]).toEqual([0, 0, undefined]);
  expect(models.get(first)).toBeUndefined();
});

const rows = (count: number) =>
  pageOf(
    [],
    Array.from({ length: count }, (_, at) => `k${String(at).padStart(5, '0')}`),
    't',
  );

describe('the cache of left folders', () => {
  it("returns a folder's pages as listed", () => {
    const kept = new FolderCache(100);
    const page = rows(3);
    kept.keep('a', { pages: [page], pageParams: [null] });
    expect(kept.get('a')).toEqual({ pages: [page], pageParams: [null] });
    expect(kept.get('b')).toBeNull();
  });

  it('does not retain the model of the page', () => {
    const kept = new FolderCache(100);
    const page = rows(3);
    kept.keep('a', { pages: [page], pageParams: [null] });
    expect(kept.get('a')?.pages[0]).not.toBe(page);
  });

  it('evicts the folder left longest ago above its limit', () => {
    const kept = new FolderCache(25);
    for (const id of ['a', 'b', 'a', 'c']) kept.keep(id, { pages: [rows(9)], pageParams: [null] });
    expect(kept.get('b')).toBeNull();
    expect(kept.get('a')).not.toBeNull();
    expect(kept.get('c')).not.toBeNull();
    expect(kept.rowCount).toBeLessThanOrEqual(25);
    for (let id = 0; id < 100; id += 1) kept.keep(String(id), { pages: [rows(0)], pageParams: [null] });
    expect(kept.rowCount).toBe(25);
  });

  it('keeps only the first pages of a long folder', () => {
    const kept = new FolderCache(1000);
    const pages = Array.from({ length: 30 }, () => rows(2));
    kept.keep('long', { pages, pageParams: [null, ...pages.slice(1).map(() => 't')] });
    expect(kept.get('long')?.pages).toHaveLength(10);
    expect(kept.get('long')?.pageParams).toHaveLength(10);
    expect(kept.get('long')?.pages.at(-1)?.nextPageToken).toBe('t');
  });

  it('drops the folders of a removed connection', () => {
    const kept = new FolderCache(100);
    for (const id of ['one\0a', 'one\0b', 'two\0a']) kept.keep(id, { pages: [rows(2)], pageParams: [null] });
    kept.forgetAll('one\0');
    expect([kept.get('one\0a'), kept.get('one\0b')]).toEqual([null, null]);
    expect(kept.get('two\0a')).not.toBeNull();
    expect(kept.rowCount).toBe(3);
  });
});
