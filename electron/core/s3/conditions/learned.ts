import type { S3Client } from '../model/s3-client.ts';

/** Facts about a bucket learned from the service's responses, kept while the connection is in use. */
export type Learned =
  /** A range request returns the whole object: each range would fetch all of it. */
  | 'ignores-ranges'
  /** The ETag of a multipart object is the MD5 of the parts' MD5s. */
  | 'etags-by-parts'
  /** Such an ETag is something else and proves nothing. */
  | 'etags-of-its-own'
  /** A write returned the MD5 of the bytes sent. */
  | 'etags-are-md5'
  /** An ETag looked like an MD5 and differed, but the object read back was right. */
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
