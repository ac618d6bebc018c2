import { createHash } from 'node:crypto';
import { failure, toAppError, type AppFailure } from '../../../../shared/errors.ts';
import {
  storedDamaged,
  describedBytes,
  proofOfWrite,
  type SentBytes,
  type WriteProof,
} from '../model/object-proof.ts';
import { sameEtag } from '../model/etag.ts';
import type { ObjectHead, ObjectRef, PutObjectInput, PutObjectOutput } from '../model/object-types.ts';
import type { S3Client } from '../model/s3-client.ts';
import { sendIf, type Expected } from './conditional.ts';
import { hasLearned, learn } from './learned.ts';
import { headOrNull } from './look-at-key.ts';

/** The maximum number of attempts if the service stores other content. */
const maxSends = 3;

export interface ProvablePut {
  readonly client: S3Client;
  readonly input: Omit<PutObjectInput, 'contentMd5' | 'ifMatch' | 'ifNoneMatch'>;
  /** The MD5 of the body in hex. */
  readonly md5: string;
  readonly expected: Expected;
  readonly look?: () => Promise<ObjectHead | null>;
  readonly signal?: AbortSignal;
  /** Wraps each request, so that it can be logged. */
  readonly around?: (send: () => Promise<PutObjectOutput>) => Promise<PutObjectOutput>;
  /** Called if this write left a damaged object at the key. Awaited before the next attempt. */
  readonly onDamaged?: (stored: StoredObject) => Promise<void> | void;
}

/** The object that a write left at its key, as the service described it. */
export interface StoredObject {
  readonly etag: string;
  readonly sizeBytes: number | null;
}

export interface ProvedPut extends PutObjectOutput {
  readonly isProved: boolean;
}

/**
 * Writes an object and verifies that the service stored the sent content. Sends damaged content again, but replaces only the
 * damaged object of this write. Throws `damaged` (`stored-damaged`) after three attempts, and `precondition-failed` if the key is
 * not as expected.
 */
export async function putProved(put: ProvablePut): Promise<ProvedPut> {
  const { client, input, md5, signal } = put;
  const ref = { bucket: input.bucket, key: input.key };
  const contentMd5 = Buffer.from(md5, 'hex').toString('base64');
  const around = put.around ?? (async (send) => await send());
  let { expected } = put;
  for (let sends = 1; ; sends += 1) {
    const look = sends === 1 && put.look !== undefined ? { look: put.look } : {};
    const reply = await sendIf(
      { client, ref, operation: 'put', expected, ...look, signal },
      async (condition, tries) =>
        await around(
          async () => await client.putObject({ ...input, contentMd5, ...condition }, { signal, ...tries }),
        ),
    );
    const proof = await proofOfPut(client, ref, sentBytes(client, input, md5), reply, signal);
    if (proof.kind !== 'damaged') return { ...reply, isProved: proof.kind === 'proved' };
    const { etag } = reply;
    // Without an ETag, this object cannot be distinguished from one written by another client.
    if (etag === null) throw storedDamaged(proof.difference);
    const sizeBytes = proof.difference.what === 'length' ? Number(proof.difference.got) : null;
    await put.onDamaged?.({ etag, sizeBytes });
    if (sends >= maxSends) throw storedDamaged(proof.difference);
    if (expected.kind !== 'anything')
      expected = { kind: 'object', etag, is: (now) => sameEtag(now.etag, etag) };
  }
}

/** Returns the properties of the body of a PUT request or of a part. */
export function sentBytes(
  client: S3Client,
  { body: { sizeBytes }, checksums = {} }: Pick<PutObjectInput, 'body' | 'checksums'>,
  md5: string,
): SentBytes {
  return { sizeBytes, md5, checksums, mayBeEchoed: client.checksums.mayEcho(checksums) };
}

/**
 * Decides what a successful PUT proves. If the response proves nothing, checks the key with HEAD. If the ETag looks like an MD5
 * but differs, reads the object, unless ETags of this bucket are known to be MD5s. Throws `AppError('protocol')` if the response
 * has no ETag and the key has no object.
 */
export async function proofOfPut(
  client: S3Client,
  ref: ObjectRef,
  sent: SentBytes,
  reply: PutObjectOutput,
  signal?: AbortSignal,
): Promise<WriteProof> {
  const isHidden = reply.etagHidesMd5 === true || hasLearned(client, ref.bucket, 'etags-are-no-md5');
  const first = proofOfWrite(sent, { ...reply, etagHidesMd5: isHidden });
  if (first.kind === 'proved') {
    if (first.by === 'etag') learn(client, ref.bucket, 'etags-are-md5');
    return first;
  }
  const head = await lookAfter(client, ref, signal);
  // A response without an ETag may come from a proxy, with nothing stored on the service.
  if (head === 'absent' && reply.etag === null) throw storedNothing();
  // Another client may have replaced the object, so only one with the ETag of this response counts.
  if (head === null || head === 'absent' || (reply.etag !== null && !sameEtag(reply.etag, head.etag)))
    return first;
  const described = describedBytes(head);
  const proof = proofOfWrite(sent, {
    ...described,
    etagHidesMd5: isHidden || described.etagHidesMd5 === true,
  });
  // HEAD returned no checksum, so the different checksum in the PUT response still counts.
  if (proof.kind === 'unproved' && first.kind === 'damaged') return first;
  if (proof.kind !== 'damaged' || proof.difference.what !== 'md5') return proof;
  if (hasLearned(client, ref.bucket, 'etags-are-md5')) return proof;
  if ((await md5OfObject(client, ref, head, signal)) !== sent.md5) return proof;
  learn(client, ref.bucket, 'etags-are-no-md5');
  return { kind: 'proved', by: 'reading' };
}

/** Reads the object and returns its MD5 in hex; null if reading is not permitted or the object changed after `head`. */
async function md5OfObject(
  client: S3Client,
  ref: ObjectRef,
  head: ObjectHead,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const hash = createHash('md5');
  try {
    const object = await client.getObject({ ...ref, sizeBytes: head.sizeBytes }, { signal });
    if (!sameEtag(object.etag, head.etag)) {
      object.body.destroy();
      return null;
    }
    await object.read((chunk) => void hash.update(chunk));
    return hash.digest('hex');
  } catch (thrown) {
    throwIfOver(thrown);
    return null;
  }
}

/** Returns the response to HEAD after a write; null if that is not permitted. */
async function lookAfter(
  client: S3Client,
  ref: ObjectRef,
  signal: AbortSignal | undefined,
): Promise<ObjectHead | 'absent' | null> {
  try {
    return (await headOrNull(client, ref, { signal })) ?? 'absent';
  } catch (thrown) {
    throwIfOver(thrown);
    return null;
  }
}

/**
 * Throws errors that end the whole operation. Other errors are ignored, because a failed check must not make a successful write
 * fail.
 */
function throwIfOver(thrown: unknown): void {
  const { code } = toAppError(thrown);
  if (code === 'cancelled' || code === 'auth-expired') throw thrown;
}

function storedNothing(): AppFailure {
  return failure('protocol', 'The service answered that the object was stored, but the key has no object.', {
    reason: 'unexpected-answer',
    retry: 'backoff',
    outcome: 'unknown',
  });
}
