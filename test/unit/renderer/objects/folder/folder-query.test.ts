import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { FolderModel } from '../../../../../renderer/features/objects/folder/folder-model.ts';
import {
  type FolderSource,
  folderKey,
  folderQuery,
  cacheLeftFolder,
  revalidateFolder,
  models,
  releaseFolder,
  type Pages,
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

it('removing a folder from the cache frees the rows of its model', async () => {
  const listed = folderOf(['a', 'b', 'c'], 0);
  await allPages(listed);
  const query = queries.getQueryCache().find<Pages>({ queryKey: folderKey(listed.source.id) });
  const pages = query?.state.data?.pages ?? [];
  const model = new FolderModel('', () => new Uint32Array());
  model.take(pages);
  const [first] = pages;
  if (query === undefined || first === undefined) throw new Error('Nothing was listed.');
  models.set(first, model);
  releaseFolder({ queryKey: ['another'], state: query.state });
  expect(model.count).toBe(3);
  releaseFolder(query);
  expect([model.count, model.loadedCount, model.row(0)]).toEqual([0, 0, undefined]);
  expect(models.get(first)).toBeUndefined();
});
