import { useState, useEffect } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { useBookmarkToggle } from '../features/bookmarks/index.ts';
import { useIsQuickLookOpen } from '../features/objects/index.ts';
import { useShownJob } from '../features/transfers/index.ts';
import { type KeptView, useKeptView } from '../rpc/use-kept-view.ts';
import { useBottomPanels } from './dock/bottom-panels.tsx';
import { useDetails } from './panes/details-frame.tsx';
import { type PaneId, paneOf, placeOf, type Tab } from './places/navigation.ts';
import { defaultLayout, type Layout, layoutSchema, narrowWindow } from './places/window-layout.ts';
import { useTransfers } from './services/use-transfers.ts';

/** Returns the parts around the lists that the user shows and hides: which are visible, how large, and how to toggle them. */
export function useWindowParts(tab: Tab) {
  const pane = paneOf(tab);
  const place = placeOf(pane);
  const layout = useKeptView('layout', layoutSchema, defaultLayout);
  const sidebar = useSidebar(layout);
  const isQuickLookOpen = useIsQuickLookOpen();
  const details = useDetails({
    tab: tab.id,
    pane: pane.id,
    isPair: tab.panes.length === 2,
    // Both panes count: if the details came or went with the active pane, a click into it would miss its target.
    isWide: isQuickLookOpen || tab.panes.some((shown) => placeOf(shown).kind === 'search'),
    sidebarPx: sidebar.widthPx,
    layout,
  });
  const queue = useTransfers();
  const { log, transfers } = useBottomPanels({
    log: {
      isOpen: layout.value.logOpen,
      toggle: () => layout.set({ ...layout.value, logOpen: !layout.value.logOpen }),
    },
    transfers: queue,
    showRequestCount: useShownJob(({ serial }) => serial),
  });
  const versions = useVersionsShown(pane.id);
  const bookmark = useBookmarkToggle(
    place.kind === 'folder'
      ? { connectionId: place.connectionId, bucket: place.bucket, prefix: place.folder }
      : null,
  );
  return { layout, sidebar, details, queue, log, transfers, versions, bookmark };
}

export type WindowParts = ReturnType<typeof useWindowParts>;

interface VersionsShown {
  /** The panes that show the versions of objects. */
  readonly panes: ReadonlySet<PaneId>;
  readonly areShownInActive: boolean;
  /** Shows or hides the versions in the active pane. */
  readonly toggle: () => void;
}

/** Remembers which panes show versions. `pane` is the active pane. */
function useVersionsShown(pane: PaneId): VersionsShown {
  const [panes, setPanes] = useState<ReadonlySet<PaneId>>(new Set());
  const areShownInActive = panes.has(pane);
  return {
    panes,
    areShownInActive,
    toggle: () => {
      const others = [...panes].filter((paneId) => paneId !== pane);
      setPanes(new Set(areShownInActive ? others : [...others, pane]));
    },
  };
}

interface SidebarState {
  readonly isNarrow: boolean;
  readonly isOpen: boolean;
  /** Width of the sidebar next to the content, or 0 if it overlays the content or is closed. */
  readonly widthPx: number;
  readonly toggle: () => void;
  readonly hideDrawer: () => void;
}

/** Returns whether the sidebar is open. It is next to the content, or a drawer over the content in a narrow window. */
function useSidebar(layout: KeptView<Layout>): SidebarState {
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
    hideDrawer: () => setDrawerOpen(false),
  };
}

/** Sets a CSS variable to the left edge of the content in px, so that notices do not cover the sidebar. */
function useContentEdge(leftPx: number): void {
  useEffect(() => {
    document.documentElement.style.setProperty('--cooper-content-left', `${String(leftPx)}px`);
  }, [leftPx]);
}
