import { useSyncExternalStore } from 'react';
import type { ObjectRef } from '../../../shared/models/objects.ts';

let current: { readonly ref: ObjectRef | null; readonly serial: number } = { ref: null, serial: 0 };
const listeners = new Set<() => void>();

function set(ref: ObjectRef | null): void {
  current = { ref, serial: current.serial + 1 };
  for (const listener of listeners) listener();
}

/** Offers a link to an object, or to one version of it; drawn by LinkDialogs. */
export function openLink(ref: ObjectRef): void {
  set(ref);
}

export function closeLink(): void {
  set(null);
}

export function useOpenLink() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
