import { createHash } from 'node:crypto';
import { readdir, realpath } from 'node:fs/promises';
import { failure, toAppError } from '../../../../shared/errors.ts';
import { defaultMultipartFromBytes } from '../../../../shared/models/default-settings.ts';
import { defaultUploadOptions } from '../../../../shared/models/transfers.ts';
import type { ObjectAttributes } from '../../s3/model/object-types.ts';
import { checkReal } from '../../disk/fence.ts';
import { readFailure } from '../../disk/disk-failure.ts';
import { codeOf } from '../../disk/small-files.ts';
import { lookAtFile, type JobFile } from '../../disk/local-file.ts';
import { logged } from '../../jobs/log-request.ts';
import { conflictPolicyOf, askUser, saveItem, settled, type ItemContext } from '../items/item-context.ts';
import { verdictOn, type UploadItem } from '../items/transfer-item.ts';
import { beginUpload, continueUpload, isFromThisItem } from './upload-in-parts.ts';
import { sourceOf } from '../items/transfer-job.ts';
import { markerAttributes, uploadAttributes } from './upload-attributes.ts';
import {
  consentToComplete,
  decideAgainst,
  decideUploadTarget,
  isObjectAsPlanned,
  headUploadTarget,
  isSmallEnoughForPut,
  noteTakenKey,
  renameToFreeKey,
  sideOfFile,
  sideOfObject,
  verdictOnTarget,
  type SinglePutFile,
} from './upload-target.ts';
import { bodyOf, learnConditional, put, readSmall, sendWhole } from './upload-whole.ts';

/**
 * Uploads one file, or the placeholder of one folder. Returns the item's new state, which the caller stores. Throws
 * `AppError('storage')` if the file cannot be read or has changed, and `AppError('conflict')` if the key is taken.
 */
export async function uploadItem(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  if (item.sync === null) return await sendItem(context, item);
  const next = await sendItem(context, await agreedByPlan(context, item));
  // The target changed after the plan was made, so the user must decide again.
  return next.state === 'asking' ? { ...next, sync: null, decision: null } : next;
}

/** Returns the item with the decision to overwrite, if the key still has the object that the user saw in the plan. */
async function agreedByPlan(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  const planned = item.sync?.target ?? null;
  if (planned === null || item.decision !== null || item.upload !== null) return item;
  const headResult = await headUploadTarget(context, item.key);
  return headResult.kind === 'present' && isObjectAsPlanned(planned, headResult)
    ? { ...item, decision: 'overwrite' }
    : item;
}

async function sendItem(context: ItemContext, found: UploadItem): Promise<UploadItem> {
  const item = await abortGivenUp(context, found);
  if (item.kind === 'folder') return await putMarker(context, item);
  const fromBytes = multipartFrom(context);
  if (item.upload !== null)
    return await finishParts(context, item, await lookAtFile(sourceOf(context.job, item)));
  const { file, small } = await readSmall(context, item, fromBytes);
  const decided = await decideUploadTarget(context, item, file, small);
  if (decided.state !== 'todo') return decided;
  if (small !== null) return await putFile(context, decided, file, small);
  const attributes = attributesOf(context, item.key, file);
  return await finishParts(context, await beginUpload(context, decided, file, attributes, fromBytes), file);
}

/** Returns the size from which files are sent in parts. It is lowered if the service rejected smaller files as too large. */
function multipartFrom({ job, client, deps }: ItemContext): number {
  const configuredBytes = job.upload?.multipartFromBytes ?? defaultMultipartFromBytes;
  const maxPartBytes = client.partLimits.maxPartBytes(deps.minPartBytes);
  return maxPartBytes >= deps.minPartBytes ? Math.min(configuredBytes, maxPartBytes + 1) : configuredBytes;
}

async function putFile(
  context: ItemContext,
  item: UploadItem,
  file: JobFile,
  small: SinglePutFile,
): Promise<UploadItem> {
  const attributes = attributesOf(context, item.key, file);
  const content = { ...small, body: bodyOf(context, file, small) };
  const putResult = await sendWhole(file, small, () => put(context, item, attributes, content));
  if (putResult !== 'taken') {
    if (isSmallEnoughForPut(small)) await learnConditional(context, item, attributes, content);
    return uploaded({ ...item, sizeBytes: file.sizeBytes }, putResult === 'proved');
  }
  noteTakenKey(context.job, true);
  // Another client wrote the key first, or an earlier attempt of this item was applied after all.
  const headResult = await headUploadTarget(context, item.key);
  if (headResult.kind === 'unreadable' && conflictPolicyOf(context, item) === 'skip')
    return settled(item, { state: 'skipped' });
  if (headResult.kind === 'unreadable')
    throw failure('conflict', 'The key has an object that this account may not read.', {
      reason: 'precondition-failed',
      retry: 'after-fix',
    });
  if (headResult.kind !== 'present')
    throw failure('conflict', 'The key had an object, which no longer exists.', {
      reason: 'busy',
      retry: 'backoff',
    });
  const isAgreed = conflictPolicyOf(context, item) === 'overwrite';
  // A plan allows replacing only the object that it shows, so its decision does not apply to this object.
  const undecidedItem = { ...item, damaged: null, ...(isAgreed ? { decision: null } : {}) };
  const next = await decideAgainst(context, undecidedItem, file, small, headResult);
  return next.state === 'todo' ? await putFile(context, next, file, small) : next;
}

