import type { CoreClient } from '../../../shared/contract/index.ts';

/** A connection and the names of its listed buckets; null if they could not be listed. */
export interface ListedBuckets {
  readonly connectionId: string;
  readonly buckets: readonly string[] | null;
}

export type BucketOwner =
  | { readonly kind: 'one'; readonly connectionId: string }
  /** Several connections list the bucket, or none does: the user chooses. `having` come first. */
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

/** Longest wait for a connection that does not respond, in milliseconds. */
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
        // The user may choose it anyway; its own page reports the error.
        return { connectionId, buckets: null };
      }
    }),
  );
}
