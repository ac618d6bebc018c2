import { failure, toAppError } from '../../../../shared/errors.ts';
import { checkNow, ofCopySource, sendIf } from '../../s3/conditions/conditional.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import { saveItem } from '../../transfers/items/item-context.ts';
import { openUpload } from '../../transfers/uploads/upload-in-parts.ts';
import { isPartLimit } from '../../s3/model/part-limits.ts';
import type { ConfirmComplete } from '../../transfers/items/run-upload.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { listAllParts } from '../../multipart/list-uploads.ts';
import { logged } from '../../jobs/log-request.ts';
import { completeJob } from '../../multipart/new-jobs.ts';
import { fingerprintOf } from '../../multipart/parts/part-list.ts';
import { wholeChecksums } from '../../multipart/parts/part-store.ts';
import { forEachScheduled } from '../../flow/part-scheduler.ts';
import { withAcl, type CarriedAcl } from './copied-acl.ts';
import { attributesOfHead } from '../objects/copied-attributes.ts';
import {
  isRelayed,
  learnNoCopies,
  savedItem,
  sourceRef,
  sourceUnchanged,
  targetRef,
  type CopyContext,
} from './copy-context.ts';
import type { Attempted } from './copy-whole.ts';
import { customerKeyAttribute } from '../objects/encryption.ts';
import {
  copyParts,
  copyPartBytes,
  type CopyPart,
  maxParts,
  partSizeFor,
} from '../../transfers/items/part-size.ts';
import { checksumAlgorithmOf, checksumNames } from '../../disk/checksums.ts';
import { maxBufferedPartBytes, relayPart, type RelayedPart, type RelayTask } from './relay-part.ts';
import { OrderedMd5, isItemRelayed, proveRelayed } from './prove-relayed.ts';
import { SourceReader } from './source-reader.ts';
import { withParts, forgetParts, recordsIdOf } from './copy-leftovers.ts';
import { finishParts } from './finish-parts.ts';
import { compareEtags, etagIn } from '../../s3/model/etag.ts';
import type { ListedPart } from '../../s3/model/multipart-types.ts';

/**
 * Copies a large object in parts. Parts that are already stored are not copied again. Throws `AppError('conflict')` if the upload
 * was aborted elsewhere; the next attempt then starts a new upload.
 */
export async function copyInParts(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  confirmComplete: ConfirmComplete,
  acl: CarriedAcl,
): Promise<Attempted> {
  const isSameBucket = !context.isRelay && context.job.bucket === context.to.bucket;
  const attributes = attributesOfHead(source, { storageClass: !context.isRelay, encryption: isSameBucket });
  try {
    return await inParts(context, item, source, attributes, confirmComplete, acl);
  } catch (thrown) {
    const error = toAppError(thrown);
    // The next attempt starts a new upload whose parts respect the limit just learned.
    if (isPartLimit(error)) saveItem(context, forgetParts(savedItem(context, item)));
    // The upload was aborted elsewhere, so the next attempt starts a new one.
    if (error.code !== 'upload-gone') throw thrown;
    saveItem(context, forgetParts(savedItem(context, item)));
    throw failure('conflict', 'The unfinished copy no longer exists.', {
      reason: 'upload-gone',
      retry: 'backoff',
    });
  }
}

/**
 * Copies an object in parts and gives the copy these attributes. Throws `AppError('conflict')` if the stored parts are not those
 * that were copied.
 */
