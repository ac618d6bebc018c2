import { QueryClient, type Query } from '@tanstack/react-query';
import { appErrorOf } from './errors.ts';

/**
 * Creates the query client. The core retries requests that are safe to repeat, so queries do not. The core runs on this computer,
 * so being offline pauses no query. `release` frees what was derived from a query's data.
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
      // A sent value may contain a secret, so it is dropped with its mutation instead of staying in memory for minutes.
      mutations: { retry: false, networkMode: 'always', gcTime: 0 },
    },
  });
  emptyRemoved(queries, release);
  return queries;
}

/**
 * Releases the data of queries removed from the cache: `release` frees what was derived from it, then the query's own data is
 * dropped. V8 keeps the first getter given to an object literal with the shape of such objects, and the getter of a fetch's
 * `signal` holds its query. Without this, the rows of the first large folder would never be freed.
 */
function emptyRemoved(queries: QueryClient, release: (removed: Query) => void): void {
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'removed' || query.getObserversCount() > 0) return;
    release(query as Query);
    // Not `manual`: the state that a cancelled fetch would revert to is dropped too.
    query.setData(undefined);
  });
}

/** After a reconnect, fetches failed and possibly changed queries again; visible folders keep their rows. */
export function refreshAfterReconnect(queries: QueryClient): void {
  void queries.invalidateQueries({
    predicate: (query) => {
      const { data, error } = query.state;
      if (data !== undefined && query.options.meta?.['keepAfterReconnect'] === true) return false;
      return error === null || appErrorOf(error).code === 'disconnected';
    },
  });
}
