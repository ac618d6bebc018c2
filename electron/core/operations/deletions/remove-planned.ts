import { AppFailure, failure } from '../../../../shared/errors.ts';
import type { Deleter } from './deleter.ts';
import { sameEtag, strongEtag } from '../../s3/model/etag.ts';
import { lookAtKey } from '../../s3/conditions/look-at-key.ts';
import { atLeast, slots, type Slots } from '../../flow/slots.ts';
import { settled, type ItemContext } from '../../transfers/items/item-context.ts';
import type { Item } from '../../transfers/items/transfer-job.ts';
import { isObjectAsPlanned } from '../../transfers/uploads/upload-target.ts';
import { logged } from '../../jobs/log-request.ts';

const looksAtOnce = 16;
const looks = new WeakMap<Deleter, Slots>();

/**
 * Deletes an object only if it is unchanged since the plan and below the job's prefix. Throws the service's refusal, and
 * `AppError('internal')` without a plan.
 */
export async function removePlanned(deleter: Deleter, context: ItemContext, item: Item): Promise<Item> {
  const { client, job, log, signal } = context;
  const { key } = item;
  const planned = item.sync?.target ?? null;
  if (planned === null || !key.startsWith(job.prefix) || key === job.prefix)
    throw failure('internal', 'A deletion that no plan has asked for.');
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
  if (seen.kind === 'unreadable') throw new AppFailure(seen.error);
  if (seen.kind === 'absent') return settled(item, { state: 'done', note: 'removed' });
  const { head } = seen;
  if (!isObjectAsPlanned(planned, head)) return settled(item, { state: 'skipped', note: 'changed-since' });
  // A proxy weakens the ETags of headers; that of the listing can still be named.
  const isListedBetter = strongEtag(head.etag) === null && sameEtag(planned.etag, head.etag);
  const etag = isListedBetter ? planned.etag : head.etag;
  const { result: failed } = await deleter.remove(context, {
    key,
    versionId: null,
    seen: { ...head, etag },
  });
  if (failed?.error.reason === 'precondition-failed')
    return settled(item, { state: 'skipped', note: 'changed-since' });
  if (failed !== null) throw failed;
  return settled(item, { state: 'done', note: 'removed' });
}
