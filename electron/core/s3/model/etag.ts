const usual = /^"[0-9a-f]{32}(?:-\d+)?"$/;

/** An ETag without its quotes, for comparing; what goes back to the service is always its own value. */
export function bareEtag(etag: string): string {
  // As nearly every service writes them.
  if (usual.test(etag)) return etag.slice(1, -1);
  return etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').toLowerCase();
}

/** Reads an ETag from an answer. Null for one that names nothing: none, an empty one, `""` or `W/""`. */
export function etagIn(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value.length <= shortestNamed && bareEtag(value) === '' ? null : value;
}

/** `W/""` with some white space; longer ones always name something. */
const shortestNamed = 8;

/** Compares two ETags weakly. `unknown`: one of them names nothing, so they can neither agree nor differ. */
export function compareEtags(left: string | null, right: string | null): 'same' | 'different' | 'unknown' {
  if (etagIn(left) === null || etagIn(right) === null) return 'unknown';
  return sameEtag(left, right) ? 'same' : 'different';
}

/** Weak comparison: a proxy may have weakened one of the two on its way (RFC 9110, 8.8.3.2). */
export function sameEtag(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return false;
  const bare = bareEtag(left);
  return bare !== '' && bare === bareEtag(right);
}

/** The ETag that an If-Match can name; null: there is none, or a weak one, which never matches (RFC 9110, 13.1.1). */
export function strongEtag(etag: string | null): string | null {
  return etagIn(etag) === null || etag?.trim().startsWith('W/') === true ? null : etag;
}
