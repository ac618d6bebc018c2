import { lazyPart } from '../../ui/lazy-part.tsx';

/** A search in a tab. */
export const SearchView = lazyPart(async () => (await import('./search-page.tsx')).SearchPage);

/** The size of a folder, for its details. */
export const FolderSize = lazyPart(async () => (await import('./folder-size-section.tsx')).FolderSizeSection);
