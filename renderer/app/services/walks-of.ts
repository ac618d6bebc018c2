import type { Navigation } from '../places/navigation.ts';

/** The searches that a tab can still come back to. */
export function walksOf({ tabs }: Navigation): ReadonlySet<string> {
  const places = tabs.flatMap(({ panes }) => panes.flatMap(({ history }) => history));
  return new Set(places.flatMap((place) => (place.kind === 'search' ? (place.walkId ?? []) : [])));
}
