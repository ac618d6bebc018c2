import { failure, toAppError } from '../../../../shared/errors.ts';
import { damageFailure } from '../../s3/model/damage.ts';
import { checkNow, ofCopySource, sendIf } from '../../s3/conditions/conditional.ts';
import type { ObjectAttributes, ObjectHead } from '../../s3/model/object-types.ts';
import { saveItem } from '../../transfers/items/item-context.ts';
import { tokenName } from '../../transfers/items/mtime.ts';
import { openUpload } from '../../transfers/uploads/upload-in-parts.ts';
import { isPartLimit } from '../../s3/model/part-limits.ts';
import { maxParts, partSizeFor } from '../../transfers/items/part-size.ts';
import { uploadFailureOf, runUpload, type ConfirmComplete } from '../../transfers/items/run-upload.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { isKnownPart, requireAsCopied } from './copied-parts.ts';
import { listAllParts } from '../../multipart/parts/list-parts.ts';
import { logged } from '../../jobs/log-request.ts';
import { completeJob } from '../../multipart/new-jobs.ts';
import { fingerprintOf } from '../../multipart/parts/part-list.ts';
import { forEachInTurn } from '../../flow/part-turns.ts';
import { withAcl, type CarriedAcl } from './copied-acl.ts';
import { attributesOfHead } from '../objects/copied-attributes.ts';
import {
  isThroughHere,
  learnNoCopies,
  savedItem,
  sourceRef,
  sourceUnchanged,
  targetRef,
  type CopyContext,
} from './copy-context.ts';
import type { Attempted } from './copy-whole.ts';
import { customerKeyAttribute } from '../objects/encryption.ts';
import { headObject } from '../objects/look-at-object.ts';
import { copyParts, copyPartBytes, type CopyPart } from './part-plan.ts';
import { checksumAlgorithmOf } from '../../disk/checksums.ts';
import { heldPartBytes, md5OfSourcePart, relayPart, type RelayedPart, type RelayTask } from './relay-part.ts';
import { judgeRelayed, OrderedMd5 } from './relay-proof.ts';
import { SourceReader } from './source-reader.ts';

/**
 * Copies a large object part by part. Skips parts that are already stored. Throws `AppError('conflict')` when the upload was
 * aborted elsewhere; the retry starts a new one.
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
    // A retry starts a new upload, whose parts keep to the limit.
    if (isPartLimit(error)) saveItem(context, forgetParts(savedItem(context, item)));
    // The upload was aborted elsewhere; start a new one.
    if (error.code !== 'upload-gone') throw thrown;
    saveItem(context, forgetParts(savedItem(context, item)));
    throw failure('conflict', 'The unfinished copy is not there any more.', {
      reason: 'upload-gone',
      retry: 'backoff',
    });
  }
}

/**
 * Copies an object in parts with different attributes. Throws `AppError('conflict')` when the stored parts differ from the
 * source.
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
  let held = item;
  let parts = item.copy?.parts ?? null;
  if (parts === null) {
    const partBytes = partBytesFor(context, source);
    // Only a part that is held in memory has a checksum before it is sent.
    const hasChecksums = passesHere(context, item) && partBytes <= heldPartBytes;
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
    held = withParts(opened.item, parts);
    saveItem(context, held);
  }
  const recordsId = recordsIdOf(context, held, parts.uploadId);
  const plan = copyParts(source.sizeBytes, parts.partBytes);
  const listed = await listAllParts(context.target, { ...place, uploadId: parts.uploadId }, context.signal);
  const known = new Map(
    context.deps.uploads.parts.all(recordsId).map((record) => [record.partNumber, record]),
  );
  const byNumber = new Map(listed.parts.map((part) => [part.partNumber, part]));
  // Only parts that this job has recorded count, and only if still stored unchanged.
  const missing = plan.filter(({ partNumber, sizeBytes }) => {
    const part = byNumber.get(partNumber);
    return (
      part === undefined ||
      part.sizeBytes !== sizeBytes ||
      // Without the MD5 of the source's bytes (jobs of earlier versions), nothing proves the part.
      (passesHere(context, held) && (known.get(partNumber)?.md5 ?? null) === null) ||
      !isKnownPart(part.etag, known.get(partNumber)?.etag ?? null)
    );
  });
  let bytes = source.sizeBytes - missing.reduce((sum, part) => sum + part.sizeBytes, 0);
  context.onBytes(bytes);
  const begun = parts;
  const { uploadId } = parts;
  const turns = { turns: context.turns, order: item.seq, signal: context.signal };
  // Parts sent in an earlier run, or not held in memory, are hashed part by part only.
  const isAtHand = missing.length === plan.length && parts.partBytes <= heldPartBytes;
  const whole = isAtHand && passesHere(context, held) ? new OrderedMd5(plan.length) : null;
  const reader = new SourceReader(context, held, source);
  const algorithm = checksumAlgorithmOf(listed.checksumAlgorithm);
  try {
    await forEachInTurn(missing, turns, async (part) => {
      const copied = await copyPart(context, held, source, reader, uploadId, { ...part, algorithm }, whole);
      context.signal.throwIfAborted();
      bytes += part.sizeBytes;
      held = withParts(held, { ...begun, bytesDone: bytes });
      saveItem(context, held, () =>
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
    // Some services ignore the condition on a part's source. Never combine parts of two objects.
    if (missing.length > 0) await checkNow(sourceUnchanged(context, held, source));
    await proveRelayed(context, held, source, reader, {
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
  );
  held = saveItem(context, { ...held, upload });
  return await finishParts(context, held, confirmComplete);
}

function partBytesFor(context: CopyContext, source: ObjectHead): number {
  const { deps, operations } = context;
  const limits = context.target.partLimits;
  if (isThroughHere(context))
    return partSizeFor(source.sizeBytes, {
      wantedBytes: operations.partSizeBytes(),
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
  // A range cannot be empty, so the single part of an empty object is sent.
  if (passesHere(context, item) || part.sizeBytes === 0) {
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
      () => `part ${part.partNumber}`,
    ),
  );
  try {
    return { etag: (await copied).etag, md5: null, checksums: {}, isProved: false };
  } catch (thrown) {
    if (!learnNoCopies(context, thrown)) throw thrown;
    return await relayPart(context, item, reader, uploadId, part);
  }
}

/** Returns true if an object is rewritten in its place. Restoring an older version keeps the present one. */
function isOntoItself({ isRelay, job, to }: CopyContext, item: CopyItem): boolean {
  return !isRelay && job.bucket === to.bucket && item.key === item.targetKey && item.versionId === null;
}

