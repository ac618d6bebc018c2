import { useSyncExternalStore } from 'react';
import type { BucketSection } from '../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../shared/models/objects.ts';

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
/** What has the keyboard again once the dialog is closed. */
let opener: HTMLElement | null = null;
const passing = '[role="menu"], [role="dialog"]';
const listeners = new Set<() => void>();

function set(next: Open | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** A menu or the palette that led here gives the keyboard back to where it came from, and that is what counts. */
function remember(element: EventTarget | null): void {
  if (element instanceof HTMLElement && element !== document.body && element.closest(passing) === null)
    opener = element;
}

function noteFocus(event: FocusEvent): void {
  remember(event.target);
}

/** Opens one of the dialogs about buckets; they are drawn by BucketDialogs. */
export function openBucketDialog(dialog: BucketDialog): void {
  serial += 1;
  opener = null;
  remember(document.activeElement);
  document.addEventListener('focusin', noteFocus);
  set({ dialog, serial });
}

export function closeBucketDialog(): void {
  document.removeEventListener('focusin', noteFocus);
  const back = opener;
  opener = null;
  set(null);
  // The dialog is loaded after the menu that opened it has gone, so that it cannot know where the keyboard was.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body && back?.isConnected === true) back.focus();
  });
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
