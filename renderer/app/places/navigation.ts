import { assertNever } from '../../../shared/assert-never.ts';
import {
  connectionOf,
  isSameWindowPlace,
  placeAbove,
  placeBeside,
  startPlace,
  type WindowPlace,
} from './places.ts';

/**
 * The id of a pane while it is open. It is not `left` or `right`, since the right pane moves to the left when the left one is
 * closed.
 */
export type PaneId = 1 | 2;

/** A pane of a tab and its history. `at` is the index of the current entry. */
export interface Pane {
  readonly id: PaneId;
  readonly history: readonly WindowPlace[];
  readonly at: number;
}

/** One place, or two side by side. */
export type Panes = readonly [Pane] | readonly [Pane, Pane];

export interface Tab {
  readonly id: number;
  readonly panes: Panes;
  /** The pane that commands act on. */
  readonly activePane: PaneId;
  /** Width of the left pane if a tab has two, in percent. */
  readonly leftPercent: number;
}

export interface Navigation {
  readonly tabs: readonly Tab[];
  readonly activeId: number;
  readonly nextId: number;
}

/** Names a pane in the front tab. Without it, the action applies to the active pane. */
interface InPane {
  readonly pane?: PaneId;
}

export type NavigationAction =
  | ({ readonly kind: 'go'; readonly place: WindowPlace } & InPane)
  /** Replaces the pane's location without a history entry, while the user types under "starts with". */
  | ({ readonly kind: 'replace'; readonly place: WindowPlace } & InPane)
  | { readonly kind: 'open-tab'; readonly place: WindowPlace; readonly inBackground?: boolean }
  | { readonly kind: 'close-tab'; readonly id: number }
  | { readonly kind: 'activate'; readonly id: number }
  | { readonly kind: 'next-tab'; readonly step: -1 | 1 }
  | ({ readonly kind: 'back' } & InPane)
  | ({ readonly kind: 'forward' } & InPane)
  | ({ readonly kind: 'up' } & InPane)
  /** Opens a second pane, or closes the inactive one. */
  | { readonly kind: 'split' }
  | { readonly kind: 'close-pane'; readonly pane: PaneId }
  | { readonly kind: 'activate-pane'; readonly pane: PaneId }
  | { readonly kind: 'other-pane' }
  | { readonly kind: 'resize-panes'; readonly leftPercent: number }
  /** Removes the locations of removed connections from all tabs and histories. */
  | { readonly kind: 'forget-connections'; readonly known: ReadonlySet<string> }
  | { readonly kind: 'restore'; readonly navigation: Navigation };

export const maxHistoryLength = 100;
export const halfPercent = 50;

/** Minimum width of either pane, in percent. */
export const minPercent = 20;

function newTab(id: number, place: WindowPlace): Tab {
  return { id, panes: [{ id: 1, history: [place], at: 0 }], activePane: 1, leftPercent: halfPercent };
}

export const firstNavigation: Navigation = { tabs: [newTab(1, startPlace)], activeId: 1, nextId: 2 };

export function placeOf(pane: Pane): WindowPlace {
  return pane.history[pane.at] ?? startPlace;
}

export function activeTab(navigation: Navigation): Tab {
  const tab = navigation.tabs.find(({ id }) => id === navigation.activeId) ?? navigation.tabs[0];
  return tab ?? newTab(navigation.activeId, startPlace);
}

export function paneOf(tab: Tab, pane: PaneId = tab.activePane): Pane {
  const [first, second] = tab.panes;
  return second?.id === pane ? second : first;
}

/** Returns the inactive pane of the tab, or null if the tab has only one pane. */
export function otherPaneOf(tab: Tab): Pane | null {
  return tab.panes.find(({ id }) => id !== tab.activePane) ?? null;
}

export const activePane = (navigation: Navigation): Pane => paneOf(activeTab(navigation));
export const currentPlace = (navigation: Navigation): WindowPlace => placeOf(activePane(navigation));
export const canGoBack = (pane: Pane): boolean => pane.at > 0;
export const canGoForward = (pane: Pane): boolean => pane.at < pane.history.length - 1;
export const canGoUp = (pane: Pane): boolean => placeAbove(placeOf(pane)) !== null;

/** Returns the pane to which an action applies. */
export function paneOfAction(navigation: Navigation, action: NavigationAction): PaneId {
  const { activePane: active } = activeTab(navigation);
  return 'pane' in action ? (action.pane ?? active) : active;
}

function withVisit(pane: Pane, place: WindowPlace): Pane {
  const currentEntry = placeOf(pane);
  if (isSameWindowPlace(currentEntry, place)) return pane;
  const before = currentEntry.kind === 'start' ? [] : pane.history.slice(0, pane.at + 1);
  const history = [...before, place].slice(-maxHistoryLength);
  return { ...pane, history, at: history.length - 1 };
}

function mapPanes([first, second]: Panes, change: (pane: Pane) => Pane): Panes {
  return second === undefined ? [change(first)] : [change(first), change(second)];
}

function changeTab(navigation: Navigation, change: (tab: Tab) => Tab): Navigation {
  const active = activeTab(navigation);
  const changed = change(active);
  if (changed === active) return navigation;
  return { ...navigation, tabs: navigation.tabs.map((tab) => (tab === active ? changed : tab)) };
}

function changePane(
  navigation: Navigation,
  action: NavigationAction,
  change: (pane: Pane) => Pane,
): Navigation {
  return changeTab(navigation, (tab) => {
    const before = paneOf(tab, paneOfAction(navigation, action));
    const after = change(before);
    if (after === before) return tab;
    return { ...tab, panes: mapPanes(tab.panes, (pane) => (pane === before ? after : pane)) };
  });
}

