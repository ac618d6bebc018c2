import { failure, toAppError } from '../../../../shared/errors.ts';
import { saveItem } from '../../transfers/items/item-context.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { logged } from '../../jobs/log-request.ts';
import { savedItem, sourceRef, targetRef, type CopyContext } from './copy-context.ts';
import { headObject } from '../objects/look-at-object.ts';

/** Returns the item with this multipart upload. Throws `AppError('internal')` if the item has no stored intent to copy. */
export function withParts(
  item: CopyItem,
  parts: NonNullable<NonNullable<CopyItem['copy']>['parts']>,
): CopyItem {
  if (item.copy === null) throw failure('internal', 'The stored item of this copy in parts has no intent.');
  return { ...item, copy: { ...item.copy, parts } };
}

/** Returns the item without its upload in parts. */
export function forgetParts(item: CopyItem): CopyItem {
  const copy = item.copy === null ? null : { ...item.copy, parts: null };
  return { ...item, copy, upload: null, begun: null, token: null };
}

export function recordsIdOf(context: CopyContext, item: CopyItem, uploadId: string): string {
  return `${context.job.id}/${item.seq}/${uploadId}`;
}

/** Aborts the upload in parts of this item. Returns the item without it. */
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
 * Aborts the multipart upload if the source is gone, because its parts are useless and cost money. Throws the error of the Abort
 * request if a retry may help.
 */
export async function removePartsOfGone(
  context: CopyContext,
  item: CopyItem,
  thrown: unknown,
): Promise<void> {
  const { code, reason } = toAppError(thrown);
  if (code !== 'not-found' || reason !== 'no-such-key') return;
  const latest = savedItem(context, item);
  // A Complete request may have been sent, so its outcome is verified instead.
  if ((latest.copy?.parts ?? null) === null || (latest.upload?.completion ?? null) !== null) return;
  const { client, signal, log } = context;
  if ((await headObject(client, sourceRef(context, latest), signal, log)) !== null) return;
  try {
    saveItem(context, await abandonParts(context, latest));
  } catch (refusal) {
    if (toAppError(refusal).retry === 'backoff') throw refusal;
    // The failure is in the job's log. The user can abort the upload under “Stalled uploads”.
    signal.throwIfAborted();
  }
}
