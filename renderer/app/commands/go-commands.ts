import { reloadUploads } from '../../features/stalled/index.ts';
import { orpc } from '../../rpc/client.ts';
import { focusNextPane } from '../../ui/keyboard/panes.ts';
import { canGoBack, canGoForward, canGoUp } from '../places/navigation.ts';
import { startPlace, uploadsPlace } from '../places/places.ts';
import { defineCommand } from './define-command.ts';

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
