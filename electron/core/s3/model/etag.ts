const usual = /^"[0-9a-f]{32}(?:-\d+)?"$/;

/** Returns an ETag without quotes, for comparisons only. Requests send the service's value unchanged. */
export function bareEtag(etag: string): string {
  // The form that nearly every service sends.
  if (usual.test(etag)) return etag.slice(1, -1);
  return etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').toLowerCase();
}

/** Returns the ETag of a response; null if it is missing or empty: `""` or `W/""`. */
export function etagIn(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value.length <= shortestNamed && bareEtag(value) === '' ? null : value;
}

/** `W/""` with some white space; longer ETags are never empty. */
const shortestNamed = 8;

/** Compares two ETags weakly. `unknown`: one of them is empty or missing. */
export function compareEtags(left: string | null, right: string | null): 'same' | 'different' | 'unknown' {
  if (etagIn(left) === null || etagIn(right) === null) return 'unknown';
  return sameEtag(left, right) ? 'same' : 'different';
}

/** Compares weakly: a proxy may have weakened one of the two (RFC 9110, 8.8.3.2). */
export function sameEtag(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return false;
  const bare = bareEtag(left);
  return bare !== '' && bare === bareEtag(right);
}

/** Returns an ETag usable in If-Match; null if it is missing or weak, since a weak one never matches (RFC 9110, 13.1.1). */
export function strongEtag(etag: string | null): string | null {
  return etagIn(etag) === null || etag?.trim().startsWith('W/') === true ? null : etag;
}
