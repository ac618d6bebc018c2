import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { folderQuery } from '../../../../../renderer/features/objects/folder/folder-query.ts';
import {
  onFolderListed,
  type ListedFolder,
} from '../../../../../renderer/features/objects/folder/listed-folders.ts';
import { placeId } from '../../../../../renderer/features/objects/rows/place.ts';
import { pageOf } from '../fixtures.ts';

const place = { connectionId: 'one', bucket: 'b', folder: 'a/', startsWith: '' };
const page = pageOf(['a/x/', 'a/y/'], ['a/note.txt'], 'further');

async function listed(id: string): Promise<readonly ListedFolder[]> {
  const queries = new QueryClient();
  const reported: ListedFolder[] = [];
  const forget = onFolderListed(queries, (folder) => reported.push(folder));
  const query = { id, folder: 'a/', rest: null, page: () => Promise.resolve(page) };
  await queries.prefetchInfiniteQuery(folderQuery(query));
  await queries.prefetchInfiniteQuery({ ...folderQuery(query), pages: 2, staleTime: 0 });
  forget();
  queries.removeQueries();
  await queries.prefetchInfiniteQuery(folderQuery(query));
  return reported;
}

describe('the notice of listed folders', () => {
  it('is sent once with the first page while there is a listener', async () => {
    expect(await listed(placeId(place, 2))).toEqual([
      { connectionId: 'one', bucket: 'b', prefix: 'a/', folders: ['a/x/', 'a/y/'], nextPageToken: 'further' },
    ]);
  });

  it('is not sent for a start of names or for folders of this computer', async () => {
    expect(await listed(placeId({ ...place, startsWith: 'x' }))).toEqual([]);
    expect(await listed(['local', 'handle', 'false', '1'].join('\0'))).toEqual([]);
  });
});
