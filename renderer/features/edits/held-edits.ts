import { create } from 'zustand';

const useHeld = create<{ readonly editIds: ReadonlySet<string> }>()(() => ({ editIds: new Set() }));

/** Marks an edit about which an open editor in this window asks, so that no notice also asks. */
export function claimEdit(editId: string): void {
  useHeld.setState(({ editIds }) => ({ editIds: new Set([...editIds, editId]) }));
}

export function releaseEdit(editId: string): void {
  useHeld.setState(({ editIds }) => ({
    editIds: new Set([...editIds].filter((heldId) => heldId !== editId)),
  }));
}

export function useClaimedEdits(): ReadonlySet<string> {
  return useHeld(({ editIds }) => editIds);
}
