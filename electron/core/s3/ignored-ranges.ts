import type { S3Client } from './types.ts';

/** Buckets whose service has answered a range with the whole object: ranges would fetch it again and again. */
const withoutRanges = new WeakMap<S3Client, Set<string>>();

export function ignoresRanges(client: S3Client, bucket: string): boolean {
  return withoutRanges.get(client)?.has(bucket) === true;
}

export function learnRangesIgnored(client: S3Client, bucket: string): void {
  const known = withoutRanges.get(client) ?? new Set();
  known.add(bucket);
  withoutRanges.set(client, known);
}
