import type { Navigation } from '../places/navigation.ts';

/** Returns the ids of walks (listings for a search) to which the tabs' histories still refer. */
export function walksOf({ tabs }: Navigation): ReadonlySet<string> {
  const places = tabs.flatMap(({ panes }) => panes.flatMap(({ history }) => history));
  return new Set(places.flatMap((place) => (place.kind === 'search' ? (place.walkId ?? []) : [])));
}
