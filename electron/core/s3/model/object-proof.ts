import { type Difference, failure, type AppError, type AppFailure } from '../../../../shared/errors.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import { etagHidesMd5, md5InEtag, sameEtag, compareEtags, strongEtag } from './etag.ts';
import type { ErrorReason } from '../../../../shared/error-reasons.ts';

/** The state of an object at some time, from HEAD or a listing. */
export interface SeenObject {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** The version id; null if none was named. */
  readonly versionId: string | null;
  /** True for a listed object. Listings contain no version id, but more precise times than headers. */
  readonly isListed?: boolean | undefined;
}

/** Returns true if the object is still the same, so no other object was written. */
export function isUnchanged(before: SeenObject, now: SeenObject): boolean {
  if (before.sizeBytes !== now.sizeBytes) return false;
  const isByList = (before.isListed ?? false) || (now.isListed ?? false);
  if (!isByList && before.versionId !== now.versionId) return false;
  if (!isSameTime(before.lastModified, now.lastModified)) return false;
  return compareEtags(before.etag, now.etag) !== 'different';
}

/** The object that a GET must return. Properties that are null are unknown. */
export interface RequestedObject {
  readonly sizeBytes: number | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/**
 * Returns true if a GET response is for the requested object. Equal strong ETags are enough. Otherwise length and time must
 * match too, as far as they are known.
 */
export function isResponseOf(requested: RequestedObject, reply: RequestedObject): boolean {
  if (compareEtags(requested.etag, reply.etag) === 'different') return false;
  const isProved = strongEtag(requested.etag) !== null && strongEtag(reply.etag) !== null;
  if (isProved) return true;
  if (requested.sizeBytes !== null && reply.sizeBytes !== null && requested.sizeBytes !== reply.sizeBytes)
    return false;
  if (requested.lastModified === null || reply.lastModified === null) return true;
  return isSameTime(requested.lastModified, reply.lastModified);
}

/**
 * Returns true if two times are equal at their lower precision. Headers have whole seconds (RFC 9110, 5.6.7), many listings
 * milliseconds.
 */
function isSameTime(left: string | null, right: string | null): boolean {
  if (left === right) return true;
  if (left === null || right === null) return false;
  const [leftMs, rightMs] = [Date.parse(left), Date.parse(right)];
  const isWhole = leftMs % 1000 === 0 || rightMs % 1000 === 0;
  return isWhole && Math.floor(leftMs / 1000) === Math.floor(rightMs / 1000);
}

/** The content that a write should store: read locally, or described at the source of a copy. */
export interface SentBytes {
  readonly sizeBytes: number;
  /** Hex; null if unknown. */
  readonly md5: string | null;
  /** The ETag of the source, if the write is a copy. */
  readonly etag?: string | null;
  /** The checksums of the whole content, in Base64. */
  readonly checksums?: PartChecksums;
  /** True if the response may just repeat the request's checksums (`ChecksumMemory.mayEcho`). */
  readonly mayBeEchoed?: boolean;
}

/**
 * The content as the service reports it, in the response to a write or for a stored object or part. An absent property is
 * unknown.
 */
export interface StoredBytes {
  readonly sizeBytes?: number | null;
  readonly etag: string | null;
  /** The checksums of the whole content, in Base64. A checksum computed from those of the parts verifies nothing. */
  readonly checksums?: PartChecksums;
  /** True if the ETag is not an MD5, even if it looks like one (SSE-KMS, SSE-C). */
  readonly etagHidesMd5?: boolean;
}

export type WriteProof =
  | { readonly kind: 'proved'; readonly by: 'checksum' | 'etag' | 'reading' }
  /** The response does not prove the content. `by` is `size` if at least the size matches. */
  | { readonly kind: 'unproved'; readonly by: 'size' | null }
  | { readonly kind: 'damaged'; readonly difference: Difference };

const algorithms = ['crc64nvme', 'crc32c', 'crc32', 'sha256', 'sha1'] as const;

/**
 * Decides whether the service stored the sent content. A different length or checksum means damage. So does an ETag that is a
 * different MD5, unless `etagHidesMd5`. A missing ETag, or one of another form, proves nothing. See docs/what-proves-a-write.md.
 */
export function proofOfWrite(sent: SentBytes, stored: StoredBytes): WriteProof {
  const { sizeBytes = null, checksums = {} } = stored;
  if (sizeBytes !== null && sizeBytes !== sent.sizeBytes)
    return damage('length', String(sent.sizeBytes), String(sizeBytes));
  const md5 = stored.etag === null || stored.etagHidesMd5 === true ? null : md5InEtag(stored.etag);
  const isOtherMd5 = md5 !== null && sent.md5 !== null && md5 !== sent.md5;
  for (const algorithm of algorithms) {
    const [expected, got] = [sent.checksums?.[algorithm], checksums[algorithm]];
    if (expected === undefined || got === undefined || isOfParts(got)) continue;
    if (expected !== got) return damage('checksum', expected, got);
    // A checksum computed by the service is a proof, even if the ETag looks like a different MD5.
    if (!(isOtherMd5 && sent.mayBeEchoed === true)) return { kind: 'proved', by: 'checksum' };
  }
  if (sameEtag(sent.etag ?? null, stored.etag)) return { kind: 'proved', by: 'etag' };
  if (md5 === null || sent.md5 === null) return { kind: 'unproved', by: sizeBytes === null ? null : 'size' };
  return md5 === sent.md5 ? { kind: 'proved', by: 'etag' } : damage('md5', sent.md5, md5);
}

/** Returns the properties of an object as the source or the result of a copy. */
export function describedBytes(object: {
  readonly sizeBytes: number;
  readonly etag: string | null;
  readonly headers: Readonly<Record<string, string>>;
}): SentBytes & StoredBytes {
  const { sizeBytes, etag, headers } = object;
  const isHidden = etagHidesMd5(headers);
  const md5 = etag === null || isHidden ? null : md5InEtag(etag);
  return { sizeBytes, etag, md5, etagHidesMd5: isHidden, checksums: wholeChecksums(headers) };
}

function wholeChecksums(headers: Readonly<Record<string, string>>): PartChecksums {
  if (headers['x-amz-checksum-type'] === 'COMPOSITE') return {};
  const found: { -readonly [Name in keyof PartChecksums]: string } = {};
  for (const algorithm of algorithms) {
    const value = headers[`x-amz-checksum-${algorithm}`];
    if (value !== undefined && !isOfParts(value)) found[algorithm] = value;
  }
  return found;
}

/** Returns true for a checksum computed from those of the parts. It ends with the number of parts. */
function isOfParts(checksum: string): boolean {
  return !/^[A-Za-z0-9+/]+={0,2}$/.test(checksum);
}

function damage(proof: Difference['what'], expected: string, got: string): WriteProof {
  return { kind: 'damaged', difference: { what: proof, expected, got } };
}

/** Returns the error for a body that does not match the announced length, ETag or checksum. The caller counts the retries. */
export function damageFailure(difference: Difference): AppFailure {
  const { what: proof, expected, got } = difference;
  return failure(
    'damaged',
    `The ${names[proof]} of the received data differs: expected ${expected}, got ${got}.`,
    { reason: `${proof}-differs`, retry: 'backoff', difference },
  );
}

/** Returns the error for a part that the service stored with other content than was sent. The part is sent again. */
export function partDamaged(difference: Difference): AppFailure {
  return otherBytes(difference, { reason: 'content-damaged', retry: 'backoff' });
}

/** Returns the error for a write whose stored content is not what was sent. */
export function storedDamaged(difference: Difference): AppFailure {
  return otherBytes(difference, { reason: 'stored-damaged', retry: 'after-fix' });
}

function otherBytes(
  difference: Difference,
  next: { readonly reason: ErrorReason; readonly retry: AppError['retry'] },
): AppFailure {
  const { what: proof, expected, got } = difference;
  return failure(
    'damaged',
    `The service stored other bytes: ${proof} ${expected} was sent, ${got} is stored.`,
    { ...next, difference },
  );
}

export function lengthDiffers(expectedBytes: number, actualBytes: number): AppFailure {
  return damageFailure({ what: 'length', expected: String(expectedBytes), got: String(actualBytes) });
}

const names: Readonly<Record<Difference['what'], string>> = {
  length: 'length in bytes',
  md5: 'MD5',
  etag: 'ETag',
  checksum: 'checksum',
};
