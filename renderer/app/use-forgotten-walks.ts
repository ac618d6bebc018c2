import { useEffect, useRef } from 'react';
import { rpc } from '../rpc/client.ts';
import type { Navigation } from './navigation.ts';

/** The searches that a tab can still come back to. */
export function walksOf({ tabs }: Navigation): ReadonlySet<string> {
  const places = tabs.flatMap((tab) => tab.history);
  return new Set(places.flatMap((place) => (place.kind === 'search' ? (place.walkId ?? []) : [])));
}

/** What a search has found is given up when no tab leads to it any more. */
export function useForgottenWalks(navigation: Navigation): void {
  const before = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = walksOf(navigation);
    for (const walkId of before.current) {
      // It may be gone already: then there is nothing left to give up.
      if (!now.has(walkId)) rpc.walks.close({ walkId }).catch(() => undefined);
    }
    before.current = now;
  }, [navigation]);
}
