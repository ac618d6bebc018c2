/**
 * Identifies a bucket for the data stored about it. A bucket of the same name on another service or account has another origin.
 */
export interface BucketOrigin {
  /** The endpoint, or a fixed name for a service whose port changes with each start. */
  readonly endpoint: string;
  readonly account: string;
  /** The creation time of the bucket from the service's list of buckets; null if unknown. */
  readonly createdAt: string | null;
}

/**
 * Returns true if both origins mean the same bucket. The creation times decide if both are known, because two access keys may
 * belong to one account. Otherwise the accounts decide.
 */
export function isSameOrigin(origin: BucketOrigin, other: BucketOrigin): boolean {
  if (origin.endpoint !== other.endpoint) return false;
  const areDated = origin.createdAt !== null && other.createdAt !== null;
  return areDated ? origin.createdAt === other.createdAt : origin.account === other.account;
}

export function printOrigin({ endpoint, account, createdAt }: BucketOrigin): string {
  return JSON.stringify([endpoint, account, createdAt]);
}

/** Parses an origin written by `printOrigin`; returns null for '', as stored by earlier versions. */
export function parseBucketOrigin(text: string): BucketOrigin | null {
  if (text === '') return null;
  const [endpoint, account, createdAt] = JSON.parse(text) as readonly [string, string, string | null];
  return { endpoint, account, createdAt };
}