/** Returns true if the bytes pass through this computer, where they can be damaged on their way in. */
function passesHere(context: CopyContext, item: CopyItem): boolean {
  return isThroughHere(context) || isDecodedTwice(item.key);
}

interface Relayed {
  readonly plan: readonly CopyPart[];
  readonly recordsId: string;
  /** MD5 of the whole object, if all bytes were read in this run and held in memory. */
  readonly wholeMd5: string | null;
}

/**
 * Verifies the bytes read from the source, because a move deletes it afterwards: by its ETag, else by a second read.
 * Forgets parts that differ, so that the next try sends them again, and throws AppError('damaged').
 */
async function proveRelayed(
  context: CopyContext,
  item: CopyItem,
  source: ObjectHead,
  reader: SourceReader,
  { plan, recordsId, wholeMd5 }: Relayed,
): Promise<void> {
  if (!passesHere(context, item)) return;
  const { parts } = context.deps.uploads;
  const records = parts.all(recordsId);
  // Onto itself, bytes that nothing proves would replace the only good ones.
  if (isOntoItself(context, item) && records.some(({ state }) => state !== 'sent')) {
    saveItem(context, await abandonParts(context, savedItem(context, item)));
    throw failure(
      'unsupported',
      'The bytes pass through this computer, and the service proves none of them.',
      {
        reason: 'not-implemented',
      },
    );
  }
  const md5s = new Map(records.map(({ partNumber, md5 }) => [partNumber, md5]));
  const partMd5s = plan.map(({ partNumber }) => md5s.get(partNumber) ?? null);
  try {
    if (judgeRelayed(source, { wholeMd5, partMd5s }) === 'proved') return;
  } catch (thrown) {
    // The damaged part is unknown, so all are forgotten.
    context.deps.store.transaction(() => parts.clear(recordsId));
    throw thrown;
  }
  const turns = { turns: context.turns, order: item.seq, signal: context.signal };
  await forEachInTurn(plan, turns, async (part) => {
    const got = await md5OfSourcePart(context, reader, part);
    const expected = md5s.get(part.partNumber) ?? '';
    if (got === expected) return;
    context.deps.store.transaction(() => parts.remove(recordsId, part.partNumber));
    throw damageFailure({ what: 'md5', expected, got });
  });
}

/**
 * Completes, by the decisions of finishing stalled uploads: an unknown outcome is verified; the token tells for certain. Throws
 * the upload's failure when it ends without success.
 */
