import { useSyncExternalStore } from 'react';
import type { SyncDirection } from '../../../shared/models/sync.ts';
import type { SyncPlace } from './services.ts';

interface Open {
  readonly wish: { readonly place: SyncPlace; readonly direction: SyncDirection } | null;
  /** Tells one opening from the next, so that a dialog begins afresh. */
  readonly serial: number;
}

let current: Open = { wish: null, serial: 0 };
const listeners = new Set<() => void>();

function set(wish: Open['wish']): void {
  current = { wish, serial: current.serial + 1 };
  for (const listener of listeners) listener();
}

/** Opens the dialog of a sync; it is drawn by SyncDialogs. */
export function openSync(place: SyncPlace, direction: SyncDirection): void {
  set({ place, direction });
}

export function closeSync(): void {
  set(null);
}

export function useOpenSync(): Open {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
