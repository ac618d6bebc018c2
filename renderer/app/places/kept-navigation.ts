import { z } from 'zod/mini';
import { windowPlaceSchema } from './places.ts';
import {
  type PaneId,
  type Pane,
  type Tab,
  type Navigation,
  maxHistoryLength,
  halfPercent,
} from './navigation.ts';

const keptPaneSchema = z.object({
  history: z.array(windowPlaceSchema).check(z.minLength(1), z.maxLength(maxHistoryLength)),
  at: z.int().check(z.gte(0)),
});

/** Parses the stored tabs. A record by an older version has one pane per tab, which becomes the left pane. */
export const keptNavigationSchema = z.object({
  tabs: z
    .array(
      z.extend(keptPaneSchema, {
        right: z._default(z.nullable(keptPaneSchema), null),
        isRightActive: z._default(z.boolean(), false),
        leftPercent: z._default(z.number().check(z.gte(0), z.lte(100)), halfPercent),
      }),
    )
    .check(z.minLength(1), z.maxLength(50)),
  active: z.int().check(z.gte(0)),
});

export type KeptNavigation = z.infer<typeof keptNavigationSchema>;
type KeptPane = z.infer<typeof keptPaneSchema>;
type KeptTab = KeptNavigation['tabs'][number];

const maxKeptPerSide = 20;

function toKeptPane({ history, at }: Pane): KeptPane {
  const from = Math.max(0, at - maxKeptPerSide);
  return { history: history.slice(from, at + maxKeptPerSide), at: at - from };
}

function toKeptTab({ panes: [left, right], activePane: active, leftPercent }: Tab): KeptTab {
  return {
    ...toKeptPane(left),
    right: right === undefined ? null : toKeptPane(right),
    isRightActive: active === right?.id,
    leftPercent,
  };
}

export function toKeptNavigation(navigation: Navigation): KeptNavigation {
  return {
    tabs: navigation.tabs.map(toKeptTab),
    active: Math.max(
      0,
      navigation.tabs.findIndex(({ id }) => id === navigation.activeId),
    ),
  };
}

function restorePane(id: PaneId, { history, at }: KeptPane): Pane {
  return { id, history, at: Math.min(at, history.length - 1) };
}

function restoreTab(id: number, kept: KeptTab): Tab {
  const left = restorePane(1, kept);
  const { leftPercent } = kept;
  if (kept.right === null) return { id, panes: [left], activePane: 1, leftPercent };
  const panes = [left, restorePane(2, kept.right)] as const;
  return { id, panes, activePane: kept.isRightActive ? 2 : 1, leftPercent };
}

export function restoreNavigation(kept: KeptNavigation): Navigation {
  const tabs = kept.tabs.map((tab, index) => restoreTab(index + 1, tab));
  return { tabs, activeId: Math.min(kept.active, tabs.length - 1) + 1, nextId: tabs.length + 1 };
}
