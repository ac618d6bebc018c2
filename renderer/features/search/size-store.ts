import { useSyncExternalStore } from 'react';
import type { SearchWhere } from './services.ts';

let current: { readonly where: SearchWhere | null; readonly serial: number } = { where: null, serial: 0 };
const listeners = new Set<() => void>();

function set(where: SearchWhere | null): void {
  current = { where, serial: current.serial + 1 };
  for (const listener of listeners) listener();
}

/** Shows what takes the space in a folder; drawn by FolderSizeDialogs. */
export function openFolderSize(where: SearchWhere): void {
  set(where);
}

export function closeFolderSize(): void {
  set(null);
}

export function useOpenFolderSize() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
