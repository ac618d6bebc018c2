import type { SyncDirection } from '../../../shared/models/sync.ts';
import { openAndEdit } from '../../features/edits/index.ts';
import { beginTransfer } from '../../features/operations/index.ts';
import { openSync } from '../../features/sync/index.ts';
import {
  downloadInto,
  openUploadOptions,
  startDownload,
  startUpload,
  uploadFiles,
} from '../../features/transfers/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { otherPaneOf, placeOf } from '../places/navigation.ts';
import {
  rowsPlace,
  type FolderWindowPlace,
  type LocalWindowPlace,
  type WindowPlace,
} from '../places/places.ts';
import { downloadItemsOf, handlesOf, beginPricedRows } from '../services/priced-download.ts';
import {
  chosenFolderIn,
  defineCommand,
  isInFolder,
  isUsable,
  onRows,
  selectedIn,
  withFolder,
  type CommandWindow,
} from './define-command.ts';

function upload(window: CommandWindow, kind: 'file' | 'folder'): void {
  withFolder(window, (place) => startUpload(place, kind, window.t));
}

/** Opens a sync of the selected folder if it is the only selected row, otherwise of the visible folder. */
function sync(window: CommandWindow, direction: SyncDirection): void {
  const at = chosenFolderIn(window);
  if (at === null) return;
  openSync({ place: { connectionId: at.connectionId, bucket: at.bucket, prefix: at.folder }, direction });
}

type Refusal = 'noOther' | 'bothLocal' | 'noFolder' | 'nothing' | 'onlyCopies';

function refuse(why: Refusal): void {
  showNotice({ message: (say) => say(`common.panes.${why}`), staysMs: 5000 });
}

/** Returns true if files can be copied to this location: a folder in a bucket or on this computer. */
function isFolder(place: WindowPlace): place is FolderWindowPlace | LocalWindowPlace {
  return place.kind === 'folder' || (place.kind === 'local' && place.trail.length > 0);
}

/** Copies or moves the selected rows to the other pane, or says why this is not possible. */
function transferToPane(window: CommandWindow, isMove: boolean): void {
  const { tab, place, operations, t } = window;
  const from = rowsPlace(window.place);
  const other = otherPaneOf(tab);
  const to = other === null ? null : placeOf(other);
  const rows = selectedIn(window);
  const localTarget = to?.kind === 'local' ? to.trail.at(-1) : undefined;
  if (to === null) refuse('noOther');
  else if (place.kind === 'local' && to.kind === 'local') refuse('bothLocal');
  else if ((from === null && !isFolder(place)) || !isFolder(to)) refuse('noFolder');
  else if (rows.length === 0) refuse('nothing');
  else if (isMove && (from === null || to.kind === 'local')) refuse('onlyCopies');
  else if (from === null) {
    if (to.kind === 'folder') uploadFiles(to, handlesOf(rows));
  } else if (to.kind === 'folder') beginTransfer({ from, rows, to, isMove }, operations, t);
  else if (localTarget !== undefined)
    beginPricedRows(from, rows, () => downloadInto(from, downloadItemsOf(rows), localTarget.handle), t);
}

/** The commands that upload into the visible folder, or download, edit or copy its selected objects. */
export const transferCommands = [
  defineCommand('uploadFiles', { enabled: isUsable, run: (window) => upload(window, 'file') }),
  defineCommand('uploadFolder', { enabled: isUsable, run: (window) => upload(window, 'folder') }),
  defineCommand('uploadWithOptions', {
    enabled: isUsable,
    run: (window) => withFolder(window, openUploadOptions),
  }),
  defineCommand('download', {
    ...onRows,
    run: (window) => {
      const from = rowsPlace(window.place);
      if (from === null) return;
      const rows = selectedIn(window);
      beginPricedRows(from, rows, () => startDownload(from, downloadItemsOf(rows), window.t), window.t);
    },
  }),
  defineCommand('openAndEdit', {
    ...onRows,
    run: (window) => {
      const from = rowsPlace(window.place);
      const [only, ...others] = selectedIn(window);
      if (from === null || only?.kind !== 'object' || others.length > 0) return;
      openAndEdit({ connectionId: from.connectionId, bucket: from.bucket, key: only.key });
    },
  }),
  defineCommand('syncUp', { enabled: isInFolder, run: (window) => sync(window, 'up') }),
  defineCommand('syncDown', { enabled: isInFolder, run: (window) => sync(window, 'down') }),
  defineCommand('copyToPane', { isOnRows: true, run: (window) => transferToPane(window, false) }),
  defineCommand('moveToPane', { isOnRows: true, run: (window) => transferToPane(window, true) }),
];
