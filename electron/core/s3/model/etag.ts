const usual = /^"[0-9a-f]{32}(?:-\d+)?"$/;

/** Returns an ETag in lower case, without quotes and `W/`. Only for comparisons; requests send the ETag as received. */
export function bareEtag(etag: string): string {
  // A fast path for the form that nearly all services send.
  if (usual.test(etag)) return etag.slice(1, -1);
  return etag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').toLowerCase();
}

/** Returns the ETag from a response; null if it is missing or empty (`""` or `W/""`). */
export function etagIn(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value.length <= shortestNamed && bareEtag(value) === '' ? null : value;
}

/** The length of `W/""` with some white space. A longer ETag cannot be empty. */
const shortestNamed = 8;

/** Compares two ETags weakly. Returns `unknown` if one of them is empty or missing. */
export function compareEtags(left: string | null, right: string | null): 'same' | 'different' | 'unknown' {
  if (etagIn(left) === null || etagIn(right) === null) return 'unknown';
  return sameEtag(left, right) ? 'same' : 'different';
}

/** Returns true if two ETags are equal. Ignores `W/`, because a proxy may have added it to one of them (RFC 9110, 8.8.3.2). */
export function sameEtag(left: string | null, right: string | null): boolean {
  if (left === null || right === null) return false;
  const bare = bareEtag(left);
  return bare !== '' && bare === bareEtag(right);
}

/** Returns an ETag that If-Match can carry; null if it is missing or weak. A weak ETag never matches (RFC 9110, 13.1.1). */
export function strongEtag(etag: string | null): string | null {
  return etagIn(etag) === null || etag?.trim().startsWith('W/') === true ? null : etag;
}
