import { createHash } from 'node:crypto';

export const md5Hex = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

/** Returns the ETag without its quotes. */
export const bare = (etag: string | null) => etag?.replaceAll('"', '') ?? null;

export const quoting = (etag: string | null) =>
  etag === null ? 'none' : etag === '' ? 'empty' : etag.startsWith('"') ? 'quoted' : 'bare';
