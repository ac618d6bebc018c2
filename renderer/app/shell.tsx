import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBookmarkToggle } from '../features/bookmarks/index.ts';
import { useConnectionNameById, useConnections } from '../features/connections/index.ts';
import {
  folderViews,
  rowViews,
  useIsLooking,
  useIsUnusable,
  ViewSwitch,
  type FolderActions,
} from '../features/objects/index.ts';
import { ViewerServicesProvider } from '../features/viewers/index.ts';
import { desktopBridge } from '../rpc/message-port.ts';
import { useCoreStatus } from '../rpc/client.ts';
import { useKeptView } from '../rpc/use-kept-view.ts';
import { pageRun } from '../ui/keyboard/commands.ts';
import { useStable } from '../ui/use-stable.ts';
import { popupsId } from '../ui/theme/theme.ts';
import { bucketCommands, useBucketServices } from './services/bucket-services.tsx';
import type { Commands } from './commands/window-commands.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { defaultLayout, layoutSchema } from './places/window-layout.ts';
import { activeTab, canGoBack, canGoForward, canGoUp, paneOf, placeOf } from './places/navigation.ts';
import { NeedsCode } from './needs-code.tsx';
import { viewerServices } from './services/object-extras.ts';
import type { PathHandle } from './path/crumbs.tsx';
import { PanePath } from './panes/pane-path.tsx';
import type { PaneServices } from './panes/pane-view.tsx';
import { PanesView } from './panes/panes-view.tsx';
import { connectionOf, uploadsPlace, type WindowPlace } from './places/places.ts';
import { Sidebar } from './sidebar.tsx';
import { TabBar } from './places/tab-bar.tsx';
import { Toolbar } from './commands/toolbar.tsx';
import { TransfersDock } from './dock/transfers-dock.tsx';
import { useBottomPanels } from './dock/use-bottom-panels.ts';
import { useNavigation } from './places/use-navigation.ts';
import { useOperations } from './services/use-operations.ts';
import { useDetails } from './panes/use-details.ts';
import { usePaneFocus } from './panes/use-pane-focus.ts';
import { useVersionsShown } from './panes/use-versions-shown.ts';
import { usePathEditing } from './path/use-path-editing.ts';
import { useAboutSelection } from './services/use-about-selection.ts';
import { useLocalActions } from './services/use-local-actions.ts';
import { useOverlayServices } from './services/use-overlay-services.ts';
import { useTransferCommands } from './services/use-transfer-commands.ts';
import { useSidebar } from './use-sidebar.ts';
import { useWindowUpkeep } from './use-window-upkeep.ts';
import { useOpenLinked } from './services/use-open-linked.ts';
import { usePaneCommands } from './panes/use-pane-commands.ts';
import { usePaneHandles } from './panes/use-pane-handles.ts';
import { usePlaceAddress } from './places/use-place-address.ts';
import { useSearches } from './pages/use-searches.ts';
import { useShortcuts } from './commands/use-shortcuts.ts';
import { useBatches } from './services/use-batches.ts';
import { useSyncCommands } from './commands/use-sync-commands.ts';
import { useTransfers } from './services/use-transfers.ts';
import { useUndo } from './services/use-undo.tsx';
import { everywhereCommands } from './commands/everywhere-commands.ts';
import { folderCommands, navigationCommands } from './commands/place-commands.ts';
import { useReload } from './commands/use-reload.ts';
import { LogDock } from './dock/log-dock.tsx';
import { SidebarFrame } from './sidebar-frame.tsx';
import { WindowDialogs } from './window-dialogs.tsx';
import classes from './shell.module.css';
import { useShownJob } from '../features/transfers/index.ts';

/** Shows the window: sidebar, tabs, toolbar, the current page, and the request log below. */
export function Shell() {
  const status = useCoreStatus();
  return status.kind === 'needs-code' ? <NeedsCode reason={status.reason} /> : <Window />;
}

