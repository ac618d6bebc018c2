import { type DialogProps, dialogStore } from '../../ui/dialog/define-dialog.tsx';
import { passKeysToNextField } from '../../ui/keyboard/early-keys.ts';
import type { Chosen, Found, OperationPlace, Transfer } from './chosen.ts';

/** The calls of operations to the folder that shows the rows. `renderer/app` passes them in. */
export interface OperationServices {
  /** Focuses the list of the folder. */
  readonly focusList: () => void;
  /** Returns true if this folder is visible and has loaded a row with this kind and key. */
  readonly has: (place: OperationPlace, kind: Chosen['kind'], key: string) => boolean;
  /** Lists a changed folder again and selects the new row. */
  readonly changed: (place: OperationPlace, kind: Chosen['kind'], key: string) => void;
  /** Lists the folder again and selects the new row when the job is done. */
  readonly changedBy: (jobId: string, place: OperationPlace, kind: Chosen['kind'], key: string) => void;
}

/** The props of the dialog for one kind of operation. */
export interface OperationDialogProps<Kind extends OperationDialog['kind']> extends DialogProps<
  Extract<OperationDialog, { kind: Kind }>
> {
  readonly services: OperationServices;
}

export type OperationDialog =
  | { readonly kind: 'new-folder'; readonly place: OperationPlace }
  | {
      readonly kind: 'rename';
      readonly place: OperationPlace;
      readonly row: Chosen;
      /** The name typed so far, or null if the field starts with the current name. */
      readonly newName: string | null;
    }
  | { readonly kind: 'rename-many'; readonly place: OperationPlace; readonly rows: readonly Chosen[] }
  | { readonly kind: 'duplicate'; readonly place: OperationPlace; readonly row: Chosen }
  | {
      readonly kind: 'delete';
      readonly place: OperationPlace;
      readonly rows: readonly Chosen[];
      /** If set, all results of a search are deleted instead of rows. */
      readonly found?: Found | null;
      readonly allVersions: boolean;
    }
  | { readonly kind: 'move'; readonly transfer: Transfer }
  | {
      readonly kind: 'target';
      readonly from: OperationPlace;
      readonly rows: readonly Chosen[];
      readonly isMove: boolean;
    }
  | {
      readonly kind: 'upload-target';
      /** Files and folders on this computer. */
      readonly rows: readonly Chosen[];
      readonly onChoose: (to: OperationPlace) => void;
    };

/** The dialogs in which focus starts in a field. */
const hasField: ReadonlySet<OperationDialog['kind']> = new Set([
  'new-folder',
  'rename',
  'rename-many',
  'duplicate',
]);

export const operationDialogs = dialogStore<OperationDialog>();

/** Opens a dialog for an operation, which `OperationDialogs` renders. */
export function openOperation(dialog: OperationDialog): void {
  if (hasField.has(dialog.kind)) passKeysToNextField('dialog');
  operationDialogs.open(dialog);
}
