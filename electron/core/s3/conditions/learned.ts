import type { S3Client } from '../model/s3-client.ts';

/** Facts about a bucket learned from the service's answers, kept while the connection is in use. */
export type Learned =
  /** A range is answered with the whole object: ranges would fetch it again and again. */
  | 'ignores-ranges'
  /** The ETag of an object in parts is the MD5 of their MD5s. */
  | 'etags-by-parts'
  /** It is something else, and proves nothing. */
  | 'etags-of-its-own'
  /** A write was answered with the MD5 of what it sent. */
  | 'etags-are-md5'
  /** An ETag looked like an MD5 and differed, and the object was read back and is right. */
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
