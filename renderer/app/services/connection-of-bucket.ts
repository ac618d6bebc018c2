import type { CoreClient } from '../../../shared/contract/index.ts';

/** A connection and the names of its listed buckets, or null if they could not be listed. */
export interface ListedBuckets {
  readonly connectionId: string;
  readonly buckets: readonly string[] | null;
}

export type BucketOwner =
  | { readonly kind: 'one'; readonly connectionId: string }
  /** The user chooses, since several connections or none list the bucket. `having` are those that list it, and come first. */
  | { readonly kind: 'ask'; readonly having: readonly string[] };

/**
 * Returns the connection for a typed address without one. This is the only connection that lists the bucket or, since credentials
 * may permit access to an unlisted bucket, the only connection. Otherwise the user chooses.
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

/** Maximum wait in milliseconds for a connection that does not respond. */
const patienceMs = 5000;

/** Lists the buckets of all connections in parallel. */
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
        // The user may choose this connection nevertheless. Its page then reports the error.
        return { connectionId, buckets: null };
      }
    }),
  );
}
