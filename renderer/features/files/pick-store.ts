import { useSyncExternalStore } from 'react';
import type { FileEntry } from '../../../shared/models/files.ts';

export interface PickRequest {
  readonly serial: number;
  readonly kind: FileEntry['kind'];
  readonly title: string;
  readonly settle: (picked: FileEntry | null) => void;
}

let current: PickRequest | null = null;
let serial = 0;
const listeners = new Set<() => void>();

function set(next: PickRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Opens the picker over this computer's folders; null when it was closed. One at a time: a new one closes the old. */
export function openPicker(kind: FileEntry['kind'], title: string): Promise<FileEntry | null> {
  current?.settle(null);
  serial += 1;
  return new Promise((resolve) => {
    const mine = serial;
    set({
      serial,
      kind,
      title,
      settle(picked) {
        resolve(picked);
        if (current?.serial === mine) set(null);
      },
    });
  });
}

export function usePickRequest(): PickRequest | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
