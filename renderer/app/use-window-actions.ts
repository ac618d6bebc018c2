import { useQueryClient } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { WindowCommand } from '../../shared/commands.ts';
import { useConnectionNameById, useConnections } from '../features/connections/index.ts';
import type { FolderHandle, FolderRow } from '../features/objects/index.ts';
import type { OperationServices } from '../features/operations/index.ts';
import type { ChosenResults } from '../features/search/index.ts';
import { useStable } from '../ui/use-stable.ts';
import type { Commands, CommandWindow } from './commands/define-command.ts';
import type { OverlayServices } from './commands/overlay-store.ts';
import { disabledCommands, useCommands } from './commands/window-commands.ts';
import { useSearchActions, type SearchActions } from './pages/use-searches.ts';
import type { PaneServices } from './panes/pane-view.tsx';
import { useFolderActions, useLocalActions } from './panes/use-folder-actions.ts';
import type { PathHandle } from './path/crumbs.tsx';
import type { PathEditing } from './path/use-path-editing.ts';
import type { Pane, Tab } from './places/navigation.ts';
import { connectionOf, folderPlace, type SearchWindowPlace, type WindowPlace } from './places/places.ts';
import type { WindowNavigation } from './places/use-navigation.ts';
import { useBucketServices } from './services/bucket-menu.tsx';
import { openBatchJob, useBatchOffers } from './services/open-batch-job.ts';
import { useOperations } from './services/use-operations.ts';
import type { WindowParts } from './use-window-parts.ts';

interface Needs {
  readonly at: WindowNavigation;
  readonly tab: Tab;
  readonly pane: Pane;
  readonly place: WindowPlace;
  readonly folder: RefObject<FolderHandle | null>;
  readonly isUnusable: boolean;
  readonly parts: WindowParts;
  readonly path: PathEditing;
  readonly pathBar: RefObject<PathHandle | null>;
}

interface WindowActions {
  readonly commands: Commands;
  /** The commands that cannot run now. */
  readonly disabled: ReadonlySet<WindowCommand>;
  readonly connectionName: (connectionId: string) => string;
  /** Opens a location, and hides a sidebar that covers the content. */
  readonly goFromSidebar: (place: WindowPlace) => void;
  readonly operations: OperationServices;
  readonly searches: SearchActions;
  readonly panes: PaneServices;
  readonly overlays: OverlayServices;
}

/** Returns the commands of the window, and the functions that its panes and dialogs get from other features. Use it once. */
export function useWindowActions(needs: Needs): WindowActions {
  const { at, tab, pane, place, folder, isUnusable, parts, path, pathBar } = needs;
  const { dispatch, go } = at;
  const { t } = useTranslation();
  const queries = useQueryClient();
  const connections = useConnections().data;
  const connectionName = useConnectionNameById();
  const offersBatches = useBatchOffers();
  const operations = useOperations({ place, folder, onHoldTab: (id) => dispatch({ kind: 'activate', id }) });
  const searches = useSearchActions({ pane: pane.id, place, folder, go });
  const { details, bookmark } = parts;
  const window: CommandWindow = {
    tab,
    pane,
    place,
    folder,
    isUnusable,
    go,
    dispatch,
    operations,
    offersBatches,
    queries,
    t,
    connectionId: connectionOf(place) ?? connections?.[0]?.id ?? null,
    sidebar: parts.sidebar,
    details: { toggle: () => details.setOpen(!details.isOpen) },
    log: parts.log,
    transfers: parts.transfers,
    versions: parts.versions,
    bookmark: {
      toggle: () => {
        if (bookmark.ready) bookmark.toggle();
      },
    },
    path: { edit: () => path.onEditActive(true), showSiblings: () => pathBar.current?.showSiblings() },
  };
  const { commands, windowRuns, offered } = useCommands(window);
  const stable = useStable({
    goFromSidebar: (next: WindowPlace) => {
      go(next);
      parts.sidebar.hideDrawer();
    },
    batch: ({ connectionId, bucket }: SearchWindowPlace, { items, count }: ChosenResults) =>
      openBatchJob({ connectionId, bucket, items, count }, offersBatches),
    loadedRows: () => folder.current?.loaded() ?? [],
    onRow: ({ kind, key }: FolderRow) => {
      if (place.kind !== 'folder') return;
      if (kind === 'folder') go(folderPlace(place.connectionId, place.bucket, key));
      else folder.current?.select(kind, key, true);
    },
  });
  const [overlays] = useState<OverlayServices>(() => ({
    commands,
    offered,
    loadedRows: stable.loadedRows,
    onRow: stable.onRow,
    onGo: go,
    onObject: searches.lookAt,
    onSearch: searches.searchBucket,
  }));
  const panes: PaneServices = {
    ...at,
    connectionName,
    actions: useFolderActions(windowRuns, window),
    found: { ...searches.found, batch: stable.batch, offersBatches },
    buckets: useBucketServices({ go: stable.goFromSidebar, dispatch }),
    local: useLocalActions(commands),
    onSearch: searches.searchFor,
    onObject: searches.focusObject,
    path: pathBar,
    onEditPath: path.onEdit,
    onDetails: details.setOpen,
    onToggleVersions: commands.toggleVersions,
  };
  return {
    commands,
    disabled: disabledCommands(window),
    connectionName,
    goFromSidebar: stable.goFromSidebar,
    operations,
    searches,
    panes,
    overlays,
  };
}
