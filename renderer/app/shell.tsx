import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBookmarkToggle } from '../features/bookmarks/index.ts';
import { useConnectionName, useConnections } from '../features/connections/index.ts';
import {
  useIsLooking,
  useIsUnusable,
  ViewSwitch,
  type FolderActions,
  type FolderRow,
} from '../features/objects/index.ts';
import { openAndEdit } from '../features/edits/index.ts';
import type { LinkedPlace } from '../features/s3-links/index.ts';
import { openSettings } from '../features/settings/index.ts';
import {
  downloadInBrowser,
  openUploadOptions,
  startDownload,
  startUpload,
  uploadFiles,
} from '../features/transfers/index.ts';
import { useUpdateNotice } from '../features/updates/index.ts';
import { ViewerServicesProvider } from '../features/viewers/index.ts';
import { useAppEvents } from '../rpc/app-events.ts';
import { desktopBridge } from '../rpc/message-port.ts';
import { rpc, useCoreStatus } from '../rpc/client.ts';
import { useKeptView } from '../rpc/use-kept-view.ts';
import { keysOf, pageRun } from '../ui/keyboard/commands.ts';
import { isKeyboardNowhere } from '../ui/keyboard/keyboard-place.ts';
import { followMainPane, holdMainPane } from '../ui/keyboard/panes.ts';
import { shortcutText } from '../ui/keyboard/shortcuts.ts';
import { useNoticeRoom } from '../ui/notices/notice-room.ts';
import { showNotice } from '../ui/notices/notices.tsx';
import { useStable } from '../ui/use-stable.ts';
import { popupsId } from '../ui/theme/theme.ts';
import type { BucketMenuServices } from './services/bucket-menu.tsx';
import { bucketCommands, bucketServices } from './services/bucket-services.tsx';
import { downloadItemsOf, handlesOf } from './commands/chosen-rows.ts';
import type { Commands } from './commands/window-commands.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { defaultLayout, layoutSchema, narrowWindow } from './places/window-layout.ts';
import {
  activeTab,
  canGoBack,
  canGoForward,
  canGoUp,
  paneOf,
  placeOf,
  type PaneId,
} from './places/navigation.ts';
import { NeedsCode } from './needs-code.tsx';
import { findPlace } from './path/open-address.ts';
import {
  showLink,
  showReport,
  showProperties,
  showVersions,
  viewerServices,
} from './services/object-extras.ts';
import type { PathHandle } from './path/path-bar.tsx';
import { PanePath } from './panes/pane-path.tsx';
import type { PaneServices } from './panes/pane-view.tsx';
import { PanesView } from './panes/panes-view.tsx';
import { connectionOf, folderPlace, uploadsPlace, type WindowPlace } from './places/places.ts';
import { Sidebar } from './sidebar.tsx';
import { TabBar } from './places/tab-bar.tsx';
import { Toolbar } from './commands/toolbar.tsx';
import { TransfersDock } from './dock/transfers-dock.tsx';
import { saveManifest } from './services/save-manifest.ts';
import { beginPricedRows } from './services/priced-download.ts';
import { useContentEdge } from './panes/content-edge.ts';
import { useLanguageSetting } from './use-language.ts';
import { useBottomPanels } from './dock/use-bottom-panels.ts';
import { useForgottenFolders } from './services/use-forgotten-folders.ts';
import { useListedFolders } from './services/use-listed-folders.ts';
import { useForgottenWalks } from './services/use-forgotten-walks.ts';
import { useNavigation } from './places/use-navigation.ts';
import { openOperation } from '../features/operations/index.ts';
import { useOperations } from './services/use-operations.ts';
import { useDetails } from './panes/use-details.ts';
import { usePaneCommands } from './panes/use-pane-commands.ts';
import { usePaneHandles } from './panes/use-pane-handles.ts';
import { useRememberPlace } from './places/use-recent-places.ts';
import { useSentEdits } from './services/use-folder-changes.ts';
import { usePlaceAddress } from './places/use-place-address.ts';
import { usePlacesAhead } from './services/use-places-ahead.ts';
import { foundObjects } from './pages/found-objects.ts';
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
import { useThemeSetting } from './use-theme-setting.ts';
import { WindowDialogs } from './window-dialogs.tsx';
import classes from './shell.module.css';

const showUpdates = (): void => openSettings('updates');

/** The window: sidebar, tabs, toolbar, the current page, and the request log below. */
export function Shell() {
  const status = useCoreStatus();
  return status.kind === 'needs-code' ? <NeedsCode reason={status.reason} /> : <Window />;
}

