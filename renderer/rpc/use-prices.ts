import { useQuery } from '@tanstack/react-query';
import type { ConnectionPrices } from '../../shared/models/prices.ts';
import { orpc } from './client.ts';

/** Returns the price list of a connection; null while loading. Updates arrive as a core event. */
export function usePrices(connectionId: string): ConnectionPrices | null {
  return useQuery(orpc.prices.of.queryOptions({ input: { connectionId } })).data ?? null;
}
