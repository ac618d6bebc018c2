import type { FetchQueryOptions, Query, QueryClient, QueryKey, UseQueryResult } from '@tanstack/react-query';
import type { BucketList } from '../../../../shared/models/objects.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import type { BucketsState } from './tree-model.ts';

/** The number of connections whose buckets are listed at once for a search of all connections. */
const maxListedAtOnce = 6;

/** How bucket lists are requested, and found in the query cache. */
export interface BucketListing {
  /** The key that the bucket lists of all connections start with. */
  readonly allKey: QueryKey;
  /** Milliseconds after which a list is requested again on its next use. */
  readonly staleMs: number;
  /** Returns the query that lists a connection's buckets. */
  readonly queryOf: (connectionId: string) => FetchQueryOptions<BucketList>;
}

/**
 * The bucket lists of many connections, requested some at a time. Reads them from the query cache through one subscription:
 * creating an observer for each of 1,000 lists would block the window for longer than all else that the palette does to open.
 */
export class AllBucketLists {
  readonly #queries: QueryClient;
  readonly #ids: ReadonlySet<string>;
  readonly #listing: BucketListing;
  readonly #listeners = new Set<() => void>();
  readonly #known = new Map<string, BucketsState>();
  #snapshot: ReadonlyMap<string, BucketsState> | null = null;
  #requests: BucketRequests | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(queries: QueryClient, connectionIds: readonly string[], listing: BucketListing) {
    this.#queries = queries;
    this.#ids = new Set(connectionIds);
    this.#listing = listing;
  }

  /** Returns the known lists and failures. A connection without a state has not been listed yet. */
  readonly states = (): ReadonlyMap<string, BucketsState> => {
    // Without a subscription, the cache may have changed unnoticed since the last use.
    if (this.#snapshot === null && this.#requests === null) this.#read();
    return (this.#snapshot ??= new Map(this.#known));
  };

  /** Calls the listener after each change of a state. Requests lists while there is a listener. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#requests === null) this.#start();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  };

  #start(): void {
    const { queryOf, staleMs, allKey } = this.#listing;
    const cache = this.#queries.getQueryCache();
    const requests = new BucketRequests(this.#queries, queryOf);
    this.#requests = requests;
    const fresh = new Set<string | null>();
    for (const query of this.#cached()) if (!query.isStaleByTime(staleMs)) fresh.add(connectionIdOf(query));
    requests.add([...this.#ids].filter((id) => !fresh.has(id)));
    this.#read();
    this.#unsubscribe = cache.subscribe((event) => {
      const { query } = event;
      if (event.type !== 'updated' || !isOperation(query.queryKey, allKey)) return;
      const id = connectionIdOf(query);
      // A query that was removed from the cache loses its data. Its list stays known until the last listener is gone.
      if (id === null || !this.#ids.has(id) || cache.get(query.queryHash) !== query) return;
      if (event.action.type === 'invalidate' ? isResting(query) : isUnlisted(query)) requests.add([id]);
      this.#take(query);
      this.#snapshot = null;
      for (const notify of this.#listeners) notify();
    });
  }

  #stop(): void {
    this.#unsubscribe();
    this.#requests?.cancel();
    this.#requests = null;
    this.#snapshot = null;
    this.#known.clear();
  }

  #read(): void {
    this.#known.clear();
    this.#snapshot = null;
    for (const query of this.#cached()) this.#take(query);
  }

  #take(query: Query): void {
    const id = connectionIdOf(query);
    if (id === null) return;
    const { error, fetchStatus } = query.state;
    // A failed list is requested again on each use. It counts as loading before its request is sent.
    const isFetching = fetchStatus === 'fetching' || this.#requests?.isQueued(id) !== false;
    this.#known.set(
      id,
      bucketsStateOf({ data: query.state.data as BucketList | undefined, error, isFetching }),
    );
  }

  #cached(): readonly Query[] {
    const { allKey } = this.#listing;
    return this.#queries
      .getQueryCache()
      .findAll({ queryKey: allKey })
      .filter((query) => this.#ids.has(connectionIdOf(query) ?? ''));
  }
}

/** Requests lists in the order in which they were added, some at a time. */
class BucketRequests {
  readonly #queries: QueryClient;
  readonly #queryOf: BucketListing['queryOf'];
  readonly #queued = new Set<string>();
  readonly #inFlight = new Set<FetchQueryOptions<BucketList>>();

  constructor(queries: QueryClient, queryOf: BucketListing['queryOf']) {
    this.#queries = queries;
    this.#queryOf = queryOf;
  }

  isQueued(connectionId: string): boolean {
    return this.#queued.has(connectionId);
  }

  add(connectionIds: readonly string[]): void {
    for (const id of connectionIds) this.#queued.add(id);
    this.#fill();
  }

  /** Drops the queued requests, and aborts those in flight unless another part of the window needs the list. */
  cancel(): void {
    this.#queued.clear();
    for (const { queryKey } of this.#inFlight) {
      const query = this.#queries.getQueryCache().find({ queryKey, exact: true });
      if (query?.isActive() === false) void query.cancel({ revert: true, silent: true });
    }
  }

  #fill(): void {
    for (const id of this.#queued) {
      if (this.#inFlight.size >= maxListedAtOnce) return;
      this.#queued.delete(id);
      void this.#request(this.#queryOf(id));
    }
  }

  async #request(options: FetchQueryOptions<BucketList>): Promise<void> {
    this.#inFlight.add(options);
    try {
      await this.#queries.fetchQuery(options);
    } catch {
      // The query's state has the error.
    } finally {
      this.#inFlight.delete(options);
      this.#fill();
    }
  }
}

/** Returns true if no request is in flight, and no observer will send one. */
function isResting(query: Query): boolean {
  return query.state.fetchStatus === 'idle' && !query.isActive();
}

/** Returns true for a list that was reset, or whose request was cancelled. */
function isUnlisted(query: Query): boolean {
  return isResting(query) && query.state.data === undefined && query.state.error === null;
}

function isOperation(key: QueryKey, allKey: QueryKey): boolean {
  return JSON.stringify(key[0]) === JSON.stringify(allKey[0]);
}

/** Returns the connection in the input of a query. */
function connectionIdOf({ queryKey }: Query): string | null {
  const options = queryKey[1] as { readonly input?: { readonly connectionId?: unknown } } | undefined;
  const id = options?.input?.connectionId;
  return typeof id === 'string' ? id : null;
}

export type BucketResult = Pick<UseQueryResult<BucketList>, 'data' | 'error' | 'isFetching'>;

/** Returns the state of a bucket list from the state of its query. */
export function bucketsStateOf({ data, error, isFetching }: BucketResult): BucketsState {
  if (data !== undefined) return { kind: 'known', buckets: data.buckets, error: data.error };
  if (error !== null && !isFetching) return { kind: 'failed', error: appErrorOf(error) };
  return { kind: 'loading' };
}
