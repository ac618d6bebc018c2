import { createHash } from 'node:crypto';
import { failure, toAppError } from '../../../shared/errors.ts';
import { lengthDiffers } from '../s3/damage.ts';
import type { ObjectHead } from '../s3/types.ts';
import type { Item } from '../transfers/transfer-job.ts';
import { digestsOf, judge, requireFit } from '../transfers/verify-file.ts';
import { logged } from '../uploads/look.ts';
import { putGrants, withAcl, type CarriedAcl } from './acl.ts';
import { attributesOfHead, encryptionOfHead, taggingHeader, tagsOf } from './attributes.ts';
import { sourceRef, targetRef, type CopyContext } from './copy-context.ts';

export interface Wrote {
  /** As the service's own answer named it. */
  readonly etag: string | null;
  /** The bytes were proved on their way (MD5), or by a token of this copy. */
  readonly proved: boolean;
}

interface Conditions {
  readonly ifNoneMatch?: '*';
  readonly ifMatch?: string;
}

/** Copies an object by one request: CopyObject within the service, GET and PUT between two. */
export async function copyWhole(
  context: CopyContext,
  item: Item,
  source: ObjectHead,
  replaces: ObjectHead | null,
  acl: CarriedAcl,
): Promise<Wrote> {
  if (context.isRelay) return await withConditions(context, replaces, await relay(context, item, source));
  const wrote = await withConditions(
    context,
    replaces,
    async (conditions) =>
      await withAcl(
        context,
        item,
        acl,
        async (headers) => await copyOnService(context, item, source, headers)(conditions),
      ),
  );
  await putGrants(context, item, acl.grants);
  return wrote;
}

type Write = (conditions: Conditions) => Promise<Wrote>;

/** Only where nothing is, or only over what was seen; services without such conditions get the look before alone. */
async function withConditions(
  context: CopyContext,
  replaces: ObjectHead | null,
  write: Write,
): Promise<Wrote> {
  if (context.absent.conditions) return await write({});
  const conditions: Conditions =
    replaces === null ? { ifNoneMatch: '*' } : replaces.etag === null ? {} : { ifMatch: replaces.etag };
  try {
    return await write(conditions);
  } catch (thrown) {
    if (toAppError(thrown).code !== 'unsupported') throw thrown;
    const wrote = await write({});
    // It was the conditions that the service does not know, and nothing else.
    context.absent.conditions = true;
    return wrote;
  }
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CopyObject.html */
function copyOnService(
  context: CopyContext,
  item: Item,
  source: ObjectHead,
  acl: CarriedAcl['headers'],
): Write {
  const { signal } = context;
  const isSameBucket = context.job.bucket === context.to.bucket;
  // CopyObject takes along metadata and tags; class and encryption have to be named.
  const encryption = isSameBucket ? encryptionOfHead(source) : {};
  return async (conditions) => {
    const answer = await logged(
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
            ...(source.etag === null ? {} : { sourceIfMatch: source.etag }),
            ...conditions,
          },
          { signal },
        ),
      () => item.local,
    );
    return { etag: answer.etag, proved: false };
  };
}

/** A small object through the memory of this computer. */
async function relay(context: CopyContext, item: Item, source: ObjectHead): Promise<Write> {
  const { client, signal } = context;
  const bytes = await fetchAll(context, item, source);
  requireFit(await judge(source, digestsOf(bytes)));
  const md5 = createHash('md5').update(bytes).digest();
  const tags = await tagsOf(client, sourceRef(context, item), context.absent, signal);
  const attributes = attributesOfHead(source, { storageClass: false, encryption: false });
  return async (conditions) => {
    const answer = await logged(
      context.log,
      'put-object',
      () =>
        context.target.putObject(
          {
            ...targetRef(context, item),
            ...attributes,
            headers: { ...attributes.headers, ...taggingHeader(tags) },
            body: { sizeBytes: bytes.byteLength, open: () => bytes },
            contentMd5: md5.toString('base64'),
            ...conditions,
          },
          { signal },
        ),
      () => item.local,
    );
    return { etag: answer.etag, proved: true };
  };
}

async function fetchAll(context: CopyContext, item: Item, source: ObjectHead): Promise<Uint8Array> {
  const { client, signal, limiter } = context;
  const { sizeBytes } = source;
  const answer = await client.getObject(
    { ...sourceRef(context, item), ...(source.etag === null ? {} : { ifMatch: source.etag }), sizeBytes },
    { signal },
  );
  if (answer.sizeBytes !== null && answer.sizeBytes !== sizeBytes) {
    answer.body.destroy();
    throw failure('conflict', 'The object changed.', { reason: 'precondition-failed', retry: 'backoff' });
  }
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let filled = 0;
  for await (const chunk of answer.body) {
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
