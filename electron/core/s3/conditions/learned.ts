import type { S3Client } from '../model/s3-client.ts';

/** Facts about a bucket, learned from responses. They are forgotten with the client. */
export type Learned =
  /** The service responds to a range request with the whole object, so each range would download all of it. */
  | 'ignores-ranges'
  /** The ETag of a multipart object is the MD5 of the parts' MD5s. */
  | 'etags-by-parts'
  /** The ETag of a multipart object is computed in an unknown way, so it cannot verify content. */
  | 'etags-of-its-own'
  /** A write returned the MD5 of the sent content as the ETag. */
  | 'etags-are-md5'
  /** An ETag that looked like an MD5 was not the MD5 of the object, although the object's content was right. */
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
