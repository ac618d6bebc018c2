import { failure, toAppError } from '../../../../shared/errors.ts';
import type { ChecksumAlgorithm } from '../../disk/checksums.ts';
import type { CreatedUpload } from '../../s3/model/multipart-types.ts';
import type { ObjectAttributes } from '../../s3/model/object-types.ts';
import { isPartLimit } from '../../s3/model/part-limits.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { checkUnchanged, type JobFile } from '../../disk/local-file.ts';
import { logged } from '../../jobs/log-request.ts';
import { loggedHead } from '../../multipart/outcome/look.ts';
import { resumeJob } from '../../multipart/new-jobs.ts';
import type { UploadJob } from '../../multipart/upload-job.ts';
import { uploadPages } from '../../multipart/list-uploads.ts';
import type { HeadResult } from '../../multipart/outcome/outcome.ts';
import { saveItem, settled, type ItemContext } from '../items/item-context.ts';
import { tokenName } from '../items/mtime.ts';
import { partSizeFor, slotsFor } from '../items/part-size.ts';
import { uploadFailureOf, runUpload, type ConfirmComplete } from '../items/run-upload.ts';
import { verdictOn, type MultipartItem, type UploadItem, type Item } from '../items/transfer-item.ts';
import { hidesMd5 } from './upload-attributes.ts';
import { setTags } from '../../s3/conditions/proved-change.ts';

/**
 * Starts an item's multipart upload, without sending a part. Throws `AppError('storage')` if the file has changed,
 * `AppError('invalid-argument')` if no part size fits the limits of the service, and the service's error.
 */
export async function beginUpload(
  context: ItemContext,
  item: UploadItem,
  file: JobFile,
  attributes: ObjectAttributes,
  fromBytes: number,
): Promise<UploadItem> {
  const { deps, client, job } = context;
  const where = { bucket: job.bucket, key: item.key };
  const opened = await openUpload(context, { client, ...where }, item, {
    ...attributes,
    ...client.checksums.ofUploads,
  });
  const { item: intent, uploadId, checksumAlgorithm } = opened;
  await checkUnchanged(file);
  const ref = { connectionId: job.connectionId, ...where, uploadId };
  const seed = {
    id: `${job.id}/${item.seq}/${deps.random.id()}`,
    nowMs: deps.clock.nowMs(),
    ref,
    quietUntilMs: 0,
  };
  const { minPartBytes } = deps;
  const preferredPartBytes = job.upload?.partSizeBytes ?? null;
  const slots = slotsFor(
    file.sizeBytes,
    partSizeFor(file.sizeBytes, { preferredPartBytes, fromBytes, minPartBytes, limits: client.partLimits }),
  );
  const options = { parallelParts: null, bandwidthBytesPerSecond: null, acceptUnverified: false };
  const etagsAreNotMd5 = hidesMd5(job.upload?.encryption ?? { kind: 'none' });
  const made = resumeJob({ slots, file, etagsAreNotMd5, initiatedAt: null, standing: null }, options, seed);
  return saveItem(context, { ...intent, upload: { ...made.job, checksumAlgorithm } }, () => {
    for (const record of made.records) deps.uploads.parts.put(made.job.id, record);
  });
}

/** The service, bucket and key to which parts are uploaded. */
export interface UploadPlace {
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
}

/**
 * Starts a multipart upload after storing its token and intent. If the response to an earlier request was lost, finds and uses
 * the upload that it started.
 */
export async function openUpload<I extends MultipartItem>(
  context: ItemContext,
  place: UploadPlace,
  item: I,
  attributes: ObjectAttributes & { readonly checksumAlgorithm?: ChecksumAlgorithm },
): Promise<CreatedUpload & { readonly item: I }> {
  const { deps, signal } = context;
  const token = item.token ?? deps.random.id();
  const known = item.begun?.known ?? (await uploadsOf(context, place));
  const lost = item.begun === null ? null : await lostUpload(context, place, known);
  const intent = saveItem(context, { ...item, token, begun: { known } });
  // The algorithm of this upload is not known yet; ListParts reports it later.
  if (lost !== null) return { item: intent, uploadId: lost, checksumAlgorithm: null };
  const { client, bucket, key } = place;
  const metadata = { ...attributes.metadata, [tokenName]: token };
  const created = await logged(
    context.log,
    'create-upload',
    () => client.createMultipartUpload({ bucket, key, ...attributes, metadata }, { signal }),
    (made) => made.uploadId,
  );
  return { item: intent, ...created };
}

/** The maximum number of attempts to list uploads. The list is only needed to find an upload after a lost response. */
const listTries = 3;

/** Returns the ids of all uploads of this key; null if the service does not list uploads or fails repeatedly. */
async function uploadsOf(
  context: ItemContext,
  { client, bucket, key }: UploadPlace,
): Promise<string[] | null> {
  const found: string[] = [];
  try {
    for await (const page of uploadPages(client, bucket, key, context.signal, { maxTries: listTries }))
      for (const upload of page.uploads) {
        if (upload.key === key) found.push(upload.uploadId);
        // Keys are sorted, so only keys that start with this key can follow.
        else return found;
      }
    return found;
  } catch (thrown) {
    context.signal.throwIfAborted();
    // With expired credentials, all other requests would fail too.
    if (toAppError(thrown).code === 'auth-expired') throw thrown;
    return null;
  }
}

