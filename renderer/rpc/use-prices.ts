import { useQuery } from '@tanstack/react-query';
import type { ConnectionPrices } from '../../shared/models/prices.ts';
import { orpc } from './client.ts';

/**
 * Returns the price list of a connection, for the region of a bucket if given. Null while loading. Updates arrive as a core
 * event.
 */
export function usePrices(connectionId: string, bucket: string | null = null): ConnectionPrices | null {
  const input = bucket === null ? { connectionId } : { connectionId, bucket };
  return useQuery(orpc.prices.of.queryOptions({ input })).data ?? null;
}
