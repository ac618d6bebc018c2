export type { AboutActions } from './about-actions.ts';
export type { FolderActions } from './folder-actions.ts';
export {
  FolderPage,
  type FolderHandle,
  type FolderPageProps,
  type LookWish,
  type PreviewWish,
} from './folder-page.tsx';
export { rowFacts } from './columns.ts';
export { placeId, prefixOf, type FolderPlace } from './place.ts';
export { rowName, type FolderRow } from './row.ts';
export { askAhead, refreshFolders } from './use-folder.ts';
export { rememberChild, rememberObject } from './view-memory.ts';