function Window() {
  const { t } = useTranslation();
  useAppEvents();
  useNoticeRoom();
  useThemeSetting();
  useLanguageSetting();
  const { navigation, isRestored, dispatch, go, arrive, placeAhead } = useNavigation();
  const tab = activeTab(navigation);
  const pane = paneOf(tab);
  const isPair = tab.panes.length === 2;
  const place = placeOf(pane);
  useForgottenWalks(navigation);
  useForgottenFolders();
  useListedFolders();
  usePlacesAhead(navigation);
  const { kind } = place;
  useEffect(() => {
    // The focused element went with the previous page; the new page's list takes focus when it appears.
    if (isKeyboardNowhere()) holdMainPane();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each kind of page
  }, [kind]);
  useEffect(() => {
    // Moves focus to the pane that has become active.
    followMainPane();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- re-run for each pane
  }, [tab.activePane, isPair]);
  const isUnusable = useIsUnusable(pane.id) && kind === 'folder';
  useRememberPlace(place);
  usePlaceAddress(place, isRestored, go);
  const connections = useConnections().data;
  const isNarrow = useMediaQuery(narrowWindow, false, { getInitialValueInEffect: false });
  const layout = useKeptView('layout', layoutSchema, defaultLayout);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [editingPath, setEditingPath] = useState<PaneId | null>(null);
  const { folder, handle } = usePaneHandles(pane.id);
  const pathBar = useRef<PathHandle>(null);
  const path = useStable({
    onEdit: (of: PaneId, editing: boolean) => {
      setEditingPath(editing ? of : null);
    },
    onEditHere: (editing: boolean) => {
      path.onEdit(pane.id, editing);
    },
    /** Runs after the commit that removed the field: a move of the focus before it would lay out the page that is left. */
    onEdited: () => {
      if (isKeyboardNowhere()) folder.current?.focus();
    },
  });
  const isEditingPath = editingPath !== null;
  useEffect(() => (isEditingPath ? path.onEdited : undefined), [isEditingPath, path]);
  const bookmark = useBookmarkToggle(
    place.kind === 'folder'
      ? { connectionId: place.connectionId, bucket: place.bucket, prefix: place.folder }
      : null,
  );

  const hideDrawer = (): void => {
    setDrawerOpen(false);
  };
  const sidebar = useStable({
    onGo: (next: WindowPlace) => {
      go(next);
      hideDrawer();
    },
  });
  const sidebarOpen = isNarrow ? isDrawerOpen : layout.value.sidebarOpen;
  const sidebarPx = sidebarOpen && !isNarrow ? layout.value.sidebarPx : 0;
  useContentEdge(sidebarPx);
  const details = useDetails({
    tab: tab.id,
    pane: pane.id,
    isPair,
    isLooking: useIsLooking(pane.id),
    sidebarPx,
    layout,
  });
  const connectionName = useConnectionName();
  const nameOf = (connectionId: string): string => {
    const connection = connections?.find(({ id }) => id === connectionId);
    return connection === undefined ? t('common.loading') : connectionName(connection);
  };
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
    asked: transfers.shown.serial,
  });
  const [versionsShown, setVersionsShown] = useState<ReadonlySet<PaneId>>(new Set());
  const areVersionsShown = versionsShown.has(pane.id);
  const about = useStable({
    properties: () => {
      showProperties(place, folder.current?.selected() ?? []);
    },
    versions: () => {
      showVersions(place, folder.current?.selected() ?? []);
    },
    link: () => {
      showLink(place, folder.current?.selected() ?? []);
    },
    manifest: () => {
      if (place.kind === 'folder') saveManifest(place, folder.current?.selected() ?? [], t);
    },
    inventory: () => {
      showReport(place, folder.current?.selected() ?? []);
    },
  });
  const viewing = useStable(viewerServices(transfers.transferServices, t));
  const upload = (kind: 'file' | 'folder'): void => {
    if (place.kind === 'folder' && !isUnusable) startUpload(place, kind, transfers.transferServices, t);
  };
  const uploadWithOptions = (): void => {
    if (place.kind === 'folder' && !isUnusable) openUploadOptions(place, transfers.transferServices);
  };
  const ofBuckets = useStable<BucketMenuServices>({
    go: sidebar.onGo,
    openTab: (next) => dispatch({ kind: 'open-tab', place: next, inBackground: true }),
    upload: (into, fileKind) => startUpload(into, fileKind, transfers.transferServices, t),
  });
  const [buckets] = useState(() => bucketServices(ofBuckets));
  const download = (): void => {
    if (place.kind !== 'folder') return;
    const selected = folder.current?.selected() ?? [];
    const begin = (): void => startDownload(place, downloadItemsOf(selected), transfers.transferServices, t);
    beginPricedRows(place, selected, begin, t);
  };
  const operations = useOperations({
    place,
    folder,
    connectionName: nameOf,
    showJob: transfers.transferServices.showJob,
    onHoldTab: (id) => dispatch({ kind: 'activate', id }),
  });
  const undos = useUndo();
  const paneCommands = usePaneCommands({ tab, folder, services: operations.services, dispatch });
  const syncs = useSyncCommands({ place, folder });
  const searches = useSearches({ pane: pane.id, place, folder, go, transfers: transfers.transferServices });
  const batches = useBatches(place, folder);
  const { drag, forgetCut, ...operationCommands } = operations.actions;
  const { openLinked } = useStable({
    openLinked: async ({ connectionId: linkedBy, bucket, prefix }: LinkedPlace) => {
      const linked = await findPlace(rpc, linkedBy, { bucket, prefix });
      if (place.kind === 'start') go(linked);
      else dispatch({ kind: 'open-tab', place: linked });
    },
  });
  const commands: Commands = useStable({
    ...everywhereCommands,
    ...navigationCommands(navigation, dispatch),
    ...folderCommands(folder),
    ...bucketCommands(place, go),
    ...operationCommands,
    ...searches.actions,
    ...syncs,
    ...undos,
    ...paneCommands,
    batchJob: () => {
      (pageRun('batchJob') ?? batches.batchJob)();
    },
    // A folder of this computer creates its own.
    newFolder: () => {
      if (!isUnusable) (pageRun('newFolder') ?? operationCommands.newFolder)();
    },
    reload: useReload(folder),
    editPath: () => {
      setEditingPath(pane.id);
    },
    showSiblings: () => pathBar.current?.showSiblings(),
    toggleSidebar: () => {
      if (isNarrow) setDrawerOpen(!sidebarOpen);
      else layout.set({ ...layout.value, sidebarOpen: !sidebarOpen });
    },
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
    uploadFiles: () => upload('file'),
    uploadFolder: () => upload('folder'),
    uploadWithOptions,
    download,
    openAndEdit: () => {
      const [only, ...others] = folder.current?.selected() ?? [];
      if (place.kind !== 'folder' || only?.kind !== 'object' || others.length > 0) return;
      openAndEdit({ connectionId: place.connectionId, bucket: place.bucket, key: only.key });
    },
    properties: about.properties,
    objectVersions: about.versions,
    link: about.link,
    toggleVersions: () => {
      if (place.kind !== 'folder') return;
      const others = [...versionsShown].filter((paneId) => paneId !== pane.id);
      setVersionsShown(new Set(areVersionsShown ? others : [...others, pane.id]));
    },
    toggleTransfers: bottom.transfers.toggle,
  });
  useShortcuts(commands);
  useUpdateNotice(showUpdates);
  useSentEdits();
  const chosen = useStable({
    loadedRows: () => folder.current?.loaded() ?? [],
    onRow: ({ kind, key }: FolderRow) => {
      if (place.kind !== 'folder') return;
      if (kind === 'folder') go(folderPlace(place.connectionId, place.bucket, key));
      else folder.current?.select(kind, key);
    },
    onGo: go,
    onObject: searches.showObject,
    onSearch: searches.searchBucket,
  });
  const [overlays] = useState(() => ({ ...chosen, commands }));
  const toBrowser = useStable({
    download: () => {
      const [only] = folder.current?.selected() ?? [];
      if (place.kind === 'folder' && only?.kind === 'object')
        beginPricedRows(place, [only], () => downloadInBrowser(place, only.key), t);
    },
  });
  const [actions] = useState<FolderActions>(() => ({
    ...commands,
    about,
    drag,
    forgetCut,
    downloadInBrowser: desktopBridge() === null ? toBrowser.download : null,
  }));

  const local = useStable({
    copyToPane: commands.copyToPane,
    drag: operations.dragFiles,
    uploadTo: (rows: readonly FolderRow[]) => {
      openOperation({
        kind: 'upload-target',
        rows,
        onChoose: (to) => uploadFiles(to, handlesOf(rows), transfers.transferServices),
      });
    },
    refuse: () => {
      showNotice({
        message: (say) => say('files.onlySent', { keys: shortcutText(keysOf('copyToPane') ?? '') }),
        staysMs: 5000,
      });
    },
  });
  const paneServices: PaneServices = {
    dispatch,
    go,
    arrive,
    placeAhead,
    connectionName: nameOf,
    transfers: transfers.transferServices,
    actions,
    found: { ...searches.found, ...foundObjects, batch: batches.ofFound, offersBatches: batches.offers },
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
        {sidebarOpen ? (
          <SidebarFrame isNarrow={isNarrow} layout={layout} onHide={hideDrawer}>
            <Sidebar
              place={place}
              services={transfers.transferServices}
              buckets={buckets}
              onGo={sidebar.onGo}
            />
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
            isBookmarked={bookmark.bookmarked}
            isSidebarOpen={sidebarOpen}
            areDetailsOpen={details.isOpen}
            isLogOpen={bottom.log.isOpen}
            areVersionsShown={areVersionsShown}
            viewSwitch={place.kind === 'folder' && !areVersionsShown ? <ViewSwitch place={place} /> : null}
          >
            {isPair ? null : (
              <PanePath
                key={navigation.activeId}
                ref={pathBar}
                place={place}
                placeAhead={() => placeAhead(pane.id)}
                connectionName={nameOf}
                isEditing={editingPath === pane.id}
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
            editingPath={editingPath}
            details={details}
            versionsShown={versionsShown}
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
          transfers={transfers}
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
