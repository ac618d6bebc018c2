import type { Difference } from '../../../../shared/errors.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import { etagHidesMd5, md5InEtag, sameEtag } from './etag.ts';

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
