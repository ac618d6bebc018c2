import { useSyncExternalStore } from 'react';
import type { Chosen, Found, OperationPlace } from './chosen.ts';
import type { Transfer } from './transfer-plan.ts';

export type OperationDialog =
  | { readonly kind: 'new-folder'; readonly place: OperationPlace }
  | { readonly kind: 'rename'; readonly place: OperationPlace; readonly row: Chosen }
  | { readonly kind: 'duplicate'; readonly place: OperationPlace; readonly row: Chosen }
  | {
      readonly kind: 'delete';
      readonly place: OperationPlace;
      readonly rows: readonly Chosen[];
      /** Not null: all that a search has found, in the place of rows. */
      readonly found?: Found | null;
      readonly allVersions: boolean;
    }
  | { readonly kind: 'move'; readonly transfer: Transfer }
  | {
      readonly kind: 'target';
      readonly from: OperationPlace;
      readonly rows: readonly Chosen[];
      readonly isMove: boolean;
    };

interface Open {
  readonly dialog: OperationDialog | null;
  /** Tells one opening from the next, so that a dialog begins afresh. */
  readonly serial: number;
}

let current: Open = { dialog: null, serial: 0 };
const listeners = new Set<() => void>();

function set(dialog: OperationDialog | null): void {
  current = { dialog, serial: current.serial + 1 };
  for (const listener of listeners) listener();
}

/** Opens one of the dialogs of operations; they are drawn by OperationDialogs. */
export function openOperation(dialog: OperationDialog): void {
  set(dialog);
}

export function closeOperation(): void {
  set(null);
}

export function useOpenOperation(): Open {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
