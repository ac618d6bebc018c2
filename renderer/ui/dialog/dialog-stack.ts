import { useEffect, useState } from 'react';
import { create } from 'zustand';

interface Dialogs {
  /** The dialogs that are open, the uppermost last. */
  readonly open: readonly symbol[];
}

const useDialogs = create<Dialogs>()(() => ({ open: [] }));

/** Returns true if no other dialog is above this one: Escape closes one at a time, from the top. */
export function useIsUppermost(): boolean {
  const [self] = useState(() => Symbol('dialog'));
  useEffect(() => {
    useDialogs.setState(({ open }) => ({ open: [...open, self] }));
    return () => useDialogs.setState(({ open }) => ({ open: open.filter((one) => one !== self) }));
  }, [self]);
  return useDialogs(({ open }) => open.at(-1) === self);
}
