import type { S3Client } from '../model/s3-client.ts';

/** The facts about a bucket that its service's responses showed. They are kept as long as the client. */
export type Learned =
  /** The service responds to a range request with the whole object, so each range would transfer all of it. */
  | 'ignores-ranges'
  /** The ETag of an object uploaded in parts is the MD5 of the parts' MD5s. */
  | 'etags-by-parts'
  /** The ETag of an object uploaded in parts is computed in an unknown way, so it proves nothing. */
  | 'etags-of-its-own'
  /** A write returned the MD5 of the sent content as the ETag. */
  | 'etags-are-md5'
  /** An ETag looked like an MD5 but was another value, although reading the object showed the right content. */
  | 'etags-are-no-md5';

const facts = new WeakMap<S3Client, Map<string, Set<Learned>>>();

export function hasLearned(client: S3Client, bucket: string, fact: Learned): boolean {
  return facts.get(client)?.get(bucket)?.has(fact) === true;
}

export function learn(client: S3Client, bucket: string, fact: Learned): void {
  const buckets = facts.get(client) ?? new Map<string, Set<Learned>>();
  facts.set(client, buckets);
  const known = buckets.get(bucket) ?? new Set();
  buckets.set(bucket, known.add(fact));
}
