import type { Navigation } from '../places/navigation.ts';

/** Returns the ids of the walks that the tabs' histories still refer to. */
export function walksOf({ tabs }: Navigation): ReadonlySet<string> {
  const places = tabs.flatMap(({ panes }) => panes.flatMap(({ history }) => history));
  return new Set(places.flatMap((place) => (place.kind === 'search' ? (place.walkId ?? []) : [])));
}
