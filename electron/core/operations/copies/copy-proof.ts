import { createHash } from 'node:crypto';
import { failure, toAppError } from '../../../../shared/errors.ts';
import { getExactly } from '../../s3/conditions/conditional.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { describedBytes, proofOfWrite } from '../../s3/model/write-proof.ts';
import type { Seen } from '../../transfers/items/operation-record.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { isThroughHere, noteDamaged, sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import type { Wrote } from './copy-whole.ts';

/** How far the bytes of a copy are verified. */
export type CopyProof =
  | 'proved'
  /** The service copied its own object, named the new ETag, and shows it at the key; the two ETags cannot be compared. */
  | 'by-service'
  | 'unproved';

interface Copied {
  /** null: it is gone. */
  readonly source: ObjectHead | null;
  /** The source as it was when the copy began. */
  readonly expected: Seen;
  readonly target: ObjectHead;
  readonly wrote: Wrote;
}

/**
 * Decides how far a copy is proved. If nothing else proves a move, both objects are read back, because its source is deleted
 * afterwards. Throws where the bytes differ, or where a move cannot prove them.
 */
export async function proofOfCopy(
  context: CopyContext,
  item: CopyItem,
  { source, expected, target, wrote }: Copied,
): Promise<CopyProof> {
  const isOurs = wrote.isOurs || sameEtag(wrote.etag, target.etag);
  const before = source === null ? expected : describedBytes(source);
  const proof = proofOfWrite({ md5: null, ...before }, describedBytes(target));
  if (proof.kind === 'damaged') {
    if (isOurs && target.etag !== null) await noteDamaged(context, item, target.etag);
    throw damagedCopy();
  }
  if (proof.kind === 'proved' || wrote.isProved) return 'proved';
  // The service copied its own object and now shows the ETag that its response named.
  if (!isThroughHere(context) && isOurs) return 'by-service';
  // The ETags differ: another client has written since.
  if (!isOurs && wrote.etag !== null && target.etag !== null) throw unverified();
  if (context.job.kind !== 'move') return 'unproved';
  switch (source === null ? 'unreadable' : await readBack(context, item, source, target)) {
    case 'same':
      return 'proved';
    case 'different':
      if (isOurs && target.etag !== null) await noteDamaged(context, item, target.etag);
      throw damagedCopy();
    default:
      throw unverified('after-fix');
  }
}

/** Decides what the response to a copy alone proves, where the target may not be read. Throws where it names other bytes. */
export function proofOfHidden(
  context: CopyContext,
  source: ObjectHead | null,
  expected: Seen,
  wrote: Wrote,
): CopyProof {
  if (wrote.isProved) return 'proved';
  const before = source === null ? expected : describedBytes(source);
  const proof = proofOfWrite({ md5: null, ...before }, { etag: wrote.etag });
  if (proof.kind === 'damaged') throw unverified('after-fix');
  if (proof.kind === 'proved') return 'proved';
  return !isThroughHere(context) && wrote.etag !== null ? 'by-service' : 'unproved';
}

/** Reads a copy, and its source where the source's ETag is no MD5, and compares their digests. */
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

/** Returns the MD5 of an object in hex; null where it may not be read. */
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

/** Returns the failure of a copy whose target is not, or not provably, the object that was copied. */
export function unverified(retry: 'backoff' | 'after-fix' = 'backoff'): Error {
  return failure('conflict', 'The object at the target is not what was copied.', {
    reason: 'copy-unverified',
    retry,
  });
}

/** Returns the failure of a damaged copy, which is copied again a few times. */
function damagedCopy(): Error {
  return failure('damaged', 'The object at the target is not what was copied.', {
    reason: 'copy-unverified',
    retry: 'backoff',
  });
}
