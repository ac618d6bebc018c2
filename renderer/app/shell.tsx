import { useRef } from 'react';
import { folderViews, rowViews, useIsUnusable, ViewSwitch } from '../features/objects/index.ts';
import { GoProvider, type Go } from '../features/go/index.ts';
import { openUpload } from '../features/stalled/index.ts';
import { joinClasses } from '../ui/class-names.ts';
import common from '../ui/common.module.css';
import { popupsId } from '../ui/theme/theme.ts';
import { useStable } from '../ui/use-stable.ts';
import { Toolbar } from './commands/toolbar.tsx';
import { useShortcuts } from './commands/use-shortcuts.ts';
import { TransfersDock, LogDock } from './dock/bottom-panels.tsx';
import { ConnectionBanner } from './core-states.tsx';
import { PanePath } from './panes/pane-path.tsx';
import { PanesView } from './panes/panes-view.tsx';
import { usePaneFocus, usePaneHandles } from './panes/use-panes.ts';
import type { PathHandle } from './path/crumbs.tsx';
import { usePathEditing } from './path/use-path-editing.ts';
import { activeTab, paneOf, placeOf } from './places/navigation.ts';
import { folderPlace } from './places/places.ts';
import { TabBar } from './places/tab-bar.tsx';
import { useNavigation } from './places/use-navigation.ts';
import { usePlaceAddress } from './places/use-place-address.ts';
import { useOpenLinked, WindowDialogs } from './window-dialogs.tsx';
import { Sidebar } from './sidebar.tsx';
import { SidebarFrame } from './sidebar-frame.tsx';
import { useWindowActions } from './use-window-actions.ts';
import { useWindowParts } from './use-window-parts.ts';
import { useWindowUpkeep } from './use-window-upkeep.ts';
import classes from './shell.module.css';

/** Shows the window: sidebar, tabs, toolbar, the current page, and the request log below. */
export function Shell() {
  const at = useNavigation();
  const { navigation, isRestored, dispatch, go, arrive, placeAhead } = at;
  const tab = activeTab(navigation);
  const pane = paneOf(tab);
  const place = placeOf(pane);
  const isPair = tab.panes.length === 2;
  useWindowUpkeep(navigation);
  usePaneFocus(place.kind, tab.activePane, isPair);
  usePlaceAddress(place, isRestored, go);
  const isUnusable = useIsUnusable(pane.id) && place.kind === 'folder';
  const parts = useWindowParts(tab);
  const { layout, sidebar, details, log, transfers, versions } = parts;
  const { folder, handle } = usePaneHandles(pane.id);
  const pathBar = useRef<PathHandle>(null);
  const path = usePathEditing(pane.id, () => folder.current?.focus());
  const actions = useWindowActions({ at, tab, pane, place, folder, isUnusable, parts, path, pathBar });
  const { commands, connectionName, searches } = actions;
  useShortcuts(commands);
  const openLinked = useOpenLinked({ place, go, dispatch });
  const moves: Go = useStable({
    openFolder: ({ connectionId, bucket, folder: next }) => go(folderPlace(connectionId, bucket, next)),
    openUpload,
  });
  return (
    <GoProvider value={moves}>
      <main className={classes.window}>
        {sidebar.isOpen ? (
          <SidebarFrame isNarrow={sidebar.isNarrow} layout={layout} onHide={sidebar.hideDrawer}>
            <Sidebar place={place} buckets={actions.panes.buckets} onGo={actions.goFromSidebar} />
          </SidebarFrame>
        ) : null}
        <div className={joinClasses(common.fill, common.column)}>
          <ConnectionBanner />
          <TabBar navigation={navigation} connectionName={connectionName} dispatch={dispatch} />
          <Toolbar
            commands={commands}
            disabled={actions.disabled}
            isPair={isPair}
            folder={place.kind === 'folder' ? place : null}
            isLocal={place.kind === 'local'}
            isSearch={place.kind === 'search'}
            isBookmarked={parts.bookmark.bookmarked}
            isSidebarOpen={sidebar.isOpen}
            areDetailsOpen={details.isOpen}
            isLogOpen={log.isOpen}
            areVersionsShown={versions.areShownInActive}
            viewSwitch={
              place.kind === 'search' ? (
                <ViewSwitch place={place} views={rowViews} />
              ) : place.kind === 'folder' && !versions.areShownInActive ? (
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
                connectionName={connectionName}
                isEditing={path.pane === pane.id}
                onEdit={path.onEditActive}
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
            services={actions.panes}
          />
          {log.isOpen ? <LogDock layout={layout} onClose={commands.toggleLog} /> : null}
          <TransfersDock
            transfers={parts.queue}
            isOpen={transfers.isOpen}
            onToggle={commands.toggleTransfers}
          />
        </div>
        <WindowDialogs
          place={place}
          go={go}
          operations={actions.operations}
          overlays={actions.overlays}
          onOpenFolder={searches.openFolder}
          onOpenLinked={openLinked}
        />
        <div id={popupsId} />
      </main>
    </GoProvider>
  );
}
