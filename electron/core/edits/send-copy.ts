import { createHash, hash } from 'node:crypto';
import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { checksumOf, type ChecksumAlgorithm, type PartChecksums } from '../disk/checksums.ts';
import { attributesOfHead, taggingHeader, tagsOf } from '../operations/objects/copied-attributes.ts';
import { asLooked, getExactly } from '../s3/conditions/conditional.ts';
import { headOrNull } from '../s3/conditions/look-at-key.ts';
import { putProved } from '../s3/conditions/put-proved.ts';
import { storedDamaged } from '../s3/model/damage.ts';
import { sameEtag } from '../s3/model/etag.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { ObjectAttributes, ObjectHead } from '../s3/model/object-types.ts';
import { checksumsOf } from '../s3/requests/attribute-headers.ts';
import type { EditRecord } from './edit-file.ts';

interface Sending {
  readonly bytes: Buffer;
  /** The user allowed replacing another client's version. */
  readonly mayReplace: boolean;
  readonly signal: AbortSignal;
  /** Called with the ETag of a damaged object that the send left. It is persisted, so that another try may replace it. */
  readonly onDamaged: (etag: string) => Promise<void>;
}

/**
 * Uploads a copy over its source object, keeping type, metadata, tags and the algorithm of its checksum. Returns the new ETag.
 * Throws `edit-changed` if the object changed since the copy was made.
 */
export async function sendCopy(
  client: S3Client,
  record: EditRecord,
  { bytes, mayReplace, signal, onDamaged }: Sending,
): Promise<string | null> {
  const { bucket, key, etag } = record;
  const md5 = hash('md5', bytes);
  const isThere = (head: { readonly etag: string | null; readonly sizeBytes: number | null } | null) =>
    head !== null && head.sizeBytes === bytes.length && sameEtag(head.etag, md5);
  const head = await headOrNull(client, { bucket, key, checksums: true }, { signal });
  if (!mayReplace && !isSameEtag(head?.etag ?? null, etag)) {
    // An earlier run may have sent the copy and ended before updating the record.
    if (isThere(head)) return head?.etag ?? null;
    throw changed();
  }
  const attributes: ObjectAttributes =
    head === null ? {} : attributesOfHead(head, { storageClass: true, encryption: true });
  const tags = head === null ? [] : await tagsOf(client, { bucket, key }, { tags: false }, signal);
  try {
    const { etag: stored, isProved } = await putProved({
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
      expected: asLooked(head),
      signal,
      onDamaged: async (left) => await onDamaged(left.etag),
    });
    if (!isProved) await readBack(client, { bucket, key }, { md5, stored, signal, onDamaged });
    return stored;
  } catch (thrown) {
    if (!(thrown instanceof AppFailure) || thrown.error.outcome !== 'unknown') throw thrown;
    // Verifies whether the write was applied: a plain object's ETag is the MD5 of its bytes.
    const now = await headOrNull(client, { bucket, key }, { signal });
    if (now !== null && !isSameEtag(now.etag, head?.etag ?? null) && isThere(now)) return now.etag;
    throw isSameEtag(now?.etag ?? null, head?.etag ?? null) ? thrown : changed();
  }
}

/** Computes a checksum by the algorithm of the stored object's checksum, else by one that the service compares. */
function checksumsToSend(client: S3Client, head: ObjectHead | null, bytes: Buffer): PartChecksums {
  const [stored] = Object.keys(checksumsOf(head?.headers ?? {})) as ChecksumAlgorithm[];
  // A request may carry one checksum only.
  return stored === undefined ? client.checksums.of(bytes) : { [stored]: checksumOf(stored, bytes) };
}

interface SentCopy extends Pick<Sending, 'signal' | 'onDamaged'> {
  readonly md5: string;
  /** The ETag in the service's response; null: none. */
  readonly stored: string | null;
}

/**
 * Reads the object back, since nothing that the service reports proves it. An object that may not be read stays unproved.
 * Throws `damaged` for other bytes, which another try may replace.
 */
async function readBack(
  client: S3Client,
  ref: { readonly bucket: string; readonly key: string },
  { md5, stored: answered, signal, onDamaged }: SentCopy,
): Promise<void> {
  const head = await headOrNull(client, ref, { signal });
  if (head === null || (answered !== null && !isSameEtag(head.etag, answered))) throw changed();
  const stored = createHash('md5');
  try {
    const object = await getExactly(client, { ...ref, sizeBytes: head.sizeBytes }, head, { signal });
    await object.read((chunk) => void stored.update(chunk));
  } catch (thrown) {
    if (toAppError(thrown).code === 'access-denied') return;
    throw thrown;
  }
  const got = stored.digest('hex');
  if (got === md5) return;
  // Without an ETag the damaged object cannot be distinguished from one that another client wrote.
  if (answered !== null) await onDamaged(answered);
  throw storedDamaged({ what: 'md5', expected: md5, got });
}

/** Returns true if two ETags name the same object, or both are null. A proxy may have weakened one of them. */
function isSameEtag(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : sameEtag(left, right);
}

function changed(): AppFailure {
  return failure('conflict', 'The object has changed since it was opened.', {
    reason: 'edit-changed',
    retry: 'after-fix',
  });
}
