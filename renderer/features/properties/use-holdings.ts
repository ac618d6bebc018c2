import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Holding, SmallestSize } from '../../../shared/models/prices.ts';
import { holdingsOf } from '../../../shared/pricing/holdings.ts';
import { rpc } from '../../rpc/client.ts';
import type { PropertiesOf } from './properties-store.ts';

export type Holdings =
  | { readonly kind: 'reading' }
  /** No catalogue holds the chosen folders, and nothing is listed for a price. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known';
      readonly holdings: readonly Holding[];
      /** When the folders were counted; null: there are none. */
      readonly takenAt: string | null;
    };

/** What was chosen, by class and month: objects as the list has them, folders by the newest catalogue. */
export function useHoldings(of: PropertiesOf, smallest: readonly SmallestSize[] | null): Holdings {
  const { connectionId, bucket, prefixes, objects } = of;
  const inFolders = useQuery({
    queryKey: ['holdings', connectionId, bucket, prefixes, smallest],
    enabled: prefixes.length > 0 && smallest !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }) =>
      await rpc.maps.holdingsOf(
        {
          connectionId,
          bucket,
          prefix: commonPrefix(prefixes),
          folders: [...prefixes],
          smallest: [...(smallest ?? [])],
        },
        { signal },
      ),
  });
  const own = useMemo(() => holdingsOf(objects, smallest ?? []), [objects, smallest]);
  if (smallest === null) return { kind: 'unknown' };
  if (prefixes.length === 0) return { kind: 'known', holdings: own, takenAt: null };
  if (inFolders.isPending) return { kind: 'reading' };
  const found = inFolders.data ?? null;
  if (found === null) return { kind: 'unknown' };
  return { kind: 'known', holdings: [...own, ...found.holdings], takenAt: found.takenAt };
}

/** The folder that all of these lie in. */
function commonPrefix(prefixes: readonly string[]): string {
  const [first = ''] = prefixes;
  let folder = first.slice(0, first.lastIndexOf('/', first.length - 2) + 1);
  while (!prefixes.every((prefix) => prefix.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}
