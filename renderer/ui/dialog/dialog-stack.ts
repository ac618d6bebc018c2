import { useEffect, useState } from 'react';
import { create } from 'zustand';

interface Dialogs {
  /** The open dialogs, with the uppermost one last. */
  readonly open: readonly symbol[];
}

const useDialogs = create<Dialogs>()(() => ({ open: [] }));

/** Maximum number of visible dialogs: the uppermost one and its opener. */
const maxVisible = 2;

export interface DialogLevel {
  /** True if no dialog is above this one. Only the uppermost dialog closes on Escape. */
  readonly isUppermost: boolean;
  /** True if so many dialogs are above this one that it is hidden until they are closed. */
  readonly isBuried: boolean;
}

/** Registers an open dialog and returns its level in the stack. */
export function useDialogLevel(): DialogLevel {
  const [self] = useState(() => Symbol('dialog'));
  useEffect(() => {
    useDialogs.setState(({ open }) => ({ open: [...open, self] }));
    return () => useDialogs.setState(({ open }) => ({ open: open.filter((dialog) => dialog !== self) }));
  }, [self]);
  const open = useDialogs((dialogs) => dialogs.open);
  return dialogLevelOf(open, self);
}

/** Returns the level of a dialog in a stack whose last dialog is uppermost. */
export function dialogLevelOf(open: readonly symbol[], self: symbol): DialogLevel {
  const at = open.indexOf(self);
  const above = open.length - 1 - at;
  return { isUppermost: at !== -1 && above === 0, isBuried: at !== -1 && above >= maxVisible };
}
