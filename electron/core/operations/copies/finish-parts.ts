import { AppFailure, failure, toAppError } from '../../../../shared/errors.ts';
import type { JobReason } from '../../../../shared/models/jobs.ts';
import { saveItem } from '../../transfers/items/item-context.ts';
import { tokenName } from '../../transfers/items/mtime.ts';
import { uploadFailureOf, runUpload, type ConfirmComplete } from '../../transfers/items/run-upload.ts';
import { sameEtag } from '../../s3/model/etag.ts';
import type { UploadJob } from '../../multipart/upload-job.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { targetRef, type CopyContext } from './copy-context.ts';
import type { Attempted } from './copy-whole.ts';
import { headObject } from '../objects/look-at-object.ts';
import { forgetParts, recordsIdOf } from './copy-leftovers.ts';

/**
 * Completes a multipart copy by the rules for stalled uploads. If the outcome is unknown, the token in the metadata shows whether
 * the object is this copy. Throws the upload's error if it fails, and `precondition-failed` if an object appeared at the target.
 */
export async function finishParts(
  context: CopyContext,
  item: CopyItem,
  confirmComplete: ConfirmComplete,
): Promise<Attempted> {
  const { upload, blockingObject: heldBack, item: now } = await runUpload(context, item, confirmComplete);
  // The item decides about this conflict again, a limited number of times; the parts stay stored.
  if (heldBack !== null) {
    saveItem(context, { ...now, upload: null });
    throw failure('conflict', 'An object appeared at the target of the copy.', {
      reason: 'precondition-failed',
      retry: 'after-fix',
    });
  }
  switch (upload.state) {
    case 'done':
      return written(context, now, upload, await findToken(context, now));
    case 'retry-scheduled':
    case 'verifying-outcome':
      return { kind: 'not-yet', item: { ...now, dueMs: upload.dueMs ?? 0, error: upload.error } };
    case 'needs-attention':
      if (upload.reason === 'parts-rejected' && upload.error?.code === 'damaged') {
        forgetUnprovedParts(context, now, upload);
        throw new AppFailure({ ...upload.error, retry: 'backoff' });
      }
      // An unreadable or damaged copy does not count as written, so its source is kept.
      if (upload.reason === 'object-unreadable' || upload.error?.code === 'damaged') break;
      if (upload.completion !== null && (await findToken(context, now)) === 'found')
        return written(context, now, upload, 'found');
      break;
    default:
      break;
  }
  if (upload.reason !== null && uselessParts.has(upload.reason)) saveItem(context, forgetParts(now));
  throw uploadFailureOf(upload);
}

/** The reasons after which the parts of an upload cannot be used, so that the next attempt starts another one. */
const uselessParts: ReadonlySet<JobReason> = new Set([
  'upload-gone',
  'lost',
  'overwritten',
  'object-unreadable',
  'parts-changed',
]);

/** Deletes the records of parts that may be damaged, or else of all parts, so that the next attempt copies these parts again. */
function forgetUnprovedParts(context: CopyContext, item: CopyItem, { uploadId }: UploadJob): void {
  const { parts } = context.deps.uploads;
  const recordsId = recordsIdOf(context, item, uploadId);
  const records = parts.all(recordsId);
  const unproved = records.filter(({ state }) => state !== 'sent');
  saveItem(context, { ...item, upload: null }, () => {
    for (const { partNumber } of unproved.length > 0 ? unproved : records)
      parts.remove(recordsId, partNumber);
  });
}

/**
 * Returns a copy whose upload was completed. It is proved if the response to the Complete request named the checksum of all bytes,
 * or if all content passed through this computer and the target confirmed each part.
 */
function written(
  context: CopyContext,
  item: CopyItem,
  { uploadId, completion }: UploadJob,
  token: TokenFound,
): Attempted {
  const parts = context.deps.uploads.parts.all(recordsIdOf(context, item, uploadId));
  const areProved = parts.length > 0 && parts.every(({ state }) => state === 'sent');
  const reply = completion?.sent.answer ?? null;
  const isOurs = token === 'found';
  // If the target may not be read, the response to the Complete request identifies the object.
  const etag = token === 'hidden' ? (reply?.etag ?? null) : null;
  const isNamed = sameEtag(etag, completion?.intent.expectedEtag ?? null);
  const isProved = reply?.isProved === true || (areProved && (isOurs || isNamed));
  return { kind: 'written', item, etag, isOurs, isProved, checksums: completion?.intent.checksums ?? {} };
}

/** The result of looking for the token of this copy at the target. `hidden` means that the target may not be read. */
type TokenFound = 'found' | 'missing' | 'hidden';

async function findToken(context: CopyContext, item: CopyItem): Promise<TokenFound> {
  if (item.token === null) return 'missing';
  try {
    const head = await headObject(context.target, targetRef(context, item), context.signal, context.log);
    return head !== null && head.metadata[tokenName] === item.token ? 'found' : 'missing';
  } catch (thrown) {
    if (toAppError(thrown).code !== 'access-denied') throw thrown;
    return 'hidden';
  }
}
