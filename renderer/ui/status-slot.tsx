import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

let slot: HTMLElement | null = null;
const listeners = new Set<() => void>();

function attach(element: HTMLElement | null): void {
  slot = element;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The place in the window's one status line for what is on the screen. Mounted once. */
export function StatusSlot({ className }: { readonly className: string | undefined }) {
  return <div ref={attach} className={className} />;
}

/** Puts what a page has to say of itself into the window's status line. */
export function StatusContent({ children }: { readonly children: ReactNode }) {
  const at = useSyncExternalStore(subscribe, () => slot);
  return at === null ? null : createPortal(children, at);
}
