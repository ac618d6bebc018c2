import type { z } from 'zod';
import { failure } from '../../../shared/errors.ts';
import { bookmarkSchema, type Bookmark } from '../../../shared/models/settings.ts';
import type { Random } from '../ports.ts';
import type { Records } from '../store/records.ts';
import type { EventHub } from './events.ts';

export const storedBookmarkSchema = bookmarkSchema.omit({ id: true });
export type StoredBookmark = z.infer<typeof storedBookmarkSchema>;

export interface Bookmarks {
  list(): Bookmark[];
  add(bookmark: StoredBookmark): Bookmark;
  rename(id: string, name: string): void;
  remove(id: string): void;
  reorder(ids: readonly string[]): void;
}

export function createBookmarks(
  records: Records<StoredBookmark>,
  deps: { readonly random: Random; readonly events: EventHub },
): Bookmarks {
  const changed = (): void => deps.events.emit({ kind: 'bookmarks-changed' });
  return {
    list: () => records.all().map(({ id, record }) => ({ id, ...record })),
    add: (bookmark) => {
      const id = deps.random.id();
      const record = storedBookmarkSchema.parse(bookmark);
      records.put(id, record);
      changed();
      return { id, ...record };
    },
    rename: (id, name) => {
      const record = records.get(id);
      if (record === null)
        throw failure('not-found', 'This bookmark is no longer there.', { reason: 'no-such-bookmark' });
      records.put(id, { ...record, name });
      changed();
    },
    remove: (id) => {
      if (records.remove(id)) changed();
    },
    reorder: (ids) => {
      records.reorder(ids);
      changed();
    },
  };
}
