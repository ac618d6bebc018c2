import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import classes from './details-pane.module.css';

/** The window's container for the details of the active pane's selection; null: they are hidden. */
export const DetailsSlot = createContext<HTMLElement | null>(null);

/** Renders into the window's container for details, next to all lists. */
export function InDetailsSlot({ children }: { readonly children: ReactNode }) {
  const slot = use(DetailsSlot);
  return slot === null ? null : createPortal(<div className={classes.slot}>{children}</div>, slot);
}
