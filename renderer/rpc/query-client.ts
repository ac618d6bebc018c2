import { QueryClient, type Query } from '@tanstack/react-query';
import { appErrorOf } from './errors.ts';

/**
 * Creates the query client. Queries are not retried, since the core retries requests that are safe to repeat. Being offline
 * pauses no query, since the core runs on this computer. `release` frees data derived from a query's data.
 */
export function createQueryClient(release: (removed: Query) => void = () => undefined): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: 30_000,
      },
      // Drops a mutation at once, since the value sent may contain a secret.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
  emptyRemoved(queries, release);
  return queries;
}

/**
 * Releases the data of queries removed from the cache. `release` frees derived data, then the query's data is dropped. Otherwise
 * the rows of the first large folder would never be freed: V8 retains the first getter of an object literal's shape, and the
 * getter of a fetch's `signal` holds its query.
 */
function emptyRemoved(queries: QueryClient, release: (removed: Query) => void): void {
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'removed' || query.getObserversCount() > 0) return;
    release(query as Query);
    // Without `manual`, the call also drops the state to which a cancelled fetch would revert.
    query.setData(undefined);
  });
}

/** Refetches failed and possibly outdated queries after a reconnect. Visible folders keep their rows. */
export function refreshAfterReconnect(queries: QueryClient): void {
  void queries.invalidateQueries({
    predicate: (query) => {
      const { data, error } = query.state;
      if (data !== undefined && query.options.meta?.['keepAfterReconnect'] === true) return false;
      return error === null || appErrorOf(error).code === 'disconnected';
    },
  });
}
