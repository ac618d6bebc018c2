import type { DatabaseSync } from 'node:sqlite';
import { failure } from '../../../shared/errors.ts';
import type { EventHub } from '../settings/events.ts';

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
