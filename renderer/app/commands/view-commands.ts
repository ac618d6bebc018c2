import { openFolderSize } from '../../features/search/index.ts';
import { sayingFailure } from '../../rpc/say-failure.ts';
import { passKeysToNextField } from '../../ui/keyboard/early-keys.ts';
import { reloadUploads } from '../../features/stalled/index.ts';
import { orpc } from '../../rpc/client.ts';
import { focusNextPane } from '../../ui/keyboard/panes.ts';
import { searchPlace, startPlace, uploadsPlace } from '../places/places.ts';
import { canGoBack, canGoForward, canGoUp } from '../places/navigation.ts';
import { chosenFolderIn, defineCommand, isInFolder, withFolder } from './define-command.ts';
import { openOverlay } from './overlay-store.ts';

/** The commands that change the location, the tab or the pane. */
export const goCommands = [
  defineCommand('back', {
    enabled: ({ pane }) => canGoBack(pane),
    run: ({ dispatch }) => dispatch({ kind: 'back' }),
    isAheadOfRender: true,
  }),
  defineCommand('forward', {
    enabled: ({ pane }) => canGoForward(pane),
    run: ({ dispatch }) => dispatch({ kind: 'forward' }),
    isAheadOfRender: true,
  }),
  defineCommand('up', {
    enabled: ({ pane }) => canGoUp(pane),
    run: ({ dispatch }) => dispatch({ kind: 'up' }),
    isAheadOfRender: true,
  }),
  defineCommand('newTab', { run: ({ dispatch }) => dispatch({ kind: 'open-tab', place: startPlace }) }),
  defineCommand('closeTab', { run: ({ dispatch, tab }) => dispatch({ kind: 'close-tab', id: tab.id }) }),
  defineCommand('nextTab', { run: ({ dispatch }) => dispatch({ kind: 'next-tab', step: 1 }) }),
  defineCommand('previousTab', { run: ({ dispatch }) => dispatch({ kind: 'next-tab', step: -1 }) }),
  defineCommand('togglePanes', { run: ({ dispatch }) => dispatch({ kind: 'split' }) }),
  defineCommand('otherPane', { run: ({ dispatch }) => dispatch({ kind: 'other-pane' }) }),
  defineCommand('nextPane', { run: () => focusNextPane(1) }),
  defineCommand('previousPane', { run: () => focusNextPane(-1) }),
  defineCommand('editPath', { run: ({ path }) => path.edit() }),
  defineCommand('showSiblings', { run: ({ path }) => path.showSiblings() }),
  defineCommand('toggleBookmark', { run: ({ bookmark }) => bookmark.toggle() }),
  defineCommand('openUploads', {
    run: ({ place, connectionId, go }) => {
      const uploads = uploadsPlace(place, connectionId);
      if (uploads !== null) go(uploads);
    },
  }),
  /** Reloads the visible folder or search results or, on any other page, stalled uploads, bucket lists and versions. */
  defineCommand('reload', {
    run: ({ folder, queries }) => {
      if (folder.current !== null) folder.current.reload();
      else {
        reloadUploads();
        void queries.invalidateQueries({ queryKey: orpc.buckets.list.key() });
        void queries.resetQueries({ queryKey: ['versions'] });
      }
    },
  }),
];

/** The commands that find objects, and that show, hide or arrange parts of the window. */
export const viewCommands = [
  defineCommand('focusFilter', { run: ({ folder }) => folder.current?.find('filter') }),
  defineCommand('focusStartsWith', { run: ({ folder }) => folder.current?.find('startsWith') }),
  defineCommand('selectAll', { run: ({ folder }) => folder.current?.selectAll() }),
  defineCommand('viewList', { run: ({ folder }) => folder.current?.setView('list') }),
  defineCommand('viewGallery', { run: ({ folder }) => folder.current?.setView('gallery') }),
  defineCommand('viewMap', { run: ({ folder }) => folder.current?.setView('map') }),
  defineCommand('toggleVersions', { enabled: isInFolder, run: ({ versions }) => versions.toggle() }),
  defineCommand('toggleSidebar', { run: ({ sidebar }) => sidebar.toggle() }),
  defineCommand('toggleDetails', { run: ({ details }) => details.toggle() }),
  defineCommand('toggleLog', { run: ({ log }) => log.toggle() }),
  defineCommand('toggleTransfers', { run: ({ transfers }) => transfers.toggle() }),
  defineCommand('openPalette', { run: () => openOverlay('commands') }),
  defineCommand('quickOpen', { run: () => openOverlay('places') }),
  defineCommand('openShortcuts', { run: () => openOverlay('shortcuts') }),
  defineCommand('search', {
    run: (window) => {
      const next = searchPlace(chosenFolderIn(window) ?? window.place, crypto.randomUUID());
      if (next === null) return;
      passKeysToNextField('page');
      window.go(next);
    },
  }),
  defineCommand('folderSize', {
    enabled: isInFolder,
    run: (window) => {
      const at = chosenFolderIn(window);
      if (at !== null)
        openFolderSize({ connectionId: at.connectionId, bucket: at.bucket, prefix: at.folder });
    },
  }),
  defineCommand('calculateSizes', {
    enabled: isInFolder,
    run: (window) =>
      withFolder(window, (place) =>
        sayingFailure(async () => {
          const { calculateSizes } = await import('../services/calculate-sizes.ts');
          await calculateSizes(place, place.folder);
        }),
      ),
  }),
];
