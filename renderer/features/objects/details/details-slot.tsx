import { Box } from '@mantine/core';
import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { lazyPart } from '../../../ui/lazy-part.tsx';

/** The window's container for the details of the active pane's selection, or null while the details are hidden. */
export const DetailsSlot = createContext<HTMLElement | null>(null);

/** Renders into the window's container for details, next to all lists. */
export function InDetailsSlot({ children }: { readonly children: ReactNode }) {
  const slot = use(DetailsSlot);
  return slot === null
    ? null
    : createPortal(
        // Rendered before the details have loaded. The list beside this slot is therefore laid out only once.
        <Box h="100%" mih={0}>
          {children}
        </Box>,
        slot,
      );
}

export const LazyDetailsPane = lazyPart(async () => (await import('./details-pane.tsx')).DetailsPane);
