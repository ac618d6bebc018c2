import type { FolderHandle } from '../../features/objects/index.ts';
import type { Navigation, NavigationAction } from '../places/navigation.ts';
import { startPlace } from '../places/places.ts';
import type { Commands } from './window-commands.ts';

/** Returns the commands that navigate between places and tabs. */
export function navigationCommands(navigation: Navigation, dispatch: (action: NavigationAction) => void) {
  return {
    back: () => {
      dispatch({ kind: 'back' });
    },
    forward: () => {
      dispatch({ kind: 'forward' });
    },
    up: () => {
      dispatch({ kind: 'up' });
    },
    newTab: () => {
      dispatch({ kind: 'open-tab', place: startPlace });
    },
    closeTab: () => {
      dispatch({ kind: 'close-tab', id: navigation.activeId });
    },
    nextTab: () => {
      dispatch({ kind: 'next-tab', step: 1 });
    },
    previousTab: () => {
      dispatch({ kind: 'next-tab', step: -1 });
    },
  } as const satisfies Partial<Commands>;
}

/** The commands that the visible folder handles itself. */
export function folderCommands(folder: { readonly current: FolderHandle | null }) {
  return {
    focusFilter: () => folder.current?.find('filter'),
    focusStartsWith: () => folder.current?.find('startsWith'),
    selectAll: () => folder.current?.selectAll(),
    viewList: () => folder.current?.setView('list'),
    viewGallery: () => folder.current?.setView('gallery'),
    viewMap: () => folder.current?.setView('map'),
  } as const satisfies Partial<Commands>;
}
