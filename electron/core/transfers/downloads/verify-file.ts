import { hash } from 'node:crypto';
import path from 'node:path';
import { type Difference, failure } from '../../../../shared/errors.ts';
import { damageFailure } from '../../s3/model/object-proof.ts';
import { etagHidesMd5, bareEtag, expectedEtag, md5InEtag, sameEtag } from '../../s3/model/etag.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { checksumOf, type ChecksumAlgorithm } from '../../disk/checksums.ts';
import type { LocalSource } from '../../disk/fence.ts';
import type { Hasher } from '../../disk/hash-pool.ts';
import { slotsFor, partSizesOf } from '../items/part-size.ts';
import type { ReportedPartSizes } from './reported-part-sizes.ts';
import type { Comparison } from '../../../../shared/models/transfers.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { objectOf } from '../items/item-context.ts';
import { sourceOf, type TransferJob } from '../items/transfer-job.ts';
import type { Item } from '../items/transfer-item.ts';

/** The result of comparing content: true if it matches, null if it cannot be verified, otherwise the difference. */
export type FileVerdict = true | null | Difference;

/** Computes digests of received content on demand. */
export interface Digests {
  readonly etag: (etag: string) => Promise<FileVerdict> | FileVerdict;
  /** Returns the checksum in Base64. */
  readonly checksum: (algorithm: ChecksumAlgorithm) => Promise<string> | string;
}

const algorithms: readonly ChecksumAlgorithm[] = ['crc64nvme', 'crc32c', 'crc32', 'sha256', 'sha1'];

/**
 * Compares content with the digests that the service reports: the ETag or, if that cannot verify it, a checksum of the whole
 * object (https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html).
 */
export async function judgeFile(
  { etag, headers }: Pick<ObjectHead, 'etag' | 'headers'>,
  digests: Digests,
): Promise<FileVerdict> {
  const byEtag = etag === null || etagHidesMd5(headers) ? null : await digests.etag(etag);
  if (byEtag === true) return true;
  const named = checksumIn(headers);
  if (named === null) return byEtag;
  const computedChecksum = await digests.checksum(named.algorithm);
  if (computedChecksum === named.value) return true;
  return (
    byEtag ?? {
      what: 'checksum',
      expected: nameOf(named.algorithm, named.value),
      got: nameOf(named.algorithm, computedChecksum),
    }
  );
}

/**
 * Returns the checksum of the whole object; null if the headers have none. Ignores composite checksums, which are computed from
 * those of the parts.
 */
function checksumIn(
  headers: Readonly<Record<string, string>>,
): { readonly algorithm: ChecksumAlgorithm; readonly value: string } | null {
  if (headers['x-amz-checksum-type'] === 'COMPOSITE') return null;
  for (const algorithm of algorithms) {
    const value = headers[`x-amz-checksum-${algorithm}`];
    if (value !== undefined && /^[A-Za-z0-9+/]+={0,2}$/.test(value)) return { algorithm, value };
  }
  return null;
}

function nameOf(algorithm: ChecksumAlgorithm, value: string): string {
  return `${algorithm.toUpperCase()} ${value}`;
}

/** Returns the verdict if it is true or null. Throws `AppError('damaged')` if it is a difference. */
export function requireFit(verdict: FileVerdict): true | null {
  if (verdict === null || verdict === true) return verdict;
  throw damageFailure(verdict);
}

/** Compares an MD5 with an ETag. Returns null if the ETag is not an MD5. */
export function judgeMd5(etag: string, computed: () => string): FileVerdict {
  const expected = md5InEtag(etag);
  if (expected === null) return null;
  const computedMd5 = computed();
  return computedMd5 === expected ? true : { what: 'md5', expected, got: computedMd5 };
}

/** Returns the digests of content in memory. */
export function digestsOf(bytes: Uint8Array): Digests {
  return {
    etag: (etag) => judgeMd5(etag, () => hash('md5', bytes)),
    checksum: (algorithm) => checksumOf(algorithm, bytes),
  };
}

/** Returns the checksum of a whole file in Base64. */
export async function checksumOfFile(
  hasher: Hasher,
  file: LocalSource,
  sizeBytes: number,
  algorithm: ChecksumAlgorithm,
  signal: AbortSignal,
): Promise<string> {
  const { checksums } = await hasher.hash({ ...file, offset: 0, sizeBytes, algorithm }, signal);
  return checksums[algorithm] ?? '';
}

