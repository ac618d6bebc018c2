export { noteBucketChange } from './bucket-changes.ts';
export { FolderSize, SearchView } from './lazy-parts.ts';
export { emptySearchForm, readForm, searchFormSchema, type SearchForm } from './search-form.ts';
export type { ChosenResults, SearchDetails, SearchServices, SearchWhere } from './search-services.ts';
export { FolderSizeDialogs, openFolderSize } from './size-dialogs.ts';
