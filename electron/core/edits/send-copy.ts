import { createHash } from 'node:crypto';
import { AppFailure, failure } from '../../../shared/errors.ts';
import { attributesOfHead, taggingHeader, tagsOf } from '../operations/objects/copied-attributes.ts';
import { asLooked, sendIf, type WriteCondition } from '../s3/conditions/conditional.ts';
import { headOrNull } from '../s3/conditions/look-at-key.ts';
import { sameEtag } from '../s3/model/etag.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { ObjectAttributes } from '../s3/model/object-types.ts';
import type { EditRecord } from './edit-file.ts';

interface Sending {
  readonly bytes: Buffer;
  /** The user has said that it may replace what another has written. */
  readonly mayReplace: boolean;
  readonly signal: AbortSignal;
}

/**
 * Puts a copy over the object it came from, whose type, metadata and tags stay. Gives the new ETag. Throws `edit-changed` where
 * the object is another one than the copy was made from.
 */
export async function sendCopy(
  client: S3Client,
  record: EditRecord,
  { bytes, mayReplace, signal }: Sending,
): Promise<string | null> {
  const { bucket, key, etag } = record;
  const contentMd5 = createHash('md5').update(bytes).digest('base64');
  const isThere = (head: { readonly etag: string | null; readonly sizeBytes: number | null } | null) =>
    head !== null && head.sizeBytes === bytes.length && hasMd5(head.etag, contentMd5);
  const head = await headOrNull(client, { bucket, key }, { signal });
  if (!mayReplace && !isSameEtag(head?.etag ?? null, etag)) {
    // A run that ended after its PUT and before its record has sent it already.
    if (isThere(head)) return head?.etag ?? null;
    throw changed();
  }
  const attributes: ObjectAttributes =
    head === null ? {} : attributesOfHead(head, { storageClass: true, encryption: true });
  const tags = head === null ? [] : await tagsOf(client, { bucket, key }, { tags: false }, signal);
  const required = {
    client,
    ref: { bucket, key },
    operation: 'put',
    expected: asLooked(head),
    signal,
  } as const;
  const put = (condition: WriteCondition, tries: object) =>
    client.putObject(
      {
        bucket,
        key,
        ...attributes,
        headers: { ...attributes.headers, ...taggingHeader(tags) },
        contentMd5,
        body: { sizeBytes: bytes.length, open: () => bytes },
        ...condition,
      },
      { signal, ...tries },
    );
  try {
    return (await sendIf(required, put)).etag;
  } catch (thrown) {
    if (!(thrown instanceof AppFailure) || thrown.error.outcome !== 'unknown') throw thrown;
    // Whether it was written is seen, never guessed: a plain object's ETag is the MD5 of its bytes.
    const now = await headOrNull(client, { bucket, key }, { signal });
    if (now !== null && !isSameEtag(now.etag, head?.etag ?? null) && isThere(now)) return now.etag;
    throw isSameEtag(now?.etag ?? null, head?.etag ?? null) ? thrown : changed();
  }
}

/** The ETag of a GET may be weakened and that of a PUT not, or the other way about. */
function isSameEtag(left: string | null, right: string | null): boolean {
  return left === null || right === null ? left === right : sameEtag(left, right);
}

function hasMd5(etag: string | null, contentMd5: string): boolean {
  return sameEtag(etag, Buffer.from(contentMd5, 'base64').toString('hex'));
}

function changed(): AppFailure {
  return failure('conflict', 'The object has changed since it was opened.', {
    reason: 'edit-changed',
    retry: 'after-fix',
  });
}
