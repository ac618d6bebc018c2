import { useSyncExternalStore } from 'react';
import type { TransferPlace, TransferServices } from './start.ts';

export interface UploadQuestion {
  readonly place: TransferPlace;
  readonly services: TransferServices;
}

let current: UploadQuestion | null = null;
const listeners = new Set<() => void>();

function set(next: UploadQuestion | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Asks how to upload into a folder, and what; drawn by UploadOptionsDialog. */
export function openUploadOptions(place: TransferPlace, services: TransferServices): void {
  set({ place, services });
}

export function closeUploadOptions(): void {
  set(null);
}

export function useUploadQuestion(): UploadQuestion | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
