import { readTyped } from '../path/read-typed.ts';
import { linkedObject } from '../path/open-object.ts';

/** A connection and the names of its listed buckets. */
export interface KnownBuckets {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly provider: string;
  readonly endpoint: string;
  readonly buckets: readonly string[];
}

/** A location to which a typed or pasted address refers. */
export interface TypedPlace {
  readonly connectionId: string;
  readonly connectionName: string;
  readonly bucket: string;
  readonly prefix: string;
  /** True for a web address, whose prefix may be the key of an object. */
  readonly isWeb: boolean;
}

/**
 * Returns the locations to which a text may refer: `s3://bucket/prefix`, `bucket/prefix`, or the web address of an object.
 * Returns one for each connection that lists the bucket, the current connection first. Otherwise uses the connections to the
 * service of a web address, or else the current connection.
 */
export function typedPlaces(
  text: string,
  known: readonly KnownBuckets[],
  currentId: string | null,
): readonly TypedPlace[] {
  const ordered = [...known].toSorted(
    (left, other) => Number(other.connectionId === currentId) - Number(left.connectionId === currentId),
  );
  const typed = readTyped(text);
  if (typed === null) return [];
  if (typed.kind === 'web') {
    const endpoints = ordered.map(({ connectionId, ...endpoint }) => ({ ...endpoint, id: connectionId }));
    const linked = linkedObject(typed.address, endpoints);
    if (linked === null) return [];
    const { bucket, key, connectionIds } = linked;
    const owners = ordered.filter(({ connectionId }) => connectionIds.includes(connectionId));
    const having = owners.filter(({ buckets }) => buckets.includes(bucket));
    return placesOf(having.length > 0 ? having : owners, bucket, key, true);
  }
  const { bucket, prefix } = typed.address;
  const hasScheme = /^\s*s3:\/\//iu.test(text);
  // A text without a slash is at most a bucket's name, for which the palette has bucket entries.
  if (!hasScheme && !text.trim().includes('/', 1)) return [];
  const having = ordered.filter(({ buckets }) => buckets.includes(bucket));
  const current = ordered.filter(({ connectionId }) => hasScheme && connectionId === currentId);
  return placesOf(having.length > 0 ? having : current, bucket, prefix, false);
}

function placesOf(
  owners: readonly KnownBuckets[],
  bucket: string,
  prefix: string,
  isWeb: boolean,
): readonly TypedPlace[] {
  return owners.map(({ connectionId, connectionName }) => ({
    connectionId,
    connectionName,
    bucket,
    prefix,
    isWeb,
  }));
}
