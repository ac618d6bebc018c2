export { FolderSize, FolderSizeDialogs, SearchView } from './lazy-parts.tsx';
export { emptyForm, readForm, searchFormSchema, type SearchForm } from './search-form.ts';
export type { ChosenResults, PreviewWish, SearchServices, SearchWhere } from './search-services.ts';
export { openFolderSize } from './size-store.ts';
