import { lazyPart } from '../../ui/lazy-part.tsx';
export { DetailsSlot, InDetailsSlot, LazyDetailsPane } from './details/details-slot.tsx';
export type { AboutActions, FolderActions } from './actions/folder-actions.ts';
export { RowMenu } from './actions/row-menu.tsx';
export type { FolderHandle, FolderNavigation } from './page/folder-handle.ts';
export { FolderPage } from './page/folder-page.tsx';
export { useIsQuickLookOpen, useIsUnusable } from './page/list-states.ts';
export { FolderRows, rowsPerLine } from './page/folder-rows.tsx';
export { RowLook } from './page/row-previews.tsx';
export { folderColumns, type FolderColumn, type SortOrder } from './rows/folder-columns.ts';
export type { ShownRows } from './rows/folder-row.ts';
export { RowKeys, type RowsInView } from './views/use-selection.ts';
export type { DetailedRows } from './views/status-line.tsx';
export type { RowViewHandle } from './views/folder-views.ts';
export { useViewport } from './views/use-viewport.ts';
export { useKeepFocusVisible, useScrollToFocus } from './views/use-arrival.ts';
export { newNameMessage, useRowRename } from './rename/use-row-rename.ts';
export { TileSize, useTileSize } from './gallery/tile-size.tsx';
export type { LocalActions, LocalFolder } from './local/local-actions.ts';
export { refreshLocalFolders } from './local/local-source.ts';
export { placeId, prefixOf, type FolderPlace, type ListNumber } from './rows/place.ts';
export { objectRow, rowName, rowsToPrice, type FolderRow } from './rows/row.ts';
export {
  prefetchOpening,
  prefetchLikely,
  forgetFolders,
  refreshFolders,
  releaseFolder,
} from './folder/folder-query.ts';
export { refreshFolderTotals } from './folder/sizes-below.ts';
export { knownRows, onFolderListed } from './folder/listed-folders.ts';
export { rememberChild, rememberObject } from './views/use-arrival.ts';
export {
  folderViews,
  nameOfView,
  rowViews,
  useFolderView,
  viewFacts,
  type FolderView,
  type RowView,
} from './views/folder-views.ts';
export { HiddenInMap, ViewSwitch } from './views/view-switch.tsx';

/** A folder on this computer. */
export const LazyLocalPage = lazyPart(async () => (await import('./local/local-page.tsx')).LocalPage);