function split(tab: Tab): Tab {
  const currentPane = paneOf(tab);
  if (tab.panes.length === 2) return { ...tab, panes: [currentPane] };
  const beside: Pane = {
    id: currentPane.id === 1 ? 2 : 1,
    history: [placeBeside(placeOf(currentPane))],
    at: 0,
  };
  return { ...tab, panes: [currentPane, beside], activePane: beside.id };
}

function withoutPane(tab: Tab, closedPane: PaneId): Tab {
  const left = tab.panes.find(({ id }) => id !== closedPane);
  return tab.panes.length === 1 || left === undefined ? tab : { ...tab, panes: [left], activePane: left.id };
}

function closeTab(navigation: Navigation, id: number): Navigation {
  const at = navigation.tabs.findIndex((tab) => tab.id === id);
  if (at === -1) return navigation;
  const tabs = navigation.tabs.toSpliced(at, 1);
  if (tabs.length === 0)
    return {
      tabs: [newTab(navigation.nextId, startPlace)],
      activeId: navigation.nextId,
      nextId: navigation.nextId + 1,
    };
  const neighbour = tabs[Math.min(at, tabs.length - 1)];
  const activeId = navigation.activeId === id ? (neighbour?.id ?? navigation.activeId) : navigation.activeId;
  return { ...navigation, tabs, activeId };
}

function withoutConnections(pane: Pane, known: ReadonlySet<string>): Pane {
  const isKnown = (place: WindowPlace): boolean => {
    const connectionId = connectionOf(place);
    return connectionId === null || known.has(connectionId);
  };
  if (pane.history.every(isKnown)) return pane;
  const history = pane.history.filter(isKnown);
  if (history.length === 0) return { ...pane, history: [startPlace], at: 0 };
  const remainingCount = pane.history.slice(0, pane.at + 1).filter(isKnown).length;
  return { ...pane, history, at: Math.max(0, remainingCount - 1) };
}

function forgetConnections(tab: Tab, known: ReadonlySet<string>): Tab {
  const panes = mapPanes(tab.panes, (pane) => withoutConnections(pane, known));
  return panes.every((pane, at) => pane === tab.panes[at]) ? tab : { ...tab, panes };
}

/** Applies an action to the tabs and their histories. */
export function navigate(navigation: Navigation, action: NavigationAction): Navigation {
  switch (action.kind) {
    case 'go':
      return changePane(navigation, action, (pane) => withVisit(pane, action.place));
    case 'replace':
      return changePane(navigation, action, (pane) =>
        isSameWindowPlace(placeOf(pane), action.place)
          ? pane
          : { ...pane, history: pane.history.with(pane.at, action.place) },
      );
    case 'open-tab': {
      const tab = newTab(navigation.nextId, action.place);
      const after = navigation.tabs.findIndex(({ id }) => id === navigation.activeId) + 1;
      return {
        tabs: navigation.tabs.toSpliced(after, 0, tab),
        activeId: action.inBackground === true ? navigation.activeId : tab.id,
        nextId: navigation.nextId + 1,
      };
    }
    case 'close-tab':
      return closeTab(navigation, action.id);
    case 'activate':
      return navigation.tabs.some(({ id }) => id === action.id)
        ? { ...navigation, activeId: action.id }
        : navigation;
    case 'next-tab': {
      const { tabs } = navigation;
      const at = tabs.findIndex(({ id }) => id === navigation.activeId);
      const next = tabs[(at + action.step + tabs.length) % tabs.length];
      return next === undefined ? navigation : { ...navigation, activeId: next.id };
    }
    case 'back':
      return changePane(navigation, action, (pane) =>
        canGoBack(pane) ? { ...pane, at: pane.at - 1 } : pane,
      );
    case 'forward':
      return changePane(navigation, action, (pane) =>
        canGoForward(pane) ? { ...pane, at: pane.at + 1 } : pane,
      );
    case 'up':
      return changePane(navigation, action, (pane) => {
        const above = placeAbove(placeOf(pane));
        return above === null ? pane : withVisit(pane, above);
      });
    case 'split':
      return changeTab(navigation, split);
    case 'close-pane':
      return changeTab(navigation, (tab) => withoutPane(tab, action.pane));
    case 'activate-pane':
      return changeTab(navigation, (tab) =>
        tab.activePane === action.pane || !tab.panes.some(({ id }) => id === action.pane)
          ? tab
          : { ...tab, activePane: action.pane },
      );
    case 'other-pane':
      return changeTab(navigation, (tab) => {
        const other = otherPaneOf(tab);
        return other === null ? tab : { ...tab, activePane: other.id };
      });
    case 'resize-panes':
      return changeTab(navigation, (tab) => ({
        ...tab,
        leftPercent: Math.max(minPercent, Math.min(100 - minPercent, action.leftPercent)),
      }));
    case 'forget-connections': {
      const tabs = navigation.tabs.map((tab) => forgetConnections(tab, action.known));
      return tabs.every((tab, at) => tab === navigation.tabs[at]) ? navigation : { ...navigation, tabs };
    }
    case 'restore':
      return action.navigation;
    default:
      return assertNever(action);
  }
}

/** Returns the ids of walks (listings for a search) to which the tabs' histories still refer. */
export function walksOf({ tabs }: Navigation): ReadonlySet<string> {
  const places = tabs.flatMap(({ panes }) => panes.flatMap(({ history }) => history));
  return new Set(places.flatMap((place) => (place.kind === 'search' ? (place.walkId ?? []) : [])));
}
