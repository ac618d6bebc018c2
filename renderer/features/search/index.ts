export { FolderSize, FolderSizeDialogs, SearchView } from './lazy-parts.tsx';
export { emptySearchForm, readForm, searchFormSchema, type SearchForm } from './search-form.ts';
export type { ChosenResults, SearchPreview, SearchServices, SearchWhere } from './search-services.ts';
export { openFolderSize } from './size-store.ts';
