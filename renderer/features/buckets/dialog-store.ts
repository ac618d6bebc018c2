import { useSyncExternalStore } from 'react';
import type { BucketSection } from '../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../shared/models/objects.ts';

/** What these dialogs need of the rest of the window; the application hands it in. */
export interface BucketDialogServices {
  /** Opens the transfers at this job. */
  readonly showJob: (jobId: string) => void;
}

export type BucketDialog =
  | {
      readonly kind: 'create';
      /** null: the user chooses. */
      readonly connectionId: string | null;
      readonly onCreated: (place: Place) => void;
    }
  | { readonly kind: 'settings'; readonly place: Place; readonly section?: BucketSection }
  | { readonly kind: 'remove'; readonly place: Place; readonly onRemoved?: () => void };

interface Open {
  readonly dialog: BucketDialog;
  /** Tells one opening from the next, so that a form begins afresh. */
  readonly serial: number;
}

let current: Open | null = null;
let serial = 0;
const listeners = new Set<() => void>();

function set(next: Open | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Opens one of the dialogs about buckets; they are drawn by BucketDialogs. */
export function openBucketDialog(dialog: BucketDialog): void {
  serial += 1;
  set({ dialog, serial });
}

export function closeBucketDialog(): void {
  set(null);
}

export function useBucketDialog(): Open | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
