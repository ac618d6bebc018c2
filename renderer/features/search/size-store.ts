import { dialogStore } from '../../ui/dialog/dialog-store.ts';
import type { SearchWhere } from './search-services.ts';

const folderSize = dialogStore<SearchWhere>();

/** Shows what uses the space in a folder; FolderSizeDialogs renders it. */
export const openFolderSize = folderSize.open;
export const closeFolderSize = folderSize.close;
export const useOpenFolderSize = folderSize.useOpened;
