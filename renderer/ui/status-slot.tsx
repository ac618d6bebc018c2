import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { create } from 'zustand';
import { useIsActivePane } from './keyboard/panes.ts';

const useSlot = create<{ readonly element: HTMLElement | null }>()(() => ({ element: null }));

function attach(element: HTMLElement | null): void {
  useSlot.setState({ element });
}

/** The section in the window's status line into which the page renders. Mounted once. */
export function StatusSlot({ className }: { readonly className: string | undefined }) {
  return <div ref={attach} className={className} />;
}

/** Renders a page's status in the window's status line if its pane is active. */
export function StatusContent({ children }: { readonly children: ReactNode }) {
  const { element } = useSlot();
  const isActive = useIsActivePane();
  return element === null || !isActive ? null : createPortal(children, element);
}
