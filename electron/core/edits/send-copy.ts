import { createHash, hash } from 'node:crypto';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { checksumOf, type ChecksumAlgorithm, type PartChecksums } from '../disk/checksums.ts';
import { attributesOfHead, tagsOf } from '../operations/objects/copied-attributes.ts';
import { expectHead, getExactly } from '../s3/conditions/conditional.ts';
import { headOrNull } from '../s3/conditions/look-at-key.ts';
import { putProved } from '../s3/conditions/put-proved.ts';
import { storedDamaged } from '../s3/model/object-proof.ts';
import { compareEtags, sameEtag } from '../s3/model/etag.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { ObjectAttributes, ObjectHead } from '../s3/model/object-types.ts';
import { checksumsOf, taggingHeader } from '../s3/requests/attribute-headers.ts';
import type { EditRecord } from './edit-file.ts';

interface Sending {
  readonly bytes: Buffer;
  /** True if the user allowed replacing another client's version. */
  readonly mayReplace: boolean;
  readonly signal: AbortSignal;
  /**
   * Called with the ETag of a damaged object that the upload left. The caller stores it, so that another attempt may replace the
   * object.
   */
  readonly onDamaged: (etag: string) => Promise<void>;
}

/**
 * Uploads a copy over its source object, and keeps the content type, metadata, tags and checksum algorithm. Returns the new ETag.
 * Throws `edit-changed` if the object changed after the copy was made.
 */
export async function sendCopy(
  client: S3Client,
  record: EditRecord,
  { bytes, mayReplace, signal, onDamaged }: Sending,
): Promise<string | null> {
  const { bucket, key, etag } = record;
  const md5 = hash('md5', bytes);
  const hasSameContent = (head: { readonly etag: string | null; readonly sizeBytes: number | null } | null) =>
    head !== null && head.sizeBytes === bytes.length && sameEtag(head.etag, md5);
  const head = await headOrNull(client, { bucket, key, checksums: true }, { signal });
  if (!mayReplace) {
    if (head === null) throw changedFailure();
    const compared = compareEtags(head.etag, etag);
    // Without an ETag, only the content can show that another client has written the object.
    const storedMd5 = compared === 'unknown' ? await md5Of(client, { bucket, key }, head, signal) : null;
    // An earlier run may have sent the copy and ended before it updated the record.
    if (compared !== 'same' && (hasSameContent(head) || storedMd5 === md5)) return head.etag;
    if (compared === 'different' || (compared === 'unknown' && storedMd5 !== record.md5))
      throw changedFailure();
  }
  const attributes: ObjectAttributes =
    head === null ? {} : attributesOfHead(head, { storageClass: true, encryption: true });
  const tags = head === null ? [] : await tagsOf(client, { bucket, key }, { tags: false }, signal);
  try {
    const { etag: storedEtag, isProved } = await putProved({
      client,
      input: {
        bucket,
        key,
        ...attributes,
        headers: { ...attributes.headers, ...taggingHeader(tags) },
        checksums: checksumsToSend(client, head, bytes),
        body: { sizeBytes: bytes.length, open: () => bytes },
      },
      md5,
      expected: expectHead(head),
      signal,
      onDamaged: async (left) => await onDamaged(left.etag),
    });
    if (!isProved) await readBack(client, { bucket, key }, { md5, stored: storedEtag, signal, onDamaged });
    return storedEtag;
  } catch (thrown) {
    if (!(thrown instanceof AppFailure) || thrown.error.outcome !== 'unknown') throw thrown;
    // Checks whether the write was applied. The ETag of a plain object is the MD5 of its content.
    const now = await headOrNull(client, { bucket, key }, { signal });
    if (now !== null && !isSameEtag(now.etag, head?.etag ?? null) && hasSameContent(now)) return now.etag;
    throw isSameEtag(now?.etag ?? null, head?.etag ?? null) ? thrown : changedFailure();
  }
}

/** Returns the checksum to send: by the algorithm of the stored object's checksum, or else by one that the service verifies. */
function checksumsToSend(client: S3Client, head: ObjectHead | null, bytes: Buffer): PartChecksums {
  const [storedAlgorithm] = Object.keys(checksumsOf(head?.headers ?? {})) as ChecksumAlgorithm[];
  // A request may contain only one checksum.
  return storedAlgorithm === undefined
    ? client.checksums.of(bytes)
    : { [storedAlgorithm]: checksumOf(storedAlgorithm, bytes) };
}

interface SentCopy extends Pick<Sending, 'signal' | 'onDamaged'> {
  readonly md5: string;
  /** The ETag in the response; null if it had none. */
  readonly stored: string | null;
}

/**
 * Reads the object back, because the service's responses prove nothing. If reading is not permitted, the object stays unproved.
 * Throws `damaged` for different content, which another attempt may replace.
 */
async function readBack(
  client: S3Client,
  ref: { readonly bucket: string; readonly key: string },
  { md5, stored: answered, signal, onDamaged }: SentCopy,
): Promise<void> {
  const head = await headOrNull(client, ref, { signal });
  if (head === null || (answered !== null && !isSameEtag(head.etag, answered))) throw changedFailure();
  const actualMd5 = await md5Of(client, ref, head, signal);
  if (actualMd5 === null || actualMd5 === md5) return;
  // Without an ETag, the damaged object cannot be distinguished from another client's object.
  if (answered !== null) await onDamaged(answered);
  throw storedDamaged({ what: 'md5', expected: md5, got: actualMd5 });
}

/** Reads an object and returns its MD5 in hex; null if that is not permitted. */
async function md5Of(
  client: S3Client,
  ref: { readonly bucket: string; readonly key: string },
  head: ObjectHead,
  signal: AbortSignal,
): Promise<string | null> {
  const md5 = createHash('md5');
  try {
    const object = await getExactly(client, { ...ref, sizeBytes: head.sizeBytes }, head, { signal });
    await object.read((chunk) => void md5.update(chunk));
  } catch (thrown) {
    if (toAppError(thrown).code === 'access-denied') return null;
    throw thrown;
  }
  return md5.digest('hex');
}

/** Returns true if two ETags are equal except for `W/`, which a proxy may have added, or if both are null. */
function isSameEtag(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : sameEtag(left, right);
}

function changedFailure(): AppFailure {
  return failure('conflict', 'The object has changed since it was opened.', {
    reason: 'edit-changed',
    retry: 'after-fix',
  });
}
