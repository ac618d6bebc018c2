import { create } from 'zustand';

const useHeld = create<{ readonly editIds: ReadonlySet<string> }>()(() => ({ editIds: new Set() }));

/** Marks an edit that an open editor in this window asks about, so that no notice does. */
export function holdEdit(editId: string): void {
  useHeld.setState(({ editIds }) => ({ editIds: new Set([...editIds, editId]) }));
}

export function releaseEdit(editId: string): void {
  useHeld.setState(({ editIds }) => ({
    editIds: new Set([...editIds].filter((heldId) => heldId !== editId)),
  }));
}

export function useHeldEdits(): ReadonlySet<string> {
  return useHeld(({ editIds }) => editIds);
}
