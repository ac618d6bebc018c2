import { hash } from 'node:crypto';
import { failure } from '../../../../shared/errors.ts';
import type { PartChecksums } from '../../disk/checksums.ts';
import { getExactly, ofCopySource, sendUnder } from '../../s3/conditions/conditional.ts';
import { putProved } from '../../s3/conditions/put-proved.ts';
import { lengthDiffers } from '../../s3/model/object-proof.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { digestsOf, judgeFile, requireFit } from '../../transfers/downloads/verify-file.ts';
import { logged } from '../../jobs/log-request.ts';
import { putGrants, withAcl, type CarriedAcl } from './copied-acl.ts';
import { attributesOfHead, encryptionOfHead, tagsOf } from '../objects/copied-attributes.ts';
import { taggingHeader } from '../../s3/requests/attribute-headers.ts';
import {
  noteDamaged,
  sourceRef,
  sourceUnchanged,
  targetRef,
  targetUnchanged,
  type CopyContext,
  type Replaced,
} from './copy-context.ts';

/** The result of one attempt to copy an object. `not-yet`: a retry is scheduled. */
export type Attempted =
  | ({ readonly kind: 'written'; readonly item: CopyItem } & Wrote)
  | { readonly kind: 'not-yet'; readonly item: CopyItem };

export interface Wrote {
  /** The ETag from the response; null if it contained none. */
  readonly etag: string | null;
  /** True if the object at the key has the token of this copy in its metadata. */
  readonly isOurs: boolean;
  /** True if the target reported a checksum of the content that was read from the source. */
  readonly isProved: boolean;
  /** The checksums of that content, if it was sent in parts; otherwise empty. */
  readonly checksums: PartChecksums;
}

/**
 * Copies an object without parts: by CopyObject, or by GET and PUT between connections or without CopyObject. Throws
 * `AppError('conflict')` if the source changed, and `AppError('damaged')` if its length differs.
 */
export async function copyWhole(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  replaces: Replaced,
  acl: CarriedAcl,
): Promise<Wrote> {
  if (context.isRelay) return await relay(context, item, source, replaces, {});
  const copy = context.absent.copies ? relay : copyOnService;
  const wrote = await withAcl(
    context,
    item,
    acl,
    async (headers) => await copy(context, item, source, replaces, headers),
  );
  await putGrants(context, item, acl.grants);
  return wrote;
}

/** Copies an object by CopyObject: https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
async function copyOnService(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  replaces: Replaced,
  acl: CarriedAcl['headers'],
): Promise<Wrote> {
  const { signal } = context;
  const isSameBucket = context.job.bucket === context.to.bucket;
  // CopyObject copies metadata and tags, but storage class and encryption must be requested.
  const encryption = isSameBucket ? encryptionOfHead(source) : {};
  const required = [targetUnchanged(context, item, 'copy', replaces), sourceUnchanged(context, item, source)];
  const reply = await sendUnder(required, async ([toTarget, ofSource], tries) =>
    logged(
      context.log,
      'copy-object',
      () =>
        context.target.copyObject(
          {
            ...targetRef(context, item),
            source: sourceRef(context, item),
            metadataDirective: 'COPY',
            attributes: {
              headers: { ...encryption, ...acl },
              ...(source.storageClass === null ? {} : { storageClass: source.storageClass }),
            },
            ...ofCopySource(ofSource),
            ...toTarget,
          },
          { signal, ...tries },
        ),
      item.targetKey,
    ),
  );
  return { etag: reply.etag, isOurs: false, isProved: false, checksums: {} };
}

/** Copies an object by reading and writing it through this computer. */
async function relay(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  replaces: Replaced,
  acl: CarriedAcl['headers'],
): Promise<Wrote> {
  const { client, signal } = context;
  const bytes = await fetchAll(context, item, source);
  requireFit(await judgeFile(source, digestsOf(bytes)));
  const md5 = hash('md5', bytes);
  const tags = await tagsOf(client, sourceRef(context, item), context.absent, signal);
  const attributes = attributesOfHead(source, {
    storageClass: !context.isRelay,
    encryption: !context.isRelay && context.job.bucket === context.to.bucket,
  });
  const { expected, look } = targetUnchanged(context, item, 'put', replaces);
  const { etag, isProved } = await putProved({
    client: context.target,
    input: {
      ...targetRef(context, item),
      ...attributes,
      headers: { ...attributes.headers, ...taggingHeader(tags), ...acl },
      checksums: context.target.checksums.of(bytes),
      body: { sizeBytes: bytes.byteLength, open: () => bytes },
    },
    md5,
    expected,
    ...(look === undefined ? {} : { look }),
    signal,
    around: async (send) => await logged(context.log, 'put-object', send, item.targetKey),
    onDamaged: async ({ etag: damaged }) => await noteDamaged(context, item, damaged),
  });
  return { etag, isOurs: false, isProved, checksums: {} };
}

async function fetchAll(context: CopyContext, item: CopyItem, source: ObjectHead): Promise<Uint8Array> {
  const { client, signal, limiter } = context;
  const { sizeBytes } = source;
  const reply = await getExactly(client, { ...sourceRef(context, item), sizeBytes }, source, { signal });
  if (reply.sizeBytes !== null && reply.sizeBytes !== sizeBytes) {
    reply.body.destroy();
    throw failure('conflict', 'The object changed.', { reason: 'precondition-failed', retry: 'backoff' });
  }
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let filled = 0;
  for await (const chunk of reply.body) {
    const piece: Uint8Array = chunk;
    await limiter.take(piece.byteLength, signal);
    if (filled + piece.byteLength > sizeBytes) throw lengthDiffers(sizeBytes, filled + piece.byteLength);
    bytes.set(piece, filled);
    filled += piece.byteLength;
    context.onBytes(filled);
  }
  if (filled !== sizeBytes) throw lengthDiffers(sizeBytes, filled);
  return bytes;
}
