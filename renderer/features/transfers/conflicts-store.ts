import { useSyncExternalStore } from 'react';

let jobId: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  jobId = next;
  for (const listener of listeners) listener();
}

/** Shows what a transfer asks about; drawn by ConflictsDialog. */
export function openConflicts(ofJob: string): void {
  set(ofJob);
}

export function closeConflicts(): void {
  set(null);
}

export function useConflictsJob(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => jobId,
  );
}