function Window() {
  const { t } = useTranslation();
  const { navigation, isRestored, dispatch, go, arrive, placeAhead } = useNavigation();
  const tab = activeTab(navigation);
  const pane = paneOf(tab);
  const isPair = tab.panes.length === 2;
  const place = placeOf(pane);
  useWindowUpkeep(navigation);
  const { kind } = place;
  usePaneFocus(kind, tab.activePane, isPair);
  const isUnusable = useIsUnusable(pane.id) && kind === 'folder';
  usePlaceAddress(place, isRestored, go);
  const connections = useConnections().data;
  const layout = useKeptView('layout', layoutSchema, defaultLayout);
  const sidebar = useSidebar(layout);
  const { folder, handle } = usePaneHandles(pane.id);
  const pathBar = useRef<PathHandle>(null);
  const path = usePathEditing(pane.id, () => folder.current?.focus());
  const bookmark = useBookmarkToggle(
    place.kind === 'folder'
      ? { connectionId: place.connectionId, bucket: place.bucket, prefix: place.folder }
      : null,
  );

  const { goFromSidebar } = useStable({
    goFromSidebar: (next: WindowPlace) => {
      go(next);
      sidebar.hideDrawer();
    },
  });
  const isLooking = useIsLooking(pane.id);
  const details = useDetails({
    tab: tab.id,
    pane: pane.id,
    isPair,
    isWide: isLooking || place.kind === 'search',
    sidebarPx: sidebar.widthPx,
    layout,
  });
  const nameOf = useConnectionNameById();
  const connectionId = connectionOf(place) ?? connections?.[0]?.id ?? null;

  const transfers = useTransfers(go);
  const bottom = useBottomPanels({
    log: {
      isOpen: layout.value.logOpen,
      toggle: () => {
        layout.set({ ...layout.value, logOpen: !layout.value.logOpen });
      },
    },
    transfers,
    asked: useShownJob(({ serial }) => serial),
  });
  const versions = useVersionsShown(pane.id);
  const about = useAboutSelection(place, folder);
  const viewing = useStable(viewerServices(t));
  const { downloadInBrowser, fetchForDrag, ...transferCommands } = useTransferCommands({
    place,
    folder,
    isUnusable,
  });
  const buckets = useBucketServices({ go: goFromSidebar, dispatch });
  const operations = useOperations({
    place,
    folder,
    connectionName: nameOf,
    onHoldTab: (id) => dispatch({ kind: 'activate', id }),
  });
  const undos = useUndo();
  const paneCommands = usePaneCommands({ tab, folder, services: operations.services, dispatch });
  const syncs = useSyncCommands({ place, folder });
  const searches = useSearches({ pane: pane.id, place, folder, go });
  const batches = useBatches(place, folder);
  const { drag, forgetCut, renameRow, ...operationCommands } = operations.actions;
  const openLinked = useOpenLinked({ place, go, dispatch });
  const commands: Commands = useStable({
    ...everywhereCommands,
    ...navigationCommands(navigation, dispatch),
    ...folderCommands(folder),
    ...bucketCommands(place, go),
    ...operationCommands,
    ...transferCommands,
    ...searches.actions,
    ...syncs,
    ...undos,
    ...paneCommands,
    batchJob: () => {
      (pageRun('batchJob') ?? batches.batchJob)();
    },
    // A page can handle the command itself. A local folder does, to create a folder on this computer.
    newFolder: () => {
      if (!isUnusable) (pageRun('newFolder') ?? operationCommands.newFolder)();
    },
    reload: useReload(folder),
    editPath: () => {
      path.onEditHere(true);
    },
    showSiblings: () => pathBar.current?.showSiblings(),
    toggleSidebar: sidebar.toggle,
    toggleDetails: () => {
      details.setOpen(!details.isOpen);
    },
    toggleLog: bottom.log.toggle,
    toggleBookmark: () => {
      if (bookmark.ready) bookmark.toggle();
    },
    openUploads: () => {
      const at = uploadsPlace(place, connectionId);
      if (at !== null) go(at);
    },
    properties: about.properties,
    objectVersions: about.versions,
    link: about.link,
    toggleVersions: () => {
      if (place.kind === 'folder') versions.toggle();
    },
    toggleTransfers: bottom.transfers.toggle,
  });
  useShortcuts(commands);
  const overlays = useOverlayServices({ place, folder, go, searches, commands });
  const byHost = useStable({ downloadInBrowser, fetchForDrag });
  const [actions] = useState<FolderActions>(() => ({
    ...commands,
    about,
    drag,
    forgetCut,
    renameRow,
    downloadInBrowser: desktopBridge() === null ? byHost.downloadInBrowser : null,
    fetchForDrag: desktopBridge() === null ? null : byHost.fetchForDrag,
  }));

  const local = useLocalActions({ copyToPane: commands.copyToPane, drag: operations.dragFiles });
  const paneServices: PaneServices = {
    dispatch,
    go,
    arrive,
    placeAhead,
    connectionName: nameOf,
    actions,
    found: { ...searches.found, batch: batches.ofFound, offersBatches: batches.offers },
    buckets,
    local,
    onSearch: searches.searchFor,
    onObject: searches.focusObject,
    path: pathBar,
    onEditPath: path.onEdit,
    onDetails: details.setOpen,
    onToggleVersions: commands.toggleVersions,
  };
  return (
    <ViewerServicesProvider value={viewing}>
      <main className={classes.window}>
        {sidebar.isOpen ? (
          <SidebarFrame isNarrow={sidebar.isNarrow} layout={layout} onHide={sidebar.hideDrawer}>
            <Sidebar place={place} buckets={buckets} onGo={goFromSidebar} />
          </SidebarFrame>
        ) : null}
        <div className={classes.content}>
          <ConnectionBanner />
          <TabBar navigation={navigation} connectionName={nameOf} dispatch={dispatch} />
          <Toolbar
            commands={commands}
            isPair={isPair}
            canGoBack={canGoBack(pane)}
            canGoForward={canGoForward(pane)}
            canGoUp={canGoUp(pane)}
            folder={place.kind === 'folder' ? place : null}
            isUnusable={isUnusable}
            isLocal={place.kind === 'local'}
            isSearch={place.kind === 'search'}
            isBookmarked={bookmark.bookmarked}
            isSidebarOpen={sidebar.isOpen}
            areDetailsOpen={details.isOpen}
            isLogOpen={bottom.log.isOpen}
            areVersionsShown={versions.isHere}
            viewSwitch={
              place.kind === 'search' ? (
                <ViewSwitch place={place} views={rowViews} />
              ) : place.kind === 'folder' && !versions.isHere ? (
                <ViewSwitch place={place} views={folderViews} />
              ) : null
            }
          >
            {isPair ? null : (
              <PanePath
                key={navigation.activeId}
                ref={pathBar}
                place={place}
                placeAhead={() => placeAhead(pane.id)}
                connectionName={nameOf}
                isEditing={path.pane === pane.id}
                onEdit={path.onEditHere}
                onGo={go}
                onArrive={arrive}
                onObject={searches.focusObject}
              />
            )}
          </Toolbar>
          <PanesView
            tab={tab}
            isRestored={isRestored}
            editingPath={path.pane}
            details={details}
            versionsShown={versions.panes}
            handle={handle}
            services={paneServices}
          />
          {bottom.log.isOpen ? <LogDock layout={layout} onClose={commands.toggleLog} /> : null}
          <TransfersDock
            transfers={transfers}
            isOpen={bottom.transfers.isOpen}
            onToggle={commands.toggleTransfers}
          />
        </div>
        <WindowDialogs
          place={place}
          go={go}
          operations={operations.services}
          overlays={overlays}
          onOpenFolder={searches.openFolder}
          onOpenLinked={openLinked}
        />
        <div id={popupsId} />
      </main>
    </ViewerServicesProvider>
  );
}
