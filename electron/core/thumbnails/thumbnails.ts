import { createHash } from 'node:crypto';
import type { FoundThumbnail, ThumbnailObject, ThumbnailUse } from '../../../shared/models/thumbnails.ts';
import type { Tickets } from '../bytes/tickets.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import { createThumbnailCache } from './thumbnail-cache.ts';

export interface Thumbnails {
  /** Returns the cached thumbnail of exactly this object, or else a ticket for its content. Sends no request to the service. */
  find(object: ThumbnailObject): Promise<FoundThumbnail>;
  /** Stores a thumbnail that a window rendered, if it is allowed on disk. */
  keep(object: ThumbnailObject, content: Uint8Array): Promise<void>;
  use(): Promise<ThumbnailUse>;
  clear(): Promise<void>;
  /** Removes all thumbnails of a removed connection. */
  forget(connectionId: string): Promise<void>;
}

export interface ThumbnailsDeps {
  readonly dir: string;
  readonly tickets: Pick<Tickets, 'issue'>;
  readonly cacheBytes: () => number;
  /** Returns true if the bucket may contain objects encrypted with the user's keys (SSE-C). */
  readonly hasCustomerKeys: (connectionId: string, bucket: string) => Promise<boolean>;
  /** Returns the service and account of a connection. Thumbnails of another service or account are ignored. */
  readonly originOf: (connectionId: string) => Promise<string>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export function createThumbnails(deps: ThumbnailsDeps): Thumbnails {
  const cache = createThumbnailCache({ ...deps, limitBytes: deps.cacheBytes });
  // A user who encrypts with their own keys does not expect unencrypted thumbnails on disk.
  const mayKeep = async ({ connectionId, bucket }: ThumbnailObject): Promise<boolean> =>
    deps.cacheBytes() > 0 && !(await deps.hasCustomerKeys(connectionId, bucket));
  return {
    find: async (object) => {
      const name = nameOf(object, await deps.originOf(object.connectionId));
      const kept = name === null || !(await mayKeep(object)) ? null : await cache.get(name);
      if (kept !== null) return { kind: 'kept', contentBase64: Buffer.from(kept).toString('base64') };
      const { connectionId, bucket, key, etag, sizeBytes } = object;
      const path = deps.tickets.issue({
        ref: { connectionId, bucket, key },
        etag,
        sizeBytes,
        shownAs: 'application/octet-stream',
      });
      return { kind: 'object', path };
    },
    keep: async (object, content) => {
      const name = nameOf(object, await deps.originOf(object.connectionId));
      if (name !== null && (await mayKeep(object))) await cache.put(name, content);
    },
    use: async () => await cache.use(),
    clear: async () => await cache.clear(),
    forget: async (connectionId) => await cache.removeAll(connectionPrefix(connectionId)),
  };
}

/** Returns the cache name; null without an ETag, because a change of the object could not be noticed. */
function nameOf({ connectionId, bucket, key, etag }: ThumbnailObject, origin: string): string | null {
  if (etag === null) return null;
  // NUL is a safe separator: origins, bucket names and ETags cannot contain it, and the key comes last.
  return connectionPrefix(connectionId) + hashOf([origin, bucket, etag, key].join('\0')).slice(0, 48);
}

function connectionPrefix(connectionId: string): string {
  return `${hashOf(connectionId).slice(0, 16)}-`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
