import { createHash } from 'node:crypto';

const usual = /^"[0-9a-f]{32}(?:-\d+)?"$/;

/** An ETag without its quotes, for comparing; what goes back to the service is always its own value. */
export function bareEtag(etag: string): string {
  // As nearly every service writes them.
  if (usual.test(etag)) return etag.slice(1, -1);
  return etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').toLowerCase();
}

export function sameEtag(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return false;
  const bare = bareEtag(left);
  return bare !== '' && bare === bareEtag(right);
}

/** The MD5 that an ETag seems to be, in lower-case hex; null where it cannot be one. */
export function md5InEtag(etag: string): string | null {
  const bare = bareEtag(etag);
  return /^[0-9a-f]{32}$/.test(bare) ? bare : null;
}

/** E of docs/cases.md: hex(md5(concatenated binary part MD5s))-N; null where a part has no MD5. */
export function expectedEtag(partMd5s: readonly (string | null)[]): string | null {
  if (partMd5s.length === 0) return null;
  const hash = createHash('md5');
  for (const md5 of partMd5s) {
    if (md5 === null) return null;
    hash.update(md5, 'hex');
  }
  return `${hash.digest('hex')}-${partMd5s.length}`;
}
