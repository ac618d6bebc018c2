import { dialogStore } from '../../../ui/dialog/dialog-store.ts';

const conflicts = dialogStore<string>();

/** Shows what a transfer asks about, by the id of its job; drawn by ConflictsDialog. */
export const openConflicts = conflicts.open;
export const closeConflicts = conflicts.close;

export function useConflictsJob(): string | null {
  return conflicts.useOpened(({ request }) => request);
}
