import type { CoreClient } from '../../../shared/contract/index.ts';

/** A connection and the names of the buckets it lists; null where its list could not be read. */
export interface ListedBuckets {
  readonly connectionId: string;
  readonly buckets: readonly string[] | null;
}

export type BucketOwner =
  | { readonly kind: 'one'; readonly connectionId: string }
  /** Several have it, or none lists it: the person knows. `having` first. */
  | { readonly kind: 'ask'; readonly having: readonly string[] };

/**
 * Returns the connection to use for a typed address without one. Credentials may allow access to a bucket that no connection
 * lists.
 */
export function ownerOf(bucket: string, lists: readonly ListedBuckets[]): BucketOwner {
  const having = lists
    .filter(({ buckets }) => buckets?.includes(bucket) === true)
    .map(({ connectionId }) => connectionId);
  const [only, ...others] = having.length > 0 ? having : lists.map(({ connectionId }) => connectionId);
  return only !== undefined && others.length === 0
    ? { kind: 'one', connectionId: only }
    : { kind: 'ask', having };
}

/** For so long a connection that does not answer holds up the answer of the others. */
const patienceMs = 5000;

/** The buckets of every connection, requested together. */
export async function listAllBuckets(core: CoreClient): Promise<readonly ListedBuckets[]> {
  const connections = await core.connections.list();
  const signal = AbortSignal.timeout(patienceMs);
  return await Promise.all(
    connections.map(async ({ id: connectionId }): Promise<ListedBuckets> => {
      try {
        const { buckets, error } = await core.buckets.list({ connectionId }, { signal });
        const names = buckets.map(({ name }) => name);
        return { connectionId, buckets: error === null || names.length > 0 ? names : null };
      } catch {
        // The person may choose it all the same; its own page says what is wrong.
        return { connectionId, buckets: null };
      }
    }),
  );
}
