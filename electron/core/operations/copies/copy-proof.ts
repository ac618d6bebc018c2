import { createHash } from 'node:crypto';
import { failure, toAppError } from '../../../../shared/errors.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import { getExactly } from '../../s3/conditions/conditional.ts';
import { lookAtKey } from '../../s3/conditions/look-at-key.ts';
import { compareEtags, sameEtag } from '../../s3/model/etag.ts';
import type { ListedObject } from '../../s3/model/listing-types.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { isUnchanged, describedBytes, proofOfWrite, type WriteProof } from '../../s3/model/object-proof.ts';
import type { ObservedObject } from '../../transfers/items/operation-record.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { seenOf } from '../objects/look-at-object.ts';
import { isRelayed, noteDamaged, sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import type { Wrote } from './copy-whole.ts';

/** How well the content of a copy is verified. */
export type CopyProof =
  | 'proved'
  /**
   * The service copied the object, returned its new ETag, and now shows that ETag at the key. The ETags of source and copy cannot
   * be compared.
   */
  | 'by-service'
  | 'unproved';

interface Copied {
  /** The source after the copy; null if it no longer exists. */
  readonly source: ObjectHead | null;
  /** The source when the copy began. */
  readonly expected: ObservedObject;
  readonly target: ObjectHead;
  readonly wrote: Wrote;
}

/**
 * Decides how well a copy is verified. A move deletes its source afterwards, so both objects are read and compared if nothing
 * else proves the copy. Throws if the content differs, or if the copy of a move cannot be proved.
 */
export async function proofOfCopy(
  context: CopyContext,
  item: CopyItem,
  { source, expected, target, wrote }: Copied,
): Promise<CopyProof> {
  const isOurs = wrote.isOurs || sameEtag(wrote.etag, target.etag);
  const before = source === null ? expected : describedBytes(source);
  const proof = proofOfWrite({ md5: null, ...before }, describedBytes(target));
  const damaged = async (): Promise<Error> => {
    if (isOurs && target.etag !== null) await noteDamaged(context, item, target.etag);
    return damagedCopy();
  };
  if (proof.kind === 'damaged') throw await damaged();
  if (proof.kind === 'proved' || wrote.isProved) return 'proved';
  const checked = isOurs ? await proofByChecksum(context, item, target, wrote.checksums) : null;
  if (checked === 'damaged') throw await damaged();
  if (checked === 'proved') return 'proved';
  // The service copied the object within the service, and the target's ETag is the one from its response.
  if (!isRelayed(context) && isOurs) return 'by-service';
  // The target's ETag is not the one from the response, so another client wrote the key later.
  if (!isOurs && wrote.etag !== null && target.etag !== null) throw unverified();
  if (context.job.kind !== 'move') return 'unproved';
  switch (source === null ? 'unreadable' : await readBack(context, item, source, target)) {
    case 'same':
      return 'proved';
    case 'different':
      throw await damaged();
    default:
      throw unverified('after-fix');
  }
}

/**
 * Decides what the response to a copy, and a listing of the target, prove if the target may not be read. Throws if they describe
 * other content, or if they do not prove the copy of a move.
 */
export function proofOfHidden(
  context: CopyContext,
  source: ObjectHead | null,
  expected: ObservedObject,
  wrote: Wrote,
  listed: ListedObject | null,
): CopyProof {
  // The listed ETag is not the one from the response, so another client has written the key since.
  if (compareEtags(wrote.etag, listed?.etag ?? null) === 'different') throw unverified();
  const before = { md5: null, ...(source === null ? expected : describedBytes(source)) };
  // A listing does not say whether an ETag hides the MD5, so only an equal ETag proves something.
  const proofs = [
    ...(listed === null ? [] : [proofOfWrite(before, { ...listed, checksums: {}, etagHidesMd5: true })]),
    ...(wrote.isProved ? [] : [proofOfWrite(before, { etag: wrote.etag })]),
  ];
  if (proofs.some(({ kind }) => kind === 'damaged')) throw unverified('after-fix');
  if (wrote.isProved || proofs.some(({ kind }) => kind === 'proved')) return 'proved';
  const isNamed = wrote.etag !== null && !isRelayed(context);
  if (context.job.kind !== 'move') return isNamed ? 'by-service' : 'unproved';
  if (isNamed && sameEtag(wrote.etag, listed?.etag ?? null)) return 'by-service';
  throw unverified('after-fix');
}

/**
 * Compares the checksum that the target reports for all bytes with that of the content sent in parts. Reading a checksum may
 * need more permissions than HEAD (kms:Decrypt), so any refusal means that it is unknown.
 */
async function proofByChecksum(
  context: CopyContext,
  item: CopyItem,
  target: ObjectHead,
  checksums: PartChecksums,
): Promise<WriteProof['kind'] | null> {
  if (Object.keys(checksums).length === 0) return null;
  const ref = { ...targetRef(context, item), checksums: true };
  const look = await lookAtKey(context.target, ref, { signal: context.signal });
  if (look.kind !== 'present' || !isUnchanged(seenOf(target), seenOf(look.head))) return null;
  return proofOfWrite({ sizeBytes: target.sizeBytes, md5: null, checksums }, describedBytes(look.head)).kind;
}

/** Compares the MD5 of a copy with that of its source. Reads the copy, and also the source if its ETag is not an MD5. */
async function readBack(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  target: ObjectHead,
): Promise<'same' | 'different' | 'unreadable'> {
  const copy = await md5Of(context, context.target, targetRef(context, item), target);
  if (copy === null) return 'unreadable';
  const original =
    describedBytes(source).md5 ?? (await md5Of(context, context.client, sourceRef(context, item), source));
  if (original === null) return 'unreadable';
  return copy === original ? 'same' : 'different';
}

/** Reads an object and returns its MD5 in hex; null if reading it is not permitted. */
async function md5Of(
  context: CopyContext,
  client: S3Client,
  ref: ObjectRef,
  head: ObjectHead,
): Promise<string | null> {
  const { signal, limiter } = context;
  const md5 = createHash('md5');
  try {
    const { sizeBytes } = head;
    const object = await getExactly(client, { ...ref, sizeBytes }, head, { signal });
    await object.read(async (chunk) => {
      md5.update(chunk);
      await limiter.take(chunk.byteLength, signal);
    });
    return md5.digest('hex');
  } catch (thrown) {
    const { code, reason } = toAppError(thrown);
    if (code === 'access-denied' || code === 'unsupported' || reason === 'object-archived') return null;
    throw thrown;
  }
}

/** Returns the error for a copy whose target is another object, or cannot be proved to be the copy. */
export function unverified(retry: 'backoff' | 'after-fix' = 'backoff'): Error {
  return failure('conflict', 'The object at the target differs from the source.', {
    reason: 'copy-unverified',
    retry,
  });
}

/** Returns the error for a copy with damaged content. It is copied again a few times. */
function damagedCopy(): Error {
  return failure('damaged', 'The object at the target differs from the source.', {
    reason: 'copy-unverified',
    retry: 'backoff',
  });
}