export async function inParts(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  attributes: ObjectAttributes,
  confirmComplete: ConfirmComplete,
  acl: CarriedAcl,
): Promise<Attempted> {
  const place = targetRef(context, item);
  let latestItem = item;
  let parts = item.copy?.parts ?? null;
  if (parts === null) {
    const partBytes = partBytesFor(context, source);
    // A larger part gets its checksum only once it has been sent. AWS refuses such a checksum in an upload that was created with
    // an algorithm.
    const hasChecksums = isItemRelayed(context, item) && partBytes <= maxBufferedPartBytes;
    const opened = await withAcl(
      context,
      item,
      acl,
      async (headers) =>
        await openUpload(context, { client: context.target, ...place }, item, {
          ...attributes,
          ...(context.isRelay ? {} : customerKeyAttribute(source)),
          ...(hasChecksums ? context.target.checksums.ofUploads : {}),
          headers: { ...attributes.headers, ...headers },
        }),
    );
    parts = { uploadId: opened.uploadId, partBytes, bytesDone: 0 };
    latestItem = withParts(opened.item, parts);
    saveItem(context, latestItem);
  }
  const recordsId = recordsIdOf(context, latestItem, parts.uploadId);
  const plan = copyParts(source.sizeBytes, parts.partBytes);
  const listed = await listAllParts(context.target, { ...place, uploadId: parts.uploadId }, context.signal);
  const known = new Map(
    context.deps.uploads.parts.all(recordsId).map((record) => [record.partNumber, record]),
  );
  const byNumber = new Map(listed.parts.map((part) => [part.partNumber, part]));
  // A stored part is reused only if this job recorded it and it has not changed since.
  const missing = plan.filter(({ partNumber, sizeBytes }) => {
    const part = byNumber.get(partNumber);
    return (
      part === undefined ||
      part.sizeBytes !== sizeBytes ||
      // Without the MD5 of the source's part (jobs of earlier versions), the stored part cannot be verified.
      (isItemRelayed(context, latestItem) && (known.get(partNumber)?.md5 ?? null) === null) ||
      !isKnownPart(part.etag, known.get(partNumber)?.etag ?? null)
    );
  });
  let bytes = source.sizeBytes - missing.reduce((sum, part) => sum + part.sizeBytes, 0);
  context.onBytes(bytes);
  const begun = parts;
  const { uploadId } = parts;
  const work = { scheduler: context.scheduler, order: item.seq, signal: context.signal };
  // The MD5 of the whole object needs all parts in this run and in memory. Otherwise only each part is hashed.
  const canHashWhole = missing.length === plan.length && parts.partBytes <= maxBufferedPartBytes;
  const whole = canHashWhole && isItemRelayed(context, latestItem) ? new OrderedMd5(plan.length) : null;
  const reader = new SourceReader(context, latestItem, source);
  const algorithm = checksumAlgorithmOf(listed.checksumAlgorithm);
  try {
    await forEachScheduled(missing, work, async (part) => {
      const copied = await copyPart(
        context,
        latestItem,
        source,
        reader,
        uploadId,
        { ...part, algorithm },
        whole,
      );
      context.signal.throwIfAborted();
      bytes += part.sizeBytes;
      latestItem = withParts(latestItem, { ...begun, bytesDone: bytes });
      saveItem(context, latestItem, () =>
        context.deps.uploads.parts.put(recordsId, {
          partNumber: part.partNumber,
          offset: part.range.firstByte,
          sizeBytes: part.sizeBytes,
          state: copied.isProved ? 'sent' : 'accepted',
          md5: copied.md5,
          etag: copied.etag,
          checksums: copied.checksums,
        }),
      );
      context.onBytes(bytes);
    });
    // Some services ignore the condition on the source of a part. Parts of two different objects must never be combined.
    if (missing.length > 0) await checkNow(sourceUnchanged(context, latestItem, source));
    await proveRelayed(context, latestItem, source, reader, {
      plan,
      recordsId,
      wholeMd5: whole?.digest() ?? null,
    });
  } finally {
    reader.close();
  }
  const complete = await listAllParts(context.target, { ...place, uploadId }, context.signal);
  requireAsCopied(context, recordsId, plan, complete.parts);
  const { connectionId } = context.to;
  const upload = completeJob(
    { fingerprint: fingerprintOf(complete.parts), acceptGaps: false },
    {
      id: `${context.job.id}/${item.seq}/${context.deps.random.id()}`,
      nowMs: context.deps.clock.nowMs(),
      ref: { connectionId, ...place, uploadId },
      quietUntilMs: 0,
    },
    wholeChecksums(context.deps.uploads.parts.all(recordsId)),
  );
  latestItem = saveItem(context, { ...latestItem, upload });
  return await finishParts(context, latestItem, confirmComplete);
}

