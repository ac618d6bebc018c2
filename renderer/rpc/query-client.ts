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
      // What was sent may hold a secret, so it goes with what sent it; kept for minutes, it is in every dump of the memory.
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
