import { failure, toAppError } from '../../../../shared/errors.ts';
import { settled } from '../../transfers/items/item-context.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import { fitsXml } from '../../s3/xml/render.ts';
import { saveSoon, sourceRef, type CopyContext } from './copy-context.ts';
import { hasCopy } from './copy-target.ts';
import { headObject, seenOf } from '../objects/look-at-object.ts';
import type { NewAttempt } from '../../jobs/job.ts';
import { expectObject, sendIf } from '../../s3/conditions/conditional.ts';
import type { ObjectHead, ObjectRef } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { logged } from '../../jobs/log-request.ts';

interface Deletion {
  readonly client: S3Client;
  readonly ref: ObjectRef;
  readonly expectedHead: ObjectHead;
  readonly signal: AbortSignal;
  readonly log: (attempt: NewAttempt) => void;
}

/**
 * Deletes the object only if it is unchanged. A named version never changes and needs no condition. Throws `precondition-failed`
 * if the key has another object, and `not-found` if it has none.
 */
export async function deleteIf({ client, ref, expectedHead, signal, log }: Deletion): Promise<void> {
  if (ref.versionId !== undefined) {
    await logged(log, 'delete-object', () => client.deleteObject(ref, { signal }), ref.key);
    return;
  }
  const look = (): Promise<ObjectHead | null> => headObject(client, ref, signal, log);
  const required = {
    client,
    ref,
    operation: 'delete',
    expected: expectObject(seenOf(expectedHead)),
    look,
  } as const;
  await sendIf(required, async (condition, tries) =>
    logged(
      log,
      'delete-object',
      () => client.deleteObject({ ...ref, ...ifMatchOf(condition) }, { signal, ...tries }),
      ref.key,
    ),
  );
}

function ifMatchOf({ ifMatch }: { readonly ifMatch?: string }): { readonly ifMatch?: string } {
  return ifMatch === undefined ? {} : { ifMatch };
}

/**
 * Deletes the source of a move. In a large job, several sources are deleted by one request. Returns the finished item; null if
 * source or copy has changed since the copy was proved. Throws the service's refusal.
 */
export async function removeSource(context: CopyContext, item: CopyItem): Promise<CopyItem | null> {
  if (context.shared === null || !fitsXml(item.key)) return await removeAlone(context, item);
  const removed = await context.shared.removals.add({ context, item });
  switch (removed.kind) {
    case 'gone':
      return removed.item;
    case 'alone':
      return await removeAlone(context, removed.item);
    case 'refused':
      throw removed.failure;
    default:
      return removed satisfies never;
  }
}

/**
 * Deletes the source of a move by a separate request, only if source and copy are both unchanged. The intent is stored before the
 * request.
 */
async function removeAlone(context: CopyContext, item: CopyItem): Promise<CopyItem | null> {
  const { copy } = item;
  if (copy === null || copy.target === null)
    throw failure('internal', 'The move has no copy, so its source must not be deleted.');
  const { signal, log } = context;
  const [source, isCopied] = await Promise.all([
    headObject(context.client, sourceRef(context, item), signal, log),
    hasCopy(context, item, copy.target),
  ]);
  if (source === null) {
    // This job or another client deleted the source. The move is done if the copy exists.
    if (isCopied || copy.stage === 'deleting')
      return settled(item, { state: 'done', verified: item.verified });
    throw failure('not-found', 'Both the object and its copy are missing.', { reason: 'no-such-key' });
  }
  if (!isCopied || !isUnchanged(copy.source, seenOf(source))) return null;
  const intent = await saveSoon(context, { ...item, copy: { ...copy, stage: 'deleting' } });
  try {
    await deleteIf({
      client: context.client,
      ref: sourceRef(context, item),
      expectedHead: source,
      signal,
      log,
    });
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.reason === 'precondition-failed') return null;
    if (error.code !== 'not-found' || error.reason === 'no-such-bucket') throw thrown;
  }
  return settled(intent, { state: 'done', verified: item.verified });
}
