import { useBookmarkToggle } from '../features/bookmarks/index.ts';
import { useIsQuickLookOpen } from '../features/objects/index.ts';
import { useShownJob } from '../features/transfers/index.ts';
import { useKeptView } from '../rpc/use-kept-view.ts';
import { useBottomPanels } from './dock/use-bottom-panels.ts';
import { useDetails } from './panes/use-details.ts';
import { useVersionsShown } from './panes/use-versions-shown.ts';
import { paneOf, placeOf, type Tab } from './places/navigation.ts';
import type { WindowPlace } from './places/places.ts';
import { defaultLayout, layoutSchema } from './places/window-layout.ts';
import { useTransfers } from './services/use-transfers.ts';
import { useSidebar } from './use-sidebar.ts';

/** Returns the parts around the lists that the user shows and hides: which are visible, how large, and how to toggle them. */
export function useWindowParts(tab: Tab, go: (place: WindowPlace) => void) {
  const pane = paneOf(tab);
  const place = placeOf(pane);
  const layout = useKeptView('layout', layoutSchema, defaultLayout);
  const sidebar = useSidebar(layout);
  const isLooking = useIsQuickLookOpen(pane.id);
  const details = useDetails({
    tab: tab.id,
    pane: pane.id,
    isPair: tab.panes.length === 2,
    isWide: isLooking || place.kind === 'search',
    sidebarPx: sidebar.widthPx,
    layout,
  });
  const queue = useTransfers(go);
  const { log, transfers } = useBottomPanels({
    log: {
      isOpen: layout.value.logOpen,
      toggle: () => {
        layout.set({ ...layout.value, logOpen: !layout.value.logOpen });
      },
    },
    transfers: queue,
    asked: useShownJob(({ serial }) => serial),
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
