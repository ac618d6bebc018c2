import { toAppError, type AppError } from '../../../shared/errors.ts';
import type { BucketItem, BucketList } from '../../../shared/models/objects.ts';
import type { Bucket } from '../s3/model/listing-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';

/** Lists the service's buckets and the typed ones. If listing is refused, the typed ones remain. */
export async function listBuckets(
  client: () => Promise<S3Client>,
  typed: readonly string[],
  signal: AbortSignal | undefined,
): Promise<BucketList> {
  try {
    const listed = await (await client()).listBuckets(signal === undefined ? undefined : { signal });
    return { buckets: mergeBuckets(listed, typed), error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!isAnswer(error)) throw thrown;
    return { buckets: mergeBuckets([], typed), error };
  }
}

/**
 * Returns true if the window shows the error next to the typed buckets. Programming errors and cancelled calls are
 * thrown.
 */
function isAnswer(error: AppError): boolean {
  return error.code !== 'cancelled' && error.code !== 'internal' && error.reason !== 'no-such-connection';
}

/** The listed ones in the service's order, then the typed ones that it did not list. */
export function mergeBuckets(listed: readonly Bucket[], typed: readonly string[]): BucketItem[] {
  const names = new Set(listed.map(({ name }) => name));
  return [
    ...listed.map(({ name, createdAt, region }) => ({ name, createdAt, region, source: 'listed' as const })),
    ...typed
      .filter((name) => !names.has(name))
      .map((name) => ({ name, createdAt: null, region: null, source: 'typed' as const })),
  ];
}
