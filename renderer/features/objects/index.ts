export type { AboutActions } from './about-actions.ts';
export type { FolderActions } from './folder-actions.ts';
export { useCopyKeys } from './object-actions.ts';
export { RowMenu } from './row-menu.tsx';
export {
  FolderPage,
  type FolderHandle,
  type FolderPageProps,
  type LookWish,
  type PreviewWish,
} from './folder-page.tsx';
export { rowFacts } from './columns.ts';
export type { LocalActions, LocalFolder } from './local-actions.ts';
export { LocalPage } from './lazy-local.tsx';
export { refreshLocalFolders } from './local-source.ts';
export { placeId, prefixOf, type FolderPlace, type ListNumber } from './place.ts';
export type { RowThumbnails } from './row-thumbnails.ts';
export { rowName, type FolderRow } from './row.ts';
export { askAhead, fetchAhead, forgetFolders, refreshFolders } from './folder-query.ts';
export { rememberChild, rememberObject } from './view-memory.ts';
export { nameOfView, useFolderView, type FolderView } from './folder-views.ts';
export { ViewSwitch } from './view-switch.tsx';
