import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useEffect, useReducer, useRef } from 'react';
import { useConnections } from '../features/connections/index.ts';
import { askAhead, placeId, rememberChild } from '../features/objects/index.ts';
import { useKeptView } from '../rpc/use-kept-view.ts';
import { useStable } from '../ui/use-stable.ts';
import {
  currentPlace,
  firstNavigation,
  keptNavigationSchema,
  keptOf,
  navigate,
  restoredFrom,
  type KeptNavigation,
  type Navigation,
  type NavigationAction,
} from './navigation.ts';
import type { WindowPlace } from './places.ts';

const keptFirst: KeptNavigation = keptOf(firstNavigation);

/** Where a window keeps its tabs: the desktop numbers those beyond the first. */
export function tabsName(search: string): string {
  const number = /^\?window=(\d{1,4})$/u.exec(search)?.[1];
  return number === undefined ? 'tabs' : `tabs-${number}`;
}

export interface WindowNavigation {
  readonly navigation: Navigation;
  /** What was open before has been found again. */
  readonly isRestored: boolean;
  readonly dispatch: (action: NavigationAction) => void;
  readonly go: (place: WindowPlace) => void;
}

/** The tabs of the window, found again after a reload. */
export function useNavigation(): WindowNavigation {
  const queries = useQueryClient();
  const kept = useKeptView(tabsName(location.search), keptNavigationSchema, keptFirst);
  const [navigation, dispatch] = useReducer(navigate, firstNavigation);
  const { isSettled, value, set } = kept;
  const restored = useRef(false);
  useEffect(() => {
    if (!isSettled || restored.current) return;
    restored.current = true;
    dispatch({ kind: 'restore', navigation: restoredFrom(value) });
  }, [isSettled, value]);
  useEffect(() => {
    if (restored.current && navigation !== firstNavigation) set(keptOf(navigation));
  }, [navigation, set]);

  const connections = useConnections().data;
  useEffect(() => {
    if (connections === undefined) return;
    dispatch({ kind: 'forget-connections', known: new Set(connections.map(({ id }) => id)) });
    // Once more when the tabs of the last time are back.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [connections, isSettled]);

  const act = (action: NavigationAction): void => {
    const next = currentPlace(navigate(navigation, action));
    rememberWay(currentPlace(navigation), next);
    if (next.kind === 'folder' && action.kind !== 'replace') askAhead(queries, next);
    // The request goes out before anything is drawn, and drawing never holds up the keyboard.
    startTransition(() => {
      dispatch(action);
    });
  };
  const stable = useStable({
    dispatch: act,
    go: (place: WindowPlace) => {
      act({ kind: 'go', place });
    },
  });
  return { navigation, isRestored: isSettled, ...stable };
}

/** Going up puts the focus on the folder one came from. */
function rememberWay(from: WindowPlace, to: WindowPlace): void {
  if (from.kind !== 'folder' || to.kind !== 'folder') return;
  const isAbove =
    to.startsWith === '' &&
    from.bucket === to.bucket &&
    from.connectionId === to.connectionId &&
    from.folder.startsWith(to.folder) &&
    from.folder !== to.folder;
  if (!isAbove) return;
  const end = from.folder.indexOf('/', to.folder.length) + 1;
  rememberChild(placeId(to), from.folder.slice(0, end));
}