/**
 * Compares a local file with an ETag. Returns null if the ETag cannot verify it, for example because the part sizes are unknown.
 * With `partSizes`, requests the sizes from the service; a file that does not match them is different.
 */
export async function fitsEtag(
  hasher: Hasher,
  file: LocalSource,
  sizeBytes: number,
  etag: string,
  signal: AbortSignal,
  partSizes?: ReportedPartSizes,
): Promise<FileVerdict> {
  const md5 = md5InEtag(etag);
  if (md5 !== null) {
    const request = { ...file, offset: 0, sizeBytes, algorithm: null };
    const computedMd5 = (await hasher.hash(request, signal)).md5;
    return computedMd5 === md5 ? true : { what: 'md5', expected: md5, got: computedMd5 ?? '' };
  }
  const parts = /-(\d{1,5})$/.exec(bareEtag(etag))?.[1];
  if (parts === undefined || sizeBytes === 0) return null;
  const etagBy = async (slots: readonly Slot[]): Promise<string | null> => {
    const hashes = await Promise.all(
      slots.map(
        async ({ offset, sizeBytes: slotBytes }) =>
          await hasher.hash({ ...file, algorithm: null, offset, sizeBytes: slotBytes }, signal),
      ),
    );
    return expectedEtag(hashes.map((slice) => slice.md5));
  };
  for (const partSize of partSizesOf(sizeBytes, Number(parts))) {
    if ((await etagBy(slotsFor(sizeBytes, partSize))) === bareEtag(etag)) {
      partSizes?.onFit();
      return true;
    }
  }
  const sizes = (await partSizes?.sizes(Number(parts))) ?? null;
  if (partSizes === undefined || sizes === null) return null;
  const computedEtag = await etagBy(slotsOf(sizes));
  if (computedEtag === null) return null;
  if (computedEtag === bareEtag(etag)) {
    partSizes.onFit();
    return true;
  }
  return partSizes.usesUnknownEtags(computedEtag)
    ? null
    : { what: 'etag', expected: bareEtag(etag), got: computedEtag };
}

interface Slot {
  readonly offset: number;
  readonly sizeBytes: number;
}

function slotsOf(sizes: readonly number[]): readonly Slot[] {
  let offset = 0;
  return sizes.map((sizeBytes) => {
    const slot = { offset, sizeBytes };
    offset += sizeBytes;
    return slot;
  });
}

interface CompareDeps {
  readonly hasher: Hasher;
  readonly client: S3Client;
}

/**
 * Compares the content of both sides of a conflict by their ETags. Hashes a local file for this (MD5 of the whole file or of its
 * parts). Changes nothing. Throws AppFailure if a side cannot be read.
 */
export async function compareSides(
  deps: CompareDeps,
  job: TransferJob,
  item: Item,
  signal: AbortSignal,
): Promise<Comparison> {
  const { source, target } = item;
  if (source === null || target === null)
    throw failure('conflict', 'No decision is needed any longer.', { reason: 'nothing-asked' });
  if (source.sizeBytes !== null && target.sizeBytes !== null && source.sizeBytes !== target.sizeBytes)
    return 'different';
  const local = localOf(job, item);
  if (local === null) return compareEtags(source.etag, target.etag);
  const head = await deps.client.headObject(objectOf(job, item), { signal });
  const localBytes = (job.kind === 'upload' ? source : target).sizeBytes ?? head.sizeBytes;
  if (head.sizeBytes !== localBytes) return 'different';
  if (head.etag === null || etagHidesMd5(head.headers)) return 'unknown';
  if ((await fitsEtag(deps.hasher, local, localBytes, head.etag, signal)) === true) return 'same';
  if (md5InEtag(head.etag) !== null) return 'different';
  return /-\d{1,5}"?$/.test(head.etag) ? 'likely-different' : 'unknown';
}

/** Returns the item's local file; null if both sides are objects on services. */
function localOf(job: TransferJob, item: Item): LocalSource | null {
  if (item.work === 'upload') return sourceOf(job, item);
  if (item.work !== 'download' || job.folder === null) return null;
  return { path: path.join(job.folder, ...item.localName.split('/')), within: job.folder };
}

function compareEtags(source: string | null, target: string | null): Comparison {
  if (source === null || target === null) return 'unknown';
  if (sameEtag(source, target)) return 'same';
  // If the two objects were uploaded with different part sizes, the same content has different ETags.
  return md5InEtag(source) !== null && md5InEtag(target) !== null ? 'different' : 'unknown';
}
