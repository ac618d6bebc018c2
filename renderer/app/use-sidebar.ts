import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { KeptView } from '../rpc/use-kept-view.ts';
import { useContentEdge } from './panes/content-edge.ts';
import { narrowWindow, type Layout } from './places/window-layout.ts';

interface SidebarState {
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  /** Width of the sidebar next to the content, or 0 if it overlays the content or is closed. */
  readonly widthPx: number;
  readonly toggle: () => void;
  readonly hideDrawer: () => void;
}

/** Returns whether the sidebar is open. It is next to the content, or a drawer over the content in a narrow window. */
export function useSidebar(layout: KeptView<Layout>): SidebarState {
  const isNarrow = useMediaQuery(narrowWindow, false, { getInitialValueInEffect: false });
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const isOpen = isNarrow ? isDrawerOpen : layout.value.sidebarOpen;
  const widthPx = isOpen && !isNarrow ? layout.value.sidebarPx : 0;
  useContentEdge(widthPx);
  return {
    isNarrow,
    isOpen,
    widthPx,
    toggle: () => {
      if (isNarrow) setDrawerOpen(!isOpen);
      else layout.set({ ...layout.value, sidebarOpen: !isOpen });
    },
    hideDrawer: () => {
      setDrawerOpen(false);
    },
  };
}
