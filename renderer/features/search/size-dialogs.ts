import { defineDialog } from '../../ui/dialog/define-dialog.tsx';
import type { SearchWhere } from './search-services.ts';

/** The dialog that shows what uses the space in a folder. */
export const { open: openFolderSize, Mounted: FolderSizeDialogs } = defineDialog<
  SearchWhere,
  Record<'onShow' | 'onOpenFolder', (where: SearchWhere) => void>
>(async () => (await import('./folder-size-dialog.tsx')).FolderSizeDialog);
