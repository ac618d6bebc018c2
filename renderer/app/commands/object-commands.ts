import { folderOf } from '../../../shared/keys/paths.ts';
import { maxSelectedItems } from '../../../shared/models/limits.ts';
import {
  copyMarked,
  cutMarked,
  openOperation,
  pasteMarked,
  type OperationPlace,
} from '../../features/operations/index.ts';
import type { FolderRow } from '../../features/objects/index.ts';
import { showNotice } from '../../ui/notices/notices.tsx';
import { connectionOf, rowsPlace } from '../places/places.ts';
import { showLink, showProperties, showVersions } from '../services/object-extras.ts';
import { openBatchJob } from '../services/open-batch-job.ts';
import { beginUndo } from '../services/undo.tsx';
import { downloadItemsOf } from '../services/priced-download.ts';
import {
  defineCommand,
  folderIn,
  isInFolder,
  isUsable,
  onRows,
  selectedIn,
  withFolder,
  type CommandWindow,
} from './define-command.ts';

/** Calls `work` with the selected rows and their folder. Has no effect without any. */
function withRows(
  window: CommandWindow,
  work: (from: OperationPlace, rows: readonly FolderRow[]) => void,
): void {
  const from = rowsPlace(window.place);
  const rows = selectedIn(window);
  if (from !== null && rows.length > 0) work(from, rows);
}

function chooseTarget(window: CommandWindow, isMove: boolean): void {
  withRows(window, (from, rows) => openOperation({ kind: 'target', from, rows, isMove }));
}

function remove(window: CommandWindow, allVersions: boolean): void {
  withRows(window, (place, rows) => openOperation({ kind: 'delete', place, rows, allVersions }));
}

/** Starts editing the name of the only selected row, or asks for a pattern if several objects of one folder are selected. */
function rename(window: CommandWindow): void {
  withRows(window, (from, rows) => {
    const [row, ...others] = rows;
    if (row === undefined) return;
    const [parent = from.folder, ...otherParents] = new Set(rows.map(({ key }) => folderOf(key)));
    const canRenameAll = rows.length <= maxSelectedItems && rows.every(({ kind }) => kind === 'object');
    if (others.length === 0) window.folder.current?.rename(row);
    else if (!canRenameAll) showNotice({ message: (say) => say('operations.rename.only') });
    else if (otherParents.length > 0) showNotice({ message: (say) => say('operations.rename.oneFolder') });
    else openOperation({ kind: 'rename-many', place: { ...from, folder: parent }, rows });
  });
}

/** The commands that change the selected objects, or show facts about them. */
export const objectCommands = [
  defineCommand('newFolder', {
    enabled: isUsable,
    run: (window) => withFolder(window, (place) => openOperation({ kind: 'new-folder', place })),
  }),
  defineCommand('rename', { ...onRows, run: rename }),
  defineCommand('undo', { run: ({ queries, t }) => beginUndo('undo', queries, t) }),
  defineCommand('redo', { run: ({ queries, t }) => beginUndo('redo', queries, t) }),
  defineCommand('cut', { ...onRows, run: (window) => withRows(window, cutMarked) }),
  defineCommand('copy', { ...onRows, run: (window) => withRows(window, copyMarked) }),
  defineCommand('paste', {
    enabled: isInFolder,
    run: (window) => withFolder(window, (place) => pasteMarked(place, window.operations, window.t)),
  }),
  defineCommand('copyTo', { ...onRows, run: (window) => chooseTarget(window, false) }),
  defineCommand('moveTo', { ...onRows, run: (window) => chooseTarget(window, true) }),
  defineCommand('remove', { ...onRows, run: (window) => remove(window, false) }),
  defineCommand('removeVersions', { ...onRows, run: (window) => remove(window, true) }),
  /** Acts on the selection in the visible folder. A search handles the command itself if the service runs batch jobs. */
  defineCommand('batchJob', {
    run: (window) => {
      const place = folderIn(window);
      const rows = place === null ? [] : selectedIn(window);
      const hasFolder = rows.some(({ kind }) => kind === 'folder');
      openBatchJob(
        {
          connectionId: connectionOf(window.place) ?? '',
          bucket: place?.bucket ?? '',
          items: downloadItemsOf(rows),
          count: hasFolder ? null : rows.length,
        },
        window.offersBatches,
      );
    },
  }),
  defineCommand('properties', {
    ...onRows,
    run: (window) => showProperties(window.place, selectedIn(window)),
  }),
  defineCommand('objectVersions', {
    ...onRows,
    run: (window) => showVersions(window.place, selectedIn(window)),
  }),
  defineCommand('link', { ...onRows, run: (window) => showLink(window.place, selectedIn(window)) }),
];
