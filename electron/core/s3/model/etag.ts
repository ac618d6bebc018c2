const usual = /^"[0-9a-f]{32}(?:-\d+)?"$/;

/** An ETag without its quotes, for comparing; what goes back to the service is always its own value. */
export function bareEtag(etag: string): string {
  // As nearly every service writes them.
  if (usual.test(etag)) return etag.slice(1, -1);
  return etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').toLowerCase();
}

/** Weak comparison: a proxy may have weakened one of the two on its way (RFC 9110, 8.8.3.2). */
export function sameEtag(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return false;
  const bare = bareEtag(left);
  return bare !== '' && bare === bareEtag(right);
}

/** The ETag that an If-Match can name; null: there is none, or a weak one, which never matches (RFC 9110, 13.1.1). */
export function strongEtag(etag: string | null): string | null {
  return etag === null || etag.trim().startsWith('W/') ? null : etag;
}
