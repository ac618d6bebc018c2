import { dialogStore } from '../../../ui/dialog/dialog-store.ts';

const conflicts = dialogStore<string>();

/** Shows the questions of a transfer by its job's id; ConflictsDialog renders them. */
export const openConflicts = conflicts.open;
export const closeConflicts = conflicts.close;

export function useConflictsJob(): string | null {
  return conflicts.useOpened(({ request }) => request);
}
