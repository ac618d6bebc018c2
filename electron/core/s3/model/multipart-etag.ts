import { createHash } from 'node:crypto';
import { bareEtag, sameEtag } from './etag.ts';

export { bareEtag, sameEtag };

/** Returns the MD5 that an ETag seems to be, in lower-case hex; null if it cannot be one. */
export function md5InEtag(etag: string): string | null {
  const bare = bareEtag(etag);
  return /^[0-9a-f]{32}$/.test(bare) ? bare : null;
}

/**
 * Returns the ETag of a multipart object, hex(md5(concatenated binary part MD5s))-N (E of docs/cases.md); null if a part has no
 * MD5.
 */
export function expectedEtag(partMd5s: readonly (string | null)[]): string | null {
  if (partMd5s.length === 0) return null;
  const hash = createHash('md5');
  for (const md5 of partMd5s) {
    if (md5 === null) return null;
    hash.update(md5, 'hex');
  }
  return `${hash.digest('hex')}-${partMd5s.length}`;
}
