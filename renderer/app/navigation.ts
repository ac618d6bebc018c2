import { z } from 'zod';
import { assertNever } from '../../shared/assert-never.ts';
import { placeAbove, samePlace, startPlace, windowPlaceSchema, type WindowPlace } from './places.ts';

/** A tab and where it has been; `at` is where it is. */
export interface Tab {
  readonly id: number;
  readonly history: readonly WindowPlace[];
  readonly at: number;
}

export interface Navigation {
  readonly tabs: readonly Tab[];
  readonly activeId: number;
  readonly nextId: number;
}

export type NavigationAction =
  | { readonly kind: 'go'; readonly place: WindowPlace }
  /** Changes where the tab is without a step in its history: the name typed under "starts with". */
  | { readonly kind: 'replace'; readonly place: WindowPlace }
  | { readonly kind: 'open-tab'; readonly place: WindowPlace; readonly inBackground?: boolean }
  | { readonly kind: 'close-tab'; readonly id: number }
  | { readonly kind: 'activate'; readonly id: number }
  | { readonly kind: 'next-tab'; readonly step: -1 | 1 }
  | { readonly kind: 'back' }
  | { readonly kind: 'forward' }
  | { readonly kind: 'up' }
  /** A connection was removed: its places are no longer anywhere. */
  | { readonly kind: 'forget-connections'; readonly known: ReadonlySet<string> }
  | { readonly kind: 'restore'; readonly navigation: Navigation };

const longestHistory = 100;

export const firstNavigation: Navigation = {
  tabs: [{ id: 1, history: [startPlace], at: 0 }],
  activeId: 1,
  nextId: 2,
};

export function placeOf(tab: Tab): WindowPlace {
  return tab.history[tab.at] ?? startPlace;
}

export function activeTab(navigation: Navigation): Tab {
  const tab = navigation.tabs.find(({ id }) => id === navigation.activeId) ?? navigation.tabs[0];
  return tab ?? { id: navigation.activeId, history: [startPlace], at: 0 };
}

export const currentPlace = (navigation: Navigation): WindowPlace => placeOf(activeTab(navigation));
export const canGoBack = (navigation: Navigation): boolean => activeTab(navigation).at > 0;
export const canGoForward = (navigation: Navigation): boolean => {
  const tab = activeTab(navigation);
  return tab.at < tab.history.length - 1;
};
export const canGoUp = (navigation: Navigation): boolean => placeAbove(currentPlace(navigation)) !== null;

function went(tab: Tab, place: WindowPlace): Tab {
  const here = placeOf(tab);
  if (samePlace(here, place)) return tab;
  // The welcome page is nothing to go back to.
  const before = here.kind === 'start' ? [] : tab.history.slice(0, tab.at + 1);
  const history = [...before, place].slice(-longestHistory);
  return { ...tab, history, at: history.length - 1 };
}

function changeActive(navigation: Navigation, change: (tab: Tab) => Tab): Navigation {
  const active = activeTab(navigation);
  const changed = change(active);
  if (changed === active) return navigation;
  return { ...navigation, tabs: navigation.tabs.map((tab) => (tab === active ? changed : tab)) };
}

function closed(navigation: Navigation, id: number): Navigation {
  const at = navigation.tabs.findIndex((tab) => tab.id === id);
  if (at === -1) return navigation;
  const tabs = navigation.tabs.toSpliced(at, 1);
  if (tabs.length === 0)
    return {
      tabs: [{ id: navigation.nextId, history: [startPlace], at: 0 }],
      activeId: navigation.nextId,
      nextId: navigation.nextId + 1,
    };
  const neighbour = tabs[Math.min(at, tabs.length - 1)];
  const activeId = navigation.activeId === id ? (neighbour?.id ?? navigation.activeId) : navigation.activeId;
  return { ...navigation, tabs, activeId };
}

function without(tab: Tab, known: ReadonlySet<string>): Tab {
  const isKnown = (place: WindowPlace): boolean => place.kind === 'start' || known.has(place.connectionId);
  if (tab.history.every(isKnown)) return tab;
  const history = tab.history.filter(isKnown);
  if (history.length === 0) return { ...tab, history: [startPlace], at: 0 };
  const stayed = tab.history.slice(0, tab.at + 1).filter(isKnown).length;
  return { ...tab, history, at: Math.max(0, stayed - 1) };
}

/** All that can happen to tabs and their histories. */
export function navigate(navigation: Navigation, action: NavigationAction): Navigation {
  switch (action.kind) {
    case 'go':
      return changeActive(navigation, (tab) => went(tab, action.place));
    case 'replace':
      return changeActive(navigation, (tab) =>
        samePlace(placeOf(tab), action.place)
          ? tab
          : { ...tab, history: tab.history.with(tab.at, action.place) },
      );
    case 'open-tab': {
      const tab: Tab = { id: navigation.nextId, history: [action.place], at: 0 };
      const after = navigation.tabs.findIndex(({ id }) => id === navigation.activeId) + 1;
      return {
        tabs: navigation.tabs.toSpliced(after, 0, tab),
        activeId: action.inBackground === true ? navigation.activeId : tab.id,
        nextId: navigation.nextId + 1,
      };
    }
    case 'close-tab':
      return closed(navigation, action.id);
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
      return changeActive(navigation, (tab) => (tab.at > 0 ? { ...tab, at: tab.at - 1 } : tab));
    case 'forward':
      return changeActive(navigation, (tab) =>
        tab.at < tab.history.length - 1 ? { ...tab, at: tab.at + 1 } : tab,
      );
    case 'up':
      return changeActive(navigation, (tab) => {
        const above = placeAbove(placeOf(tab));
        return above === null ? tab : went(tab, above);
      });
    case 'forget-connections': {
      const tabs = navigation.tabs.map((tab) => without(tab, action.known));
      return tabs.every((tab, at) => tab === navigation.tabs[at]) ? navigation : { ...navigation, tabs };
    }
    case 'restore':
      return action.navigation;
    default:
      return assertNever(action);
  }
}

/** What is kept of the tabs over a reload. */
export const keptNavigationSchema = z.object({
  tabs: z
    .array(z.object({ history: z.array(windowPlaceSchema).min(1).max(longestHistory), at: z.int().min(0) }))
    .min(1)
    .max(50),
  active: z.int().min(0),
});
export type KeptNavigation = z.infer<typeof keptNavigationSchema>;

const keptHistory = 20;

export function keptOf(navigation: Navigation): KeptNavigation {
  return {
    tabs: navigation.tabs.map((tab) => {
      const from = Math.max(0, tab.at - keptHistory);
      return { history: tab.history.slice(from, tab.at + keptHistory), at: tab.at - from };
    }),
    active: Math.max(
      0,
      navigation.tabs.findIndex(({ id }) => id === navigation.activeId),
    ),
  };
}

export function restoredFrom(kept: KeptNavigation): Navigation {
  const tabs = kept.tabs.map((tab, index): Tab => ({
    id: index + 1,
    history: tab.history,
    at: Math.min(tab.at, tab.history.length - 1),
  }));
  return { tabs, activeId: Math.min(kept.active, tabs.length - 1) + 1, nextId: tabs.length + 1 };
}
