import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ConnectionPrices, Holding, SmallestSize } from '../../shared/models/prices.ts';
import { type BilledObject, holdingsOf } from '../../shared/pricing/holdings.ts';
import { orpc, rpc } from './client.ts';

/**
 * Returns the price list of a connection, for the region of a bucket if given. Null while loading. Updates arrive as a core
 * event.
 */
export function usePrices(connectionId: string, bucket: string | null = null): ConnectionPrices | null {
  const input = bucket === null ? { connectionId } : { connectionId, bucket };
  return useQuery(orpc.prices.of.queryOptions({ input })).data ?? null;
}

/** The selected items whose cost is calculated. */
export interface ChosenToPrice {
  readonly connectionId: string;
  readonly bucket: string;
  readonly prefixes: readonly string[];
  readonly objects: readonly BilledObject[];
}

/** All results of a search. */
export interface FoundToPrice {
  readonly connectionId: string;
  readonly walkId: string;
}

/** Maximum number of folders per call. */
const maxFolders = 5000;

export type Holdings =
  | { readonly kind: 'reading' }
  /**
   * The size is unknown: no catalogue contains the selected folders, and Cooper does not list folders only to calculate a price.
   */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'known';
      readonly holdings: readonly Holding[];
      /** The time of the count, or null if no folder is selected. */
      readonly takenAt: string | null;
    };

/**
 * Adds up the sizes of the selected items by storage class and month. Takes objects from the list and folders from the newest
 * catalogue.
 */
export function useHoldings(of: ChosenToPrice, smallest: readonly SmallestSize[] | null): Holdings {
  const { connectionId, bucket, prefixes, objects } = of;
  const inFolders = useQuery({
    queryKey: ['holdings', connectionId, bucket, prefixes, smallest],
    enabled: prefixes.length > 0 && prefixes.length <= maxFolders && smallest !== null,
    staleTime: 60_000,
    queryFn: async ({ signal }) => await askFolders(of, smallest ?? [], signal),
  });
  const known = useMemo(() => holdingsOf(objects, smallest ?? []), [objects, smallest]);
  if (smallest === null || prefixes.length > maxFolders) return { kind: 'unknown' };
  if (prefixes.length === 0) return { kind: 'known', holdings: known, takenAt: null };
  if (inFolders.isPending) return { kind: 'reading' };
  return withFolders(known, inFolders.data ?? null);
}

/** Returns the same totals as `useHoldings` once, for use outside React. */
export async function readHoldings(
  of: ChosenToPrice | FoundToPrice,
  smallest: readonly SmallestSize[],
): Promise<Exclude<Holdings, { kind: 'reading' }>> {
  if ('walkId' in of) {
    const { walkId } = of;
    const holdings = await rpc.walks.holdings({ walkId, smallest: [...smallest] });
    return { kind: 'known', holdings, takenAt: null };
  }
  const known = holdingsOf(of.objects, smallest);
  if (of.prefixes.length === 0) return { kind: 'known', holdings: known, takenAt: null };
  if (of.prefixes.length > maxFolders) return { kind: 'unknown' };
  return withFolders(known, await askFolders(of, smallest));
}

type InFolders = Awaited<ReturnType<typeof rpc.map.holdingsOf>>;

async function askFolders(
  { connectionId, bucket, prefixes }: ChosenToPrice,
  smallest: readonly SmallestSize[],
  signal?: AbortSignal,
): Promise<InFolders> {
  return await rpc.map.holdingsOf(
    { connectionId, bucket, prefix: commonPrefix(prefixes), folders: [...prefixes], smallest: [...smallest] },
    signal === undefined ? {} : { signal },
  );
}

function withFolders(
  known: readonly Holding[],
  found: InFolders,
): Exclude<Holdings, { readonly kind: 'reading' }> {
  if (found === null) return { kind: 'unknown' };
  return { kind: 'known', holdings: [...known, ...found.holdings], takenAt: found.takenAt };
}

/** Returns the innermost folder that contains all of these prefixes. */
function commonPrefix(prefixes: readonly string[]): string {
  const [first = ''] = prefixes;
  let folder = first.slice(0, first.lastIndexOf('/', first.length - 2) + 1);
  while (!prefixes.every((prefix) => prefix.startsWith(folder)))
    folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder;
}
