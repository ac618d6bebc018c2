import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import {
  type FoundThumbnail,
  type ThumbnailObject,
  type ThumbnailUse,
  thumbnailVersion,
} from '../../../shared/models/thumbnails.ts';
import type { Tickets } from '../bytes/tickets.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import { absentAsNull, writeFileAtomically } from '../store/safe-files.ts';
import { makePrivateFolder } from '../store/private-file.ts';

const mark = Buffer.from(`cooper-thumbnail-${String(thumbnailVersion)}\n`);
/** Matches the version mark at the start of a file, for any version. The file is read as Latin-1. */
const anyMark = /^cooper-thumbnail-\d+\n/;
const sha256Bytes = 32;

/** Returns the content preceded by the version mark and its SHA-256. */
function seal(content: Uint8Array): Uint8Array {
  return Buffer.concat([mark, sha256Of(content), content]);
}

/** Returns the content after checking its SHA-256. A changed file is `damaged`; one with another version's mark is `outdated`. */
function unseal(file: Uint8Array): Uint8Array | 'damaged' | 'outdated' {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const start = mark.length + sha256Bytes;
  if (!bytes.subarray(0, mark.length).equals(mark))
    return anyMark.test(bytes.toString('latin1', 0, 40)) ? 'outdated' : 'damaged';
  const content = bytes.subarray(start);
  return sha256Of(content).equals(bytes.subarray(mark.length, start)) ? content : 'damaged';
}

function sha256Of(content: Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}

/**
 * A cache of small files by name, limited in bytes. An unreadable file counts as a miss and is removed, because it can be
 * recreated.
 */
interface ThumbnailCache {
  /** Returns null on a miss, and if the file is damaged or of another version. */
  get(name: string): Promise<Uint8Array | null>;
  put(name: string, content: Uint8Array): Promise<void>;
  /** Returns the size of the cache after trimming it to the limit. */
  use(): Promise<CacheUse>;
  clear(): Promise<void>;
  /** Removes the entries whose names start with the prefix. */
  removeAll(prefix: string): Promise<void>;
}

interface CacheUse {
  readonly count: number;
  readonly sizeBytes: number;
}

interface ThumbnailCacheDeps {
  readonly dir: string;
  /** Returns the limit in bytes; 0 disables the cache. */
  readonly limitBytes: () => number;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Pick<Random, 'id'>;
  readonly logger: Pick<Logger, 'warn'>;
}

const fileExtension = '.thumb';
/** Matches valid names. Others are refused, because a name becomes part of a path. */
const nameForm = /^[0-9a-f-]{8,120}$/;
/** The minimum interval in ms between updates of a file's last use on disk. */
const minTouchIntervalMs = 3_600_000;

interface Entry {
  readonly sizeBytes: number;
  readonly usedMs: number;
}

export function createThumbnailCache(deps: ThumbnailCacheDeps): ThumbnailCache {
  const { dir, clock, random, logger } = deps;
  // The entries in the order of their last use.
  const entries = new Map<string, Entry>();
  let sizeBytes = 0;
  let loading: Promise<void> | null = null;

  const fileOf = (name: string): string => {
    if (!nameForm.test(name)) throw new Error(`"${name}" is not the name of a thumbnail.`);
    return path.join(dir, name.slice(-2), name + fileExtension);
  };
  const forget = (name: string): void => {
    sizeBytes -= entries.get(name)?.sizeBytes ?? 0;
    entries.delete(name);
  };
  const enter = (name: string, entry: Entry): void => {
    forget(name);
    entries.set(name, entry);
    sizeBytes += entry.sizeBytes;
  };
  const remove = async (name: string): Promise<void> => {
    forget(name);
    await rm(fileOf(name), { force: true });
  };
  const trim = async (): Promise<void> => {
    const limit = deps.limitBytes();
    for (const name of entries.keys()) {
      if (sizeBytes <= limit) return;
      await remove(name);
    }
  };
  const load = async (): Promise<void> => {
    const found: (Entry & { readonly name: string })[] = [];
    for (const file of await filesBelow(dir)) {
      const name = path.basename(file, fileExtension);
      // An interrupted write left this file.
      if (!file.endsWith(fileExtension) || !nameForm.test(name)) {
        await rm(file, { force: true });
        continue;
      }
      const stats = await absentAsNull(stat(file));
      if (stats !== null) found.push({ name, sizeBytes: stats.size, usedMs: stats.mtimeMs });
    }
    for (const { name, ...entry } of found.toSorted((a, b) => a.usedMs - b.usedMs)) enter(name, entry);
    await trim();
  };
  const ensureLoaded = async (): Promise<void> => {
    loading ??= load().catch((thrown: unknown) => {
      loading = null;
      throw thrown;
    });
    await loading;
  };
  const touch = async (name: string, { sizeBytes: size, usedMs }: Entry): Promise<void> => {
    const nowMs = clock.nowMs();
    const isDue = nowMs - usedMs >= minTouchIntervalMs;
    enter(name, { sizeBytes: size, usedMs: isDue ? nowMs : usedMs });
    if (isDue) await absentAsNull(utimes(fileOf(name), nowMs / 1000, nowMs / 1000));
  };

  return {
    get: async (name) => {
      await ensureLoaded();
      const entry = entries.get(name);
      if (entry === undefined) return null;
      const file = await absentAsNull(readFile(fileOf(name)));
      const content = file === null ? null : unseal(file);
      if (!(content instanceof Uint8Array)) {
        if (content === 'damaged')
          logger.warn('A cached thumbnail was damaged and will be rebuilt.', { name });
        await remove(name);
        return null;
      }
      await touch(name, entry);
      return content;
    },
    put: async (name, content) => {
      await ensureLoaded();
      const file = fileOf(name);
      const whole = seal(content);
      if (whole.length > deps.limitBytes()) return;
      makePrivateFolder(path.dirname(file));
      await writeFileAtomically(file, whole, { suffix: random.id(), isReplaceable: true });
      enter(name, { sizeBytes: whole.length, usedMs: clock.nowMs() });
      await trim();
    },
    use: async () => {
      await ensureLoaded();
      await trim();
      return { count: entries.size, sizeBytes };
    },
    clear: async () => {
      await ensureLoaded();
      for (const name of entries.keys()) await remove(name);
    },
    removeAll: async (prefix) => {
      await ensureLoaded();
      for (const name of entries.keys()) if (name.startsWith(prefix)) await remove(name);
    },
  };
}

/** Returns all files below a folder. */
async function filesBelow(dir: string): Promise<readonly string[]> {
  const inside = await absentAsNull(readdir(dir, { withFileTypes: true, recursive: true }));
  return (inside ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

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
      const cachedContent = name === null || !(await mayKeep(object)) ? null : await cache.get(name);
      if (cachedContent !== null)
        return { kind: 'kept', contentBase64: Buffer.from(cachedContent).toString('base64') };
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
