import { createHash } from 'node:crypto';

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

/**
 * Returns true if the headers are those of an object encrypted with KMS or a customer's key. Its ETag looks like an MD5 but is
 * not one (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html,
 * https://cloud.google.com/storage/docs/hashes-etags#etags).
 */
export function etagHidesMd5(headers: Readonly<Record<string, string>>): boolean {
  return (
    (headers['x-amz-server-side-encryption'] ?? '').startsWith('aws:kms') ||
    headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined ||
    headers['x-goog-encryption-kms-key-name'] !== undefined ||
    headers['x-goog-encryption-algorithm'] !== undefined
  );
}
