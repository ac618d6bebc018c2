import { defineDialogs } from '../../ui/dialog/define-dialog.tsx';
import { hasNoFocusedElement } from '../../ui/keyboard/keyboard-place.ts';
import {
  type OperationServices,
  openOperation,
  operationDialogs,
  type OperationDialog,
} from './operation-dialog-store.ts';
export { copyMarked, cutMarked, forgetCut, pasteMarked, useCutKeys } from './clipboard.ts';
export { isSameBucket, itemOf, type Chosen, type OperationPlace } from './chosen.ts';
export { openOperation };
export { lineBreakConversionOf, nameNotes, nameProblemText, newNameProblem, stemLength } from './names.ts';
export { beginDrag, beginFileDrag, DragHint, useDragTargets, type Drop } from './drag.tsx';
export type { OperationServices };
export { beginTransfer, runRename } from './start-operation.ts';

const renameDialog = async () => (await import('./name-dialogs.tsx')).RenameObjectDialog;

/** The dialogs of operations on objects. */
export const OperationDialogs = defineDialogs<OperationDialog, { readonly services: OperationServices }>(
  {
    'new-folder': async () => (await import('./name-dialogs.tsx')).NewFolderDialog,
    rename: renameDialog,
    duplicate: renameDialog,
    'rename-many': async () => (await import('./rename-many-dialog.tsx')).RenameManyDialog,
    delete: async () => (await import('./delete-dialog.tsx')).DeleteDialog,
    move: async () => (await import('./move-dialog.tsx')).MoveDialog,
    target: async () => (await import('./target-dialog.tsx')).TransferTargetDialog,
    'upload-target': async () => (await import('./target-dialog.tsx')).UploadTargetDialog,
  },
  {
    store: operationDialogs,
    // Focuses the list if the dialog has deleted the row that had focus.
    afterClose: ({ services }) => {
      if (hasNoFocusedElement()) services.focusList();
    },
  },
);
