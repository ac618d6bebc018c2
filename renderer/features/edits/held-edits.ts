import { create } from 'zustand';

const useHeld = create<{ readonly editIds: ReadonlySet<string> }>()(() => ({ editIds: new Set() }));

/** An editor of this window asks itself what is to become of this edit: no notice does. */
export function holdEdit(editId: string): void {
  useHeld.setState(({ editIds }) => ({ editIds: new Set([...editIds, editId]) }));
}

export function releaseEdit(editId: string): void {
  useHeld.setState(({ editIds }) => ({ editIds: new Set([...editIds].filter((one) => one !== editId)) }));
}

export function useHeldEdits(): ReadonlySet<string> {
  return useHeld(({ editIds }) => editIds);
}
