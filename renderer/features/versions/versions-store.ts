import { useSyncExternalStore } from 'react';
import type { ObjectRef } from '../../../shared/models/objects.ts';

let current: { readonly ref: ObjectRef | null; readonly serial: number } = { ref: null, serial: 0 };
const listeners = new Set<() => void>();

function set(ref: ObjectRef | null): void {
  current = { ref, serial: current.serial + 1 };
  for (const listener of listeners) listener();
}

/** Shows all versions of one object; drawn by VersionsDialogs. */
export function openVersions(ref: ObjectRef): void {
  set(ref);
}

export function closeVersions(): void {
  set(null);
}

export function useOpenVersions() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
