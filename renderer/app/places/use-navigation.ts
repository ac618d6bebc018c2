import { useQueryClient } from '@tanstack/react-query';
import { startTransition, useCallback, useEffect, useReducer, useRef } from 'react';
import { useConnections } from '../../features/connections/index.ts';
import { prefetchOpening, placeId, rememberChild } from '../../features/objects/index.ts';
import { storeSoon, useKeptView } from '../../rpc/use-kept-view.ts';
import { useStable } from '../../ui/use-stable.ts';
import {
  activeTab,
  firstNavigation,
  navigate,
  paneOfAction,
  paneOf,
  placeOf,
  type Navigation,
  type NavigationAction,
  type PaneId,
} from './navigation.ts';
import {
  keptNavigationSchema,
  toKeptNavigation,
  restoreNavigation,
  type KeptNavigation,
} from './kept-navigation.ts';
import type { WindowPlace } from './places.ts';

const defaultNavigation: KeptNavigation = toKeptNavigation(firstNavigation);

/** Returns the name under which a window stores its tabs. The desktop app numbers its additional windows. */
export function tabsName(search: string): string {
  const number = /^\?window=(\d{1,4})$/u.exec(search)?.[1];
  return number === undefined ? 'tabs' : `tabs-${number}`;
}

export interface WindowNavigation {
  readonly navigation: Navigation;
  /** True once the tabs of the last session have been restored. */
  readonly isRestored: boolean;
  readonly dispatch: (action: NavigationAction) => void;
  /** Opens a location in the given pane, by default the active one. */
  readonly go: (place: WindowPlace, pane?: PaneId) => void;
  /** Opens a location like `go`, and runs `alongside` in the same render. */
  readonly arrive: (place: WindowPlace, alongside: () => void, pane?: PaneId) => void;
  /** Returns the location of a pane in the active tab after all pending navigation. It may be slightly ahead of the screen. */
  readonly placeAhead: (pane: PaneId) => WindowPlace;
}

/** A navigation that waits for the first rows of its folder. */
interface Waiting {
  readonly action: NavigationAction;
  readonly open: () => void;
}

/** Maximum wait in milliseconds for the rows of a folder. Most folders thus render once, together with their rows. */
const maxRowsWaitMs = 100;

/** Renders once rows have loaded, the wait times out, or the user navigates again. */
function renderOnceLoaded(
  rows: Promise<void>,
  action: NavigationAction,
  waiting: { current: Waiting | null },
  draw: () => void,
): void {
  const mine: Waiting = {
    action,
    // Has no effect on the second call, since the rows, the timer and the next navigation each call it.
    open: () => {
      if (waiting.current !== mine) return;
      waiting.current = null;
      clearTimeout(timer);
      draw();
    },
  };
  waiting.current = mine;
  const timer = setTimeout(mine.open, maxRowsWaitMs);
  void rows.finally(mine.open);
}

/** The window's tabs, restored after a reload. */
export function useNavigation(): WindowNavigation {
  const queries = useQueryClient();
  const { isSettled, value } = useKeptView(
    tabsName(location.search),
    keptNavigationSchema,
    defaultNavigation,
  );
  const [navigation, draw] = useReducer(navigate, firstNavigation);
  /** The state of navigation, including actions that React has not rendered yet. */
  const ahead = useRef(firstNavigation);
  const dispatch = useCallback((action: NavigationAction): void => {
    ahead.current = navigate(ahead.current, action);
    draw(action);
  }, []);
  const hasRestored = useRef(false);
  const queuedActions = useRef<NavigationAction[]>([]);
  useEffect(() => {
    if (!isSettled || hasRestored.current) return;
    hasRestored.current = true;
    dispatch({ kind: 'restore', navigation: restoreNavigation(value) });
    for (const action of queuedActions.current.splice(0)) dispatch(action);
  }, [dispatch, isSettled, value]);
  useEffect(() => {
    if (hasRestored.current && navigation !== firstNavigation)
      storeSoon(tabsName(location.search), toKeptNavigation(navigation));
  }, [navigation]);

  const connections = useConnections().data;
  useEffect(() => {
    if (connections === undefined) return;
    dispatch({ kind: 'forget-connections', known: new Set(connections.map(({ id }) => id)) });
    // Re-run when the tabs of the last session are restored.
    // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies
  }, [connections, isSettled]);

  const waiting = useRef<Waiting | null>(null);
  /** Returns the state of navigation after all queued and waiting actions. */
  const upcoming = (): Navigation => {
    const steps = waiting.current === null ? queuedActions.current : [waiting.current.action];
    return steps.reduce(navigate, ahead.current);
  };
  const act = (action: NavigationAction, alongside?: () => void): void => {
    if (mustRenderSynchronously(action) && hasRestored.current) {
      waiting.current?.open();
      dispatch(action);
      return;
    }
    // Queues navigation before the tabs are restored, so that the restore does not undo it.
    if (!hasRestored.current) {
      queuedActions.current.push(action);
      alongside?.();
      return;
    }
    const before = upcoming();
    waiting.current?.open();
    const after = navigate(before, action);
    const pane = paneOfAction(after, action);
    const previous = placeOf(paneOf(activeTab(before), pane));
    const next = placeOf(paneOf(activeTab(after), pane));
    rememberLeftFolder(previous, next, pane);
    // Sends the request before rendering. Rendering is a transition, which does not block the keyboard.
    const rows =
      next.kind === 'folder' && action.kind !== 'replace' ? prefetchOpening(queries, next, pane) : null;
    const open = (): void => {
      // Uses one transition, since React renders separate transitions separately and restarts them when they overlap.
      startTransition(() => {
        dispatch(action);
        alongside?.();
      });
    };
    if (rows === null) open();
    else renderOnceLoaded(rows, action, waiting, open);
  };
  const stable = useStable({
    dispatch: (action: NavigationAction) => act(action),
    go: (place: WindowPlace, pane?: PaneId) => act({ kind: 'go', place, ...inPane(pane) }),
    placeAhead: (pane: PaneId) => placeOf(paneOf(activeTab(upcoming()), pane)),
    arrive: (place: WindowPlace, alongside: () => void, pane?: PaneId) =>
      act({ kind: 'go', place, ...inPane(pane) }, alongside),
  });
  return { navigation, isRestored: isSettled, ...stable };
}

/**
 * Returns true for actions that must render synchronously. A clicked pane must be active before the click ends, since a drag or a
 * menu may start with it. An empty tab must exist before an address is typed, or the address would be resolved in the previous
 * tab's connection.
 */
function mustRenderSynchronously(action: NavigationAction): boolean {
  const { kind } = action;
  return (
    kind === 'activate-pane' ||
    kind === 'other-pane' ||
    kind === 'resize-panes' ||
    (kind === 'open-tab' && action.place.kind === 'start')
  );
}

function inPane(pane: PaneId | undefined): { readonly pane?: PaneId } {
  return pane === undefined ? {} : { pane };
}

/** After going up, lets the list focus the folder that was left. */
function rememberLeftFolder(from: WindowPlace, to: WindowPlace, pane: PaneId): void {
  if (from.kind !== 'folder' || to.kind !== 'folder') return;
  const isAbove =
    to.startsWith === '' &&
    from.bucket === to.bucket &&
    from.connectionId === to.connectionId &&
    from.folder.startsWith(to.folder) &&
    from.folder !== to.folder;
  if (!isAbove) return;
  const end = from.folder.indexOf('/', to.folder.length) + 1;
  rememberChild(placeId(to, pane), from.folder.slice(0, end));
}