export async function finishParts(
  context: CopyContext,
  item: CopyItem,
  confirmComplete: ConfirmComplete,
): Promise<Attempted> {
  const { upload, heldBack, item: now } = await runUpload(context, item, confirmComplete);
  // An object appeared at the target: handled as any other conflict, and the parts are kept.
  if (heldBack !== null) {
    const back: CopyItem = { ...now, upload: null, restarts: now.restarts + 1, dueMs: 0 };
    return { kind: 'not-yet', item: saveItem(context, back) };
  }
  switch (upload.state) {
    case 'done':
      return written(context, now, await hasToken(context, now));
    case 'retry-scheduled':
    case 'verifying-outcome':
      return { kind: 'not-yet', item: { ...now, dueMs: upload.dueMs ?? 0, error: upload.error } };
    case 'needs-attention':
      // An unreadable or damaged copy does not count: its source stays.
      if (upload.reason === 'object-unreadable' || upload.error?.code === 'damaged') break;
      if (upload.completion !== null && (await hasToken(context, now))) return written(context, now, true);
      break;
    default:
      break;
  }
  switch (upload.reason) {
    case 'upload-gone':
    case 'lost':
    case 'overwritten':
    case 'object-unreadable':
    case 'parts-changed':
      saveItem(context, forgetParts(now));
      break;
    default:
      break;
  }
  throw uploadFailureOf(upload);
}

/** The end of a copy in parts. Only bytes that passed here were compared with what the target reports, part by part. */
function written(context: CopyContext, item: CopyItem, isOurs: boolean): Attempted {
  const uploadId = item.copy?.parts?.uploadId ?? item.upload?.uploadId ?? null;
  const parts = uploadId === null ? [] : context.deps.uploads.parts.all(recordsIdOf(context, item, uploadId));
  const isProved = isOurs && parts.length > 0 && parts.every(({ state }) => state === 'sent');
  return { kind: 'written', item, etag: null, isOurs, isProved };
}

async function hasToken(context: CopyContext, item: CopyItem): Promise<boolean> {
  if (item.token === null) return false;
  try {
    const head = await headObject(context.target, targetRef(context, item), context.signal, context.log);
    return head !== null && head.metadata[tokenName] === item.token;
  } catch (thrown) {
    if (toAppError(thrown).code !== 'access-denied') throw thrown;
    return false;
  }
}

/**
 * Ceph decodes the source of UploadPartCopy twice (seen in 16.2.15): for `a%41` it would copy `aA`, and for `a%b` it
 * crashes. No answer tells it, so the bytes of such keys go through this computer, whatever the service.
 */
function isDecodedTwice(key: string): boolean {
  return key.includes('%');
}

function withParts(item: CopyItem, parts: NonNullable<NonNullable<CopyItem['copy']>['parts']>): CopyItem {
  if (item.copy === null) throw failure('internal', 'A copy in parts without its intent.');
  return { ...item, copy: { ...item.copy, parts } };
}

function forgetParts(item: CopyItem): CopyItem {
  const copy = item.copy === null ? null : { ...item.copy, parts: null };
  return { ...item, copy, upload: null, begun: null, token: null };
}

function recordsIdOf(context: CopyContext, item: CopyItem, uploadId: string): string {
  return `${context.job.id}/${item.seq}/${uploadId}`;
}

/** Aborts the unfinished upload of this job, whose Complete was not sent. Returns the item without its parts. */
export async function abandonParts(context: CopyContext, item: CopyItem): Promise<CopyItem> {
  const parts = item.copy?.parts ?? null;
  if (parts === null) return item;
  const ref = { ...targetRef(context, item), uploadId: parts.uploadId };
  try {
    await logged(context.log, 'abort', () =>
      context.target.abortMultipartUpload(ref, { signal: context.signal }),
    );
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code !== 'upload-gone' && error.code !== 'not-found') throw thrown;
  }
  context.signal.throwIfAborted();
  return forgetParts(item);
}

/**
 * Removes the partial copy when its source has disappeared, before the item fails: its parts are useless and cost money. Throws
 * an error of Abort that is worth a retry.
 */
export async function removePartsOfGone(
  context: CopyContext,
  item: CopyItem,
  thrown: unknown,
): Promise<void> {
  const { code, reason } = toAppError(thrown);
  if (code !== 'not-found' || reason !== 'no-such-key') return;
  const latest = savedItem(context, item);
  // A Complete that may have been sent is verified instead.
  if ((latest.copy?.parts ?? null) === null || (latest.upload?.completion ?? null) !== null) return;
  const { client, signal, log } = context;
  if ((await headObject(client, sourceRef(context, latest), signal, log)) !== null) return;
  try {
    saveItem(context, await abandonParts(context, latest));
  } catch (refusal) {
    if (toAppError(refusal).retry === 'backoff') throw refusal;
    // The failure is logged. The upload is listed among the stalled ones, where the user can remove it.
    signal.throwIfAborted();
  }
}