/**
 * Returns the upload whose CreateMultipartUpload response was lost: the only new upload without parts since the intent was
 * stored; null if there is none.
 */
async function lostUpload(
  context: ItemContext,
  place: UploadPlace,
  known: readonly string[] | null,
): Promise<string | null> {
  if (known === null) return null;
  const currentIds = await uploadsOf(context, place);
  const fresh = (currentIds ?? []).filter((id) => !known.includes(id));
  const [only] = fresh;
  if (only === undefined || fresh.length > 1) return null;
  const { client, bucket, key } = place;
  const { parts } = await client.listParts(
    { bucket, key, uploadId: only, maxParts: 1 },
    { signal: context.signal },
  );
  return parts.length === 0 ? only : null;
}

/** Returns true if the object certainly consists of the sent parts: each part was verified, or a checksum covers them all. */
function isProved({ outcome, completion }: UploadJob): boolean {
  if (outcome !== 'completed' || completion === null) return false;
  return completion.intent.partsVerified || completion.sent.answer?.isProved === true;
}

function toResult(item: UploadItem): { readonly item: UploadItem; readonly blockingObject: null } {
  return { item, blockingObject: null };
}

/**
 * Continues an item's multipart upload. `blockingObject` is the object at its key if it may not be replaced. Throws the
 * upload's error if it needs attention, and `AppError('internal')` for an unexpected state.
 */
export async function continueUpload(
  context: ItemContext,
  item: UploadItem,
  confirmComplete: ConfirmComplete,
): Promise<{ readonly item: UploadItem; readonly blockingObject: HeadResult | null }> {
  const { upload, blockingObject, item: latestItem } = await runUpload(context, item, confirmComplete);
  if (blockingObject !== null) return { item: latestItem, blockingObject };
  switch (upload.state) {
    case 'done':
      await tagFinished(context, latestItem);
      return toResult(
        settled(latestItem, { state: 'done', ...verdictOn(latestItem.note, isProved(upload)) }),
      );
    case 'retry-scheduled':
    case 'verifying-outcome':
      return toResult({ ...latestItem, dueMs: upload.dueMs ?? 0, error: upload.error });
    case 'paused':
      throw uploadFailureOf(upload);
    case 'needs-attention':
      return toResult(await settleUnfinished(context, latestItem));
    default:
      throw failure('internal', `An upload in parts stopped in the state ${upload.state}.`);
  }
}

/**
 * Settles an upload that ended without success. If size and ETag prove nothing, the token shows whether the object comes from
 * this upload.
 */
async function settleUnfinished(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  const { upload } = item;
  if (upload === null) return item;
  // An unreadable or damaged object never counts as done, even with this item's token.
  const isReadable = upload.reason !== 'object-unreadable' && upload.error?.code !== 'damaged';
  if (isReadable && upload.completion !== null && (await isFromThisItem(context, item)))
    return settled(item, { state: 'done', verified: null });
  const { error } = uploadFailureOf(upload);
  const failed: UploadItem = { ...item, state: 'failed', error };
  // A retry starts a new upload, whose parts fit the limit that was just learned.
  if (isPartLimit(error)) return { ...failed, upload: null, begun: null, token: null };
  switch (upload.reason) {
    case 'upload-gone':
    case 'lost':
    case 'overwritten':
    case 'object-unreadable':
    case 'file-changed':
    case 'file-missing':
      // A retry starts a new upload. The parts already sent cannot be used; the user can delete them under “Stalled uploads”.
      return { ...failed, upload: null, begun: null, token: null };
    default:
      return failed;
  }
}

/** Returns true if the object at the key has this item's token in its metadata. */
export async function isFromThisItem(context: ItemContext, { key, token }: UploadItem): Promise<boolean> {
  if (token === null) return false;
  const { client, job, signal, log } = context;
  const head = await loggedHead(log, client, { bucket: job.bucket, key }, signal);
  return head?.metadata[tokenName] === token;
}

/**
 * Sets the tags of a completed upload again if they are missing, because Ceph RGW loses tags sent with CreateMultipartUpload.
 * Runs before the item counts as done. Throws AppFailure if the tags cannot be written.
 */
async function tagFinished(context: ItemContext, item: Item): Promise<void> {
  const { client, job, signal } = context;
  const requestedTags = Object.entries(job.upload?.tags ?? {}).map(([key, value]) => ({ key, value }));
  if (requestedTags.length === 0) return;
  const ref = { bucket: job.bucket, key: item.key };
  const storedTags = await tagsAt(context, ref);
  if (storedTags !== null && requestedTags.every(({ key, value }) => storedTags.get(key) === value)) return;
  await logged(context.log, 'put-tags', () => setTags(client, ref, requestedTags, { signal }), item.key);
}

/** Returns the object's tags; null if they cannot be read. The caller then writes the tags, which is harmless if they exist. */
async function tagsAt(
  { client, signal }: ItemContext,
  ref: { readonly bucket: string; readonly key: string },
): Promise<ReadonlyMap<string, string> | null> {
  try {
    const tags = await client.getObjectTags(ref, { signal });
    return new Map(tags.map(({ key, value }) => [key, value]));
  } catch (thrown) {
    if (signal.aborted || toAppError(thrown).retry === 'backoff') throw thrown;
    return null;
  }
}
