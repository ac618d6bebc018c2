import { createHash } from 'node:crypto';
import { bareEtag, sameEtag } from './etag.ts';

export { bareEtag, sameEtag };

/** Returns the MD5 that an ETag may be, in lower-case hex; null if it cannot be one. */
export function md5InEtag(etag: string): string | null {
  const bare = bareEtag(etag);
  return /^[0-9a-f]{32}$/.test(bare) ? bare : null;
}

/**
 * Returns the ETag of an object uploaded in parts: the MD5 of the parts' binary MD5s, followed by `-` and their number (E of
 * docs/cases.md). Null if the MD5 of a part is unknown.
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
