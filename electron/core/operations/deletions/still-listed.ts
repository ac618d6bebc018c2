import { toAppError } from '../../../../shared/errors.ts';
import { failedAttempt } from '../../jobs/log-request.ts';
import { isTold } from '../../../../shared/models/transfers.ts';
import { isUnchanged } from '../../s3/model/seen.ts';
import type { ItemContext } from '../../transfers/items/item-context.ts';
import type { Item } from '../../transfers/items/transfer-job.ts';
import { seenListed } from '../objects/compare-objects.ts';
import { ListedLooks } from '../objects/listed-looks.ts';
import type { Seen } from '../../transfers/items/operation-record.ts';

const pageItems = 1000;

/**
 * Lists once more what the service says it has deleted, and notes on its item each object that is still there, unchanged.
 * Skips what cannot be listed: the deletion itself does not depend on it.
 */
export async function noteStillListed(context: ItemContext, note: (item: Item) => void): Promise<void> {
  try {
    await noteListed(context, note);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'storage' || error.code === 'internal') throw thrown;
    context.log(failedAttempt('list-objects', null, error));
  }
}

async function noteListed(context: ItemContext, note: (item: Item) => void): Promise<void> {
  const { client, items, job, signal } = context;
  const looks = new ListedLooks(client, job.bucket, signal);
  let after = -1;
  for (;;) {
    const page = items.inState(job.id, 'done', after, pageItems);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.seq;
    // One version says nothing about the others, which a listing shows. What has a note already keeps it.
    const deleted = page.filter(
      (item) =>
        (item.work === 'upload' || item.work === 'stalled' || item.versionId === null) && !isTold(item.note),
    );
    const listedLooks = await looks.lookAt(deleted.map(({ key }) => key));
    for (const [index, item] of deleted.entries()) {
      const listedLook = listedLooks[index];
      if (listedLook?.kind !== 'present' || !isUnchanged(deletedBy(item), seenListed(listedLook.object)))
        continue;
      note({ ...item, note: 'still-listed' });
    }
  }
}

/** The object's last known state before its deletion. */
function deletedBy(item: Item): Seen {
  const moved = item.work === 'copy' ? item.copy : null;
  if (moved !== null) return moved.source;
  const { sizeBytes, etag, modifiedAt } = item;
  return {
    sizeBytes: sizeBytes ?? 0,
    etag,
    lastModified: modifiedAt,
    versionId: null,
    isListed: true,
  };
}
