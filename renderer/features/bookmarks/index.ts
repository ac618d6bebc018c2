export type { BookmarkedPlace } from './bookmark-model.ts';
export { BookmarksSidebar } from './bookmarks-sidebar.tsx';
export { useBookmarks, useBookmarkToggle, type BookmarkToggle } from './bookmark-queries.ts';
