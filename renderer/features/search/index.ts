import { lazyPart } from '../../ui/lazy-part.tsx';

export { noteBucketChange } from './bucket-changes.ts';
export { emptySearchForm, readForm, searchFormSchema, type SearchForm } from './search-form.ts';
export type { ChosenResults, SearchDetails, SearchServices, SearchWhere } from './search-services.ts';
export { FolderSizeDialogs, openFolderSize } from './size-dialogs.ts';

/** A search in a tab. */
export const SearchView = lazyPart(async () => (await import('./search-page.tsx')).SearchPage);

/** The size of a folder, for its details. */
export const FolderSize = lazyPart(async () => (await import('./folder-size-section.tsx')).FolderSizeSection);