function partBytesFor(context: CopyContext, source: ObjectHead): number {
  const { deps, operations } = context;
  const limits = context.target.partLimits;
  if (isRelayed(context))
    return partSizeFor(source.sizeBytes, {
      preferredPartBytes: operations.partSizeBytes(),
      fromBytes: operations.partsFromBytes,
      minPartBytes: deps.minPartBytes,
      limits,
    });
  return copyPartBytes(source.sizeBytes, source.etag, {
    smallest: deps.minPartBytes,
    largest: Math.min(operations.largestCopyBytes, limits.maxPartBytes(deps.minPartBytes)),
    maxParts: limits.maxParts ?? maxParts,
  });
}

type CopiedPart = Omit<RelayedPart, 'md5'> & { readonly md5: string | null };

async function copyPart(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  reader: SourceReader,
  uploadId: string,
  part: RelayTask,
  whole: OrderedMd5 | null,
): Promise<CopiedPart> {
  // UploadPartCopy cannot copy an empty range, so the only part of an empty object is uploaded.
  if (isItemRelayed(context, item) || part.sizeBytes === 0) {
    try {
      return await relayPart(context, item, reader, uploadId, part, async (bytes) => {
        await whole?.add(part.partNumber - 1, bytes);
      });
    } catch (thrown) {
      whole?.fail(thrown);
      throw thrown;
    }
  }
  const required = { ...sourceUnchanged(context, item, source), isProvedByOwner: true };
  const copied = sendIf(required, async (condition) =>
    logged(
      context.log,
      'copy-part',
      () =>
        context.target.uploadPartCopy(
          {
            ...targetRef(context, item),
            uploadId,
            partNumber: part.partNumber,
            source: sourceRef(context, item),
            range: part.range,
            ...ofCopySource(condition),
          },
          { signal: context.signal },
        ),
      `part ${part.partNumber}`,
    ),
  );
  try {
    return { etag: (await copied).etag, md5: null, checksums: {}, isProved: false };
  } catch (thrown) {
    if (!learnNoCopies(context, thrown)) throw thrown;
    return await relayPart(context, item, reader, uploadId, part);
  }
}

/**
 * Compares the parts listed by the service with the parts that were copied. If some differ, deletes their records, so that the
 * next attempt copies them again, and throws AppError('conflict').
 */
function requireAsCopied(
  { deps }: CopyContext,
  recordsId: string,
  plan: readonly CopyPart[],
  listed: readonly ListedPart[],
): void {
  const { parts } = deps.uploads;
  const records = new Map(parts.all(recordsId).map((record) => [record.partNumber, record]));
  const byNumber = new Map(listed.map((part) => [part.partNumber, part]));
  const wrong = plan.filter(({ partNumber, sizeBytes }) => {
    const [part, record] = [byNumber.get(partNumber), records.get(partNumber)];
    if (part?.sizeBytes !== sizeBytes || record === undefined) return true;
    // Without an ETag in the part's response or in the list, nothing can be compared.
    if (compareEtags(part.etag, record.etag) === 'different') return true;
    return checksumNames.some((name) => {
      const [shown, copied] = [part.checksums[name], record.checksums[name]];
      return shown !== undefined && copied !== undefined && shown !== copied;
    });
  });
  if (wrong.length === 0 && listed.length === plan.length) return;
  deps.store.transaction(() => {
    for (const { partNumber } of wrong) parts.remove(recordsId, partNumber);
  });
  throw failure('conflict', 'The parts of the copy differ from the source.', {
    reason: 'copy-unverified',
    retry: 'backoff',
  });
}

/** Returns true if the part's response named an ETag and the listed ETag does not contradict it. */
function isKnownPart(listed: string, known: string | null): boolean {
  return etagIn(known) !== null && compareEtags(listed, known) !== 'different';
}
