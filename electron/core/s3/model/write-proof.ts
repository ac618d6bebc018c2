import type { Difference } from '../../../../shared/errors.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import { etagHidesMd5 } from './encrypted-etag.ts';
import { md5InEtag, sameEtag } from './multipart-etag.ts';

/** The bytes of a write, as read locally or as described at the source of a copy. */
export interface SentBytes {
  readonly sizeBytes: number;
  /** Hex; null if unknown. */
  readonly md5: string | null;
  /** For a copy: the ETag of its source. */
  readonly etag?: string | null;
  /** Base64, over all bytes. */
  readonly checksums?: PartChecksums;
  /** True if the response may merely repeat the checksums of the request (`ChecksumMemory.mayEcho`). */
  readonly mayBeEchoed?: boolean;
}

/**
 * The stored bytes as the response to a write, or the description of an object or a part, reports them. Absent fields are
 * unknown.
 */
export interface StoredBytes {
  readonly sizeBytes?: number | null;
  readonly etag: string | null;
  /** Base64, over all bytes; a value built from the checksums of parts proves nothing. */
  readonly checksums?: PartChecksums;
  /** True if the ETag is no MD5, even if it looks like one (SSE-KMS, SSE-C). */
  readonly etagHidesMd5?: boolean;
}

export type WriteProof =
  | { readonly kind: 'proved'; readonly by: 'checksum' | 'etag' | 'reading' }
  /** The response proves nothing about the bytes; `by`: only the size matches, or nothing. */
  | { readonly kind: 'unproved'; readonly by: 'size' | null }
  | { readonly kind: 'damaged'; readonly difference: Difference };

const algorithms = ['crc64nvme', 'crc32c', 'crc32', 'sha256', 'sha1'] as const;

/**
 * Decides what a write proved. A different length or checksum is damage. So is an ETag that is a different MD5, unless it hides
 * the MD5. An ETag of another form, or none, proves nothing. docs/what-proves-a-write.md.
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
    // A computed checksum decides even if the ETag only looks like an MD5.
    if (!(isOtherMd5 && sent.mayBeEchoed === true)) return { kind: 'proved', by: 'checksum' };
  }
  if (sameEtag(sent.etag ?? null, stored.etag)) return { kind: 'proved', by: 'etag' };
  if (md5 === null || sent.md5 === null) return { kind: 'unproved', by: sizeBytes === null ? null : 'size' };
  return md5 === sent.md5 ? { kind: 'proved', by: 'etag' } : damage('md5', sent.md5, md5);
}

/** Describes an object as the source or the result of a copy. */
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

/** Returns true for a checksum of checksums, which ends with the number of parts. */
function isOfParts(checksum: string): boolean {
  return !/^[A-Za-z0-9+/]+={0,2}$/.test(checksum);
}

function damage(proof: Difference['what'], expected: string, got: string): WriteProof {
  return { kind: 'damaged', difference: { what: proof, expected, got } };
}
