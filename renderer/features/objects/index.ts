import { lazyPart } from '../../ui/lazy-part.tsx';
export type { DetailedRows } from './details/detailed-rows.ts';
export { DetailsSlot, InDetailsSlot, LazyDetailsPane } from './details/details-slot.tsx';
export type { AboutActions } from './actions/folder-actions.ts';
export type { FolderActions } from './actions/folder-actions.ts';
export { useCopyKeys } from './actions/folder-actions.ts';
export { RowMenu } from './actions/row-menu.tsx';
export { FolderPage, type FolderHandle, type FolderNavigation } from './page/folder-page.tsx';
export { useIsQuickLookOpen } from './page/list-states.ts';
export { useIsUnusable } from './page/list-states.ts';
export { FolderRows, rowsPerLine } from './page/folder-rows.tsx';
export { folderColumns, rowFacts, type FolderColumn, type SortOrder } from './rows/folder-columns.ts';
export type { ShownRows } from './rows/folder-row.ts';
export { RowKeys } from './views/use-selection.ts';
export { thumbnailsOf } from './views/row-thumbnails.ts';
export type { RowsInView } from './views/use-selection.ts';
export type { RowViewHandle } from './views/folder-views.ts';
export { useViewport } from './views/use-viewport.ts';
export { useKeepFocusVisible, useScrollToFocus } from './views/use-arrival.ts';
export { useRowRename } from './rename/use-row-rename.ts';
export { TileSize } from './gallery/tile-size.tsx';
export { useTileSize } from './gallery/tile-size.tsx';
export { objectRow } from './rows/row.ts';
export type { LocalActions, LocalFolder } from './local/local-actions.ts';
export { refreshLocalFolders } from './local/local-source.ts';
export { placeId, prefixOf, type FolderPlace, type ListNumber } from './rows/place.ts';
export { rowsToPrice } from './rows/rows-to-price.ts';
export { rowName, type FolderRow } from './rows/row.ts';
export {
  prefetchOpening,
  prefetchLikely,
  forgetFolders,
  refreshFolders,
  releaseFolder,
} from './folder/folder-query.ts';
export { knownRows } from './folder/listed-folders.ts';
export { refreshFolderTotals } from './folder/sizes-below.ts';
export { onFolderListed } from './folder/listed-folders.ts';
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