/** Uploads a folder's placeholder: an empty object whose key ends with the delimiter. Only empty folders need one. */
async function putMarker(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  let names: readonly string[];
  try {
    const { within } = sourceOf(context.job, item);
    checkReal(await realpath(item.path), within);
    names = await readdir(item.path);
  } catch (thrown) {
    throw readFailure(codeOf(thrown));
  }
  if (names.length > 0)
    throw failure('storage', 'This folder is no longer empty. Upload it again.', {
      reason: 'file-changed',
      retry: 'after-fix',
    });
  const headResult = await headUploadTarget(context, item.key);
  if (headResult.kind === 'present') return settled(item, { state: 'done', note: 'same' });
  const md5 = createHash('md5').digest();
  const attributes = markerAttributes(context.job.upload ?? defaultUploadOptions);
  // A placeholder that another client wrote meanwhile is equivalent.
  const bytes = new Uint8Array(0);
  const body = { sizeBytes: 0, open: () => bytes };
  const content = { body, md5, checksums: context.client.checksums.of(bytes) };
  return uploaded(item, (await put(context, item, attributes, content)) !== 'unproved');
}

/** Returns the item as done, with a note if the service's response does not prove the content. */
function uploaded(item: UploadItem, isProved: boolean): UploadItem {
  return settled(item, { state: 'done', damaged: null, ...verdictOn(item.note, isProved) });
}

async function finishParts(context: ItemContext, item: UploadItem, file: JobFile): Promise<UploadItem> {
  const { item: next, blockingObject } = await continueUpload(context, item, (before) =>
    consentToComplete(context, item, before),
  );
  // Another object appeared at the key since the upload started. All parts of this upload are stored.
  if (blockingObject?.kind !== 'present') return next;
  // A Complete request that reported failure did succeed. On Ceph, its parts may belong to the object, so they are not deleted.
  if (await isFromThisItem(context, next)) return settled(next, { state: 'done', verified: null });
  const policy = conflictPolicyOf(context, next);
  // Here, `overwrite` is the decision of a plan that does not show this object, so the user must decide.
  const verdict = policy === 'overwrite' ? 'ask' : verdictOnTarget(policy, file, blockingObject);
  switch (verdict) {
    case 'replace':
      return { ...next, decision: 'overwrite', dueMs: 0 };
    case 'skip':
      return settled(await giveUpParts(context, next), { state: 'skipped' });
    case 'rename':
      return { ...(await renameToFreeKey(context, await giveUpParts(context, next))), dueMs: 0 };
    case 'ask':
      return askUser(next, sideOfFile(file), sideOfObject(blockingObject));
    default:
      return verdict satisfies never;
  }
}

/** Aborts a multipart upload that the user no longer wants, because stored parts cost money. */
async function giveUpParts(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  const { upload, key } = item;
  const givenUp = upload === null ? null : { key, uploadId: upload.uploadId };
  return await abortGivenUp(
    context,
    saveItem(context, { ...item, upload: null, begun: null, token: null, givenUp }),
  );
}

async function abortGivenUp(context: ItemContext, item: UploadItem): Promise<UploadItem> {
  const { client, job, signal, log } = context;
  const { givenUp } = item;
  if (givenUp === null) return item;
  try {
    await logged(
      log,
      'abort',
      () => client.abortMultipartUpload({ bucket: job.bucket, ...givenUp }, { signal }),
      givenUp.uploadId,
    );
  } catch (thrown) {
    if (toAppError(thrown).retry === 'backoff') throw thrown;
    // The failure is in the job's log. The user can abort the upload under “Stalled uploads”.
    signal.throwIfAborted();
  }
  return { ...item, givenUp: null };
}

function attributesOf(context: ItemContext, key: string, file: JobFile): ObjectAttributes {
  return uploadAttributes(context.job.upload ?? defaultUploadOptions, key, file.mtimeNs);
}
