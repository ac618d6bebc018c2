import { useEffect, useState, useSyncExternalStore } from 'react';

/** The dialogs that are open, the uppermost last. */
let open: readonly symbol[] = [];
const listeners = new Set<() => void>();

function set(next: readonly symbol[]): void {
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether no other dialog lies on this one: Escape closes one at a time, from the top. */
export function useIsUppermost(): boolean {
  const [self] = useState(() => Symbol('dialog'));
  useEffect(() => {
    set([...open, self]);
    return () => set(open.filter((one) => one !== self));
  }, [self]);
  return useSyncExternalStore(subscribe, () => open.at(-1) === self);
}
