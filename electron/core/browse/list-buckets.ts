import type { DatabaseSync } from 'node:sqlite';
import { toAppError, type AppError, failure } from '../../../shared/errors.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import type { BucketItem, BucketList } from '../../../shared/models/objects.ts';
import type { Bucket } from '../s3/model/listing-types.ts';
import type { EventHub } from '../settings/events.ts';

/** The buckets that a connection has even if the service does not list them. */
export interface KnownBuckets {
  readonly typed: readonly string[];
  readonly start: StartPlace | null;
}

/** Lists the service's buckets and the known ones. If listing is refused, returns only the known ones. */
export async function listBuckets(
  list: () => Promise<readonly Bucket[]>,
  known: KnownBuckets,
): Promise<BucketList> {
  try {
    return { buckets: mergeBuckets(await list(), known), error: null };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (!isResponse(error)) throw thrown;
    return { buckets: mergeBuckets([], known), error };
  }
}

/** Returns true if the window shows the error beside the known buckets. Bugs and cancelled calls are thrown instead. */
function isResponse(error: AppError): boolean {
  return error.code !== 'cancelled' && error.code !== 'internal' && error.reason !== 'no-such-connection';
}

/** Returns the listed buckets in the service's order, then the known ones that it did not list. */
export function mergeBuckets(listed: readonly Bucket[], { typed, start }: KnownBuckets): BucketItem[] {
  const names = new Set(listed.map(({ name }) => name));
  const isTyped = new Set(typed);
  const unlisted = new Set(start === null ? typed : [start.bucket, ...typed]);
  return [
    ...listed.map(({ name, createdAt, region }): BucketItem => ({
      name,
      createdAt,
      region,
      source: 'listed',
      startPrefix: '',
    })),
    ...[...unlisted]
      .filter((name) => !names.has(name))
      .map((name): BucketItem => ({
        name,
        createdAt: null,
        region: null,
        source: isTyped.has(name) ? 'typed' : 'start',
        startPrefix: name === start?.bucket ? start.prefix : '',
      })),
  ];
}

/** Stores the bucket names that the user typed, for connections that may not list their buckets. */
export interface TypedBuckets {
  of(connectionId: string): readonly string[];
  remember(connectionId: string, bucket: string): void;
  forget(connectionId: string, bucket: string): void;
  forgetAll(connectionId: string): void;
}

export function createTypedBuckets(database: DatabaseSync, events: EventHub): TypedBuckets {
  const changed = (connectionId: string): void => events.emit({ kind: 'buckets-changed', connectionId });
  return {
    of: (connectionId) =>
      database
        .prepare('SELECT bucket FROM typed_buckets WHERE connection_id = ? ORDER BY bucket')
        .all(connectionId)
        .map((row) => String(row['bucket'])),
    remember: (connectionId, bucket) => {
      const name = bucket.trim();
      if (name === '' || name.length > 255 || /[/\\]/.test(name) || name === '.' || name === '..') {
        throw failure('invalid-argument', 'This cannot be the name of a bucket.', { reason: 'bucket-name' });
      }
      const { changes } = database
        .prepare('INSERT OR IGNORE INTO typed_buckets (connection_id, bucket) VALUES (?, ?)')
        .run(connectionId, name);
      if (changes > 0) changed(connectionId);
    },
    forget: (connectionId, bucket) => {
      const { changes } = database
        .prepare('DELETE FROM typed_buckets WHERE connection_id = ? AND bucket = ?')
        .run(connectionId, bucket);
      if (changes > 0) changed(connectionId);
    },
    forgetAll: (connectionId) => {
      database.prepare('DELETE FROM typed_buckets WHERE connection_id = ?').run(connectionId);
    },
  };
}
