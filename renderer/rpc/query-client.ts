import { QueryClient } from '@tanstack/react-query';
import { appErrorOf } from './errors.ts';

/**
 * The core retries what is safe to repeat, so nothing is retried here; and it is on this computer, so being offline
 * stops no query.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: 30_000,
      },
      // A sent value may contain a secret, so it is dropped with its mutation instead of staying in memory for minutes.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
}

/** After a loss: what failed or may have changed is asked again, folders that are on the screen stay. */
export function refreshAfterReconnect(queries: QueryClient): void {
  void queries.invalidateQueries({
    predicate: (query) => {
      const { data, error } = query.state;
      if (data !== undefined && query.options.meta?.['keepAfterReconnect'] === true) return false;
      return error === null || appErrorOf(error).code === 'disconnected';
    },
  });
}
