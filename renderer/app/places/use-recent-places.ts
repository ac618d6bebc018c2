import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { orpc } from '../../rpc/client.ts';
import { storeSoon, useKeptView, type KeptView } from '../../rpc/use-kept-view.ts';
import { recentPlacesSchema, withRecent, type FolderWindowPlace, type WindowPlace } from './places.ts';

const name = 'recent-places';
const none: FolderWindowPlace[] = [];

/** Returns the folders opened last in any window, the newest first. */
export function useRecentPlaces(): KeptView<FolderWindowPlace[]> {
  return useKeptView(name, recentPlacesSchema, none);
}

/** Adds each opened location to the recent ones, without re-rendering the caller. */
export function useRememberPlace(place: WindowPlace): void {
  const queries = useQueryClient();
  useEffect(() => {
    let isOver = false;
    const options = orpc.view.get.queryOptions({ input: { name }, staleTime: Infinity, gcTime: Infinity });
    const remember = (data: unknown): void => {
      if (isOver) return;
      const parsed = recentPlacesSchema.safeParse(data);
      const before = parsed.success ? parsed.data : none;
      const next = [...withRecent(before, place)];
      if (next.length === before.length && next[0] === before[0]) return;
      queries.setQueryData(orpc.view.get.queryKey({ input: { name } }), next);
      storeSoon(name, next);
    };
    // If the stored list fails to load, this location is not added. The next location tries again.
    queries.ensureQueryData(options).then(remember, () => undefined);
    return () => {
      isOver = true;
    };
  }, [queries, place]);
}
