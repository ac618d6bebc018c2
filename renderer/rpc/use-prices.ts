import { useQuery } from '@tanstack/react-query';
import type { ConnectionPrices } from '../../shared/models/prices.ts';
import { orpc } from './client.ts';

/** The price list of a connection; null while it is asked for. Changes come with an event of the core. */
export function usePrices(connectionId: string): ConnectionPrices | null {
  return useQuery(orpc.prices.of.queryOptions({ input: { connectionId } })).data ?? null;
}
