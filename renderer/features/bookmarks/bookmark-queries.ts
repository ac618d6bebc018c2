import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Bookmark } from '../../../shared/models/settings.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { sayFailure } from '../../rpc/say-failure.ts';
import { useLatestMutation } from '../../ui/use-stable.ts';
import { bookmarkOf, folderOf, suggestedName, type BookmarkedPlace } from './bookmark-model.ts';

export function useBookmarks() {
  return useQuery(orpc.bookmarks.list.queryOptions());
}

export function useBookmarkActions() {
  const client = useQueryClient();
  const key = orpc.bookmarks.list.queryKey();
  const settled = {
    onSettled: () => client.invalidateQueries({ queryKey: key }),
    onError: (error: unknown) => sayFailure(error, (say) => say('bookmarks.actionFailed')),
  };
  const add = useLatestMutation({
    mutationFn: (bookmark: Omit<Bookmark, 'id'>) => rpc.bookmarks.add(bookmark),
    ...settled,
  });
  const rename = useLatestMutation({
    mutationFn: (change: { bookmarkId: string; name: string }) => rpc.bookmarks.rename(change),
    ...settled,
  });
  const remove = useLatestMutation({
    mutationFn: (bookmarkId: string) => rpc.bookmarks.remove({ bookmarkId }),
    ...settled,
  });
  const reorder = useLatestMutation({
    mutationFn: (bookmarkIds: readonly string[]) => rpc.bookmarks.reorder({ bookmarkIds: [...bookmarkIds] }),
    onMutate(ids) {
      client.setQueryData(key, (now: Bookmark[] | undefined) =>
        now?.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
      );
    },
    ...settled,
  });
  return { add, rename, remove, reorder };
}

export interface BookmarkToggle {
  readonly bookmarked: boolean;
  /** False until the bookmarks are known. */
  readonly ready: boolean;
  readonly toggle: () => void;
}

/**
 * Returns whether a folder is bookmarked, and a function that adds or removes its bookmark. `place` is null while no folder is
 * visible.
 */
export function useBookmarkToggle(place: BookmarkedPlace | null): BookmarkToggle {
  const bookmarks = useBookmarks();
  const { add, remove } = useBookmarkActions();
  const folder = place === null ? null : folderOf(place);
  const found = folder === null ? null : bookmarkOf(bookmarks.data ?? [], folder);
  const busy = add.isPending || remove.isPending;
  return {
    bookmarked: found !== null,
    ready: folder !== null && bookmarks.data !== undefined && !busy,
    toggle() {
      if (folder === null || bookmarks.data === undefined || busy) return;
      if (found === null) add.mutate({ ...folder, name: suggestedName(folder) });
      else remove.mutate(found.id);
    },
  };
}
