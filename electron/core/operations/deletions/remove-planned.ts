import { AppFailure, failure, type AppError } from '../../../../shared/errors.ts';
import type { Deleter } from './deleter.ts';
import { sameEtag, strongEtag } from '../../s3/model/etag.ts';
import { lookAtKey, type Look } from '../../s3/conditions/look-at-key.ts';
import type { ObjectHead } from '../../s3/model/object-types.ts';
import { atLeast, slots, type Slots } from '../../flow/limits.ts';
import { settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { Seen } from '../../transfers/items/operation-record.ts';
import type { Item } from '../../transfers/items/transfer-item.ts';
import { seenListed } from '../objects/look-at-object.ts';
import { isObjectAsPlanned } from '../../transfers/uploads/upload-target.ts';
import { logged } from '../../jobs/log-request.ts';

const looksAtOnce = 16;
const looks = new WeakMap<Deleter, Slots>();

/**
 * Deletes an object that a synchronization's plan names, only if it is below the job's prefix and unchanged since. Throws the
 * service's refusal, and `AppError('internal')` if no plan names the object.
 */
export async function removePlanned(deleter: Deleter, context: ItemContext, item: Item): Promise<Item> {
  const { client, job, log, signal } = context;
  const { key } = item;
  const planned = item.sync?.target ?? null;
  if (planned === null || !key.startsWith(job.prefix) || key === job.prefix)
    throw failure('internal', 'The deletion has no plan.');
  const inSlot = looks.get(deleter) ?? slots(atLeast(looksAtOnce, client.pace));
  looks.set(deleter, inSlot);
  const seen = await inSlot(signal, async () =>
    logged(
      log,
      'head-object',
      () => lookAtKey(client, { bucket: job.bucket, key }, { signal }),
      (found) => `${found.kind}: ${key}`,
    ),
  );
  // The plan was made from a listing, so a listing is enough here if HEAD is refused.
  const now = seen.kind === 'unreadable' ? await listedNow(context, key, seen.error) : headOf(seen);
  if (now === null) return settled(item, { state: 'done', note: 'removed' });
  if (!isObjectAsPlanned(planned, now)) return settled(item, { state: 'skipped', note: 'changed-since' });
  // A proxy may mark the ETag of a HEAD response as weak. The strong ETag of the listing still works as a condition.
  const isListedBetter = strongEtag(now.etag) === null && sameEtag(planned.etag, now.etag);
  const etag = isListedBetter ? planned.etag : now.etag;
  const { result: failed } = await deleter.remove(context, { key, versionId: null, seen: { ...now, etag } });
  if (failed?.error.reason === 'precondition-failed')
    return settled(item, { state: 'skipped', note: 'changed-since' });
  if (failed !== null) throw failed;
  return settled(item, { state: 'done', note: 'removed' });
}

function headOf(look: Exclude<Look, { kind: 'unreadable' }>): ObjectHead | null {
  return look.kind === 'present' ? look.head : null;
}

/** Returns the object from a new listing; null if it is not listed. Throws `refusal` if listing fails too. */
async function listedNow(
  { client, job, log, signal }: ItemContext,
  key: string,
  refusal: AppError,
): Promise<Seen | null> {
  try {
    const { objects } = await logged(
      log,
      'list-objects',
      () => client.listObjects({ bucket: job.bucket, prefix: key, maxKeys: 1 }, { signal }),
      () => key,
    );
    // A key sorts before all longer keys that start with it, so it would be listed first.
    const [first] = objects;
    return first?.key === key ? seenListed(first) : null;
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof AppFailure) throw new AppFailure(refusal, { cause: thrown });
    throw thrown;
  }
}
