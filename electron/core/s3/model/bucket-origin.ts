/** Identifies the source of a bucket's cache. A bucket of the same name at another service or account has another origin. */
export interface BucketOrigin {
  /** The endpoint, or a fixed name for one whose port changes at each start. */
  readonly endpoint: string;
  readonly account: string;
  /** When the bucket was created, as the service lists it; null if unknown. */
  readonly createdAt: string | null;
}

/**
 * Returns true if both are the same bucket. Two access keys may belong to one account, so the creation times decide if both are
 * known; otherwise the account does.
 */
export function isSameOrigin(origin: BucketOrigin, other: BucketOrigin): boolean {
  if (origin.endpoint !== other.endpoint) return false;
  const areDated = origin.createdAt !== null && other.createdAt !== null;
  return areDated ? origin.createdAt === other.createdAt : origin.account === other.account;
}

export function printOrigin({ endpoint, account, createdAt }: BucketOrigin): string {
  return JSON.stringify([endpoint, account, createdAt]);
}

/** Parses a printed origin; null for an empty text, as in caches of earlier versions. */
export function parseBucketOrigin(text: string): BucketOrigin | null {
  if (text === '') return null;
  const [endpoint, account, createdAt] = JSON.parse(text) as readonly [string, string, string | null];
  return { endpoint, account, createdAt };
}
