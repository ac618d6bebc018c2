import { failure, toAppError } from '../../../../shared/errors.ts';
import { isShownNote } from '../../../../shared/models/transfers.ts';
import { inParallel } from '../../flow/loops.ts';
import { failedAttempt } from '../../jobs/log-request.ts';
import { lookAtKey } from '../../s3/conditions/look-at-key.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import type { ItemContext } from '../../transfers/items/item-context.ts';
import type { Item } from '../../transfers/items/transfer-item.ts';
import { seenListed, seenOf } from '../objects/look-at-object.ts';
import { ListedLooks, type ListedLook } from '../objects/listed-looks.ts';
import type { ObservedObject } from '../../transfers/items/operation-record.ts';

const pageItems = 1000;
const maxParallelHeads = 8;
/**
 * The maximum number of HEAD requests if listings do not help and no object was found. A service that deletes nothing is noticed
 * earlier.
 */
const maxUnlistedHeads = 100;

/**
 * Checks that deleted objects no longer exist. If HEAD finds an object unchanged, its item fails. If only a listing shows it,
 * which may lag behind, the item gets a note. Returns how many objects HEAD found.
 */
export async function checkDeleted(context: ItemContext, report: (item: Item) => void): Promise<number> {
  const check = { unlistedHeads: 0, found: 0 };
  try {
    const { client, job, signal } = context;
    await checkPages(context, new ListedLooks(client, job.bucket, signal), check, report);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled' || error.code === 'storage' || error.code === 'internal') throw thrown;
    context.log(failedAttempt('list-objects', null, error));
  }
  return check.found;
}

interface Check {
  unlistedHeads: number;
  found: number;
}

async function checkPages(
  context: ItemContext,
  looks: ListedLooks,
  check: Check,
  report: (item: Item) => void,
): Promise<void> {
  const { items, job } = context;
  for (const page of items.pagesInState(job.id, 'done', pageItems)) {
    // Leaves out deletions of single versions, because listings show the remaining versions, and items that already have a note.
    const deleted = page.filter(
      (item) =>
        (item.work === 'upload' || item.work === 'stalled' || item.versionId === null) &&
        !isShownNote(item.note),
    );
    const listedLooks = await looks.lookAt(deleted.map(({ key }) => key));
    await inParallel([...deleted.entries()], maxParallelHeads, async ([index, item]) => {
      const after = await checkItem(context, item, listedLooks[index], check);
      if (after !== null) report(after);
    });
  }
}

/** Returns the item with an error or note if its object still exists; null if nothing shows that it exists. */
async function checkItem(
  context: ItemContext,
  item: Item,
  listed: ListedLook | undefined,
  check: Check,
): Promise<Item | null> {
  const before = deletedBy(item);
  const isListed = listed?.kind === 'present' && isUnchanged(before, seenListed(listed.object));
  if (!isListed) {
    if (listed?.kind !== 'unknown') return null;
    if (check.found === 0 && check.unlistedHeads >= maxUnlistedHeads) return null;
    check.unlistedHeads += 1;
  }
  const { client, job, signal } = context;
  const now = await lookAtKey(client, { bucket: job.bucket, key: item.key }, { signal });
  if (now.kind === 'present' && isUnchanged(before, seenOf(now.head))) {
    check.found += 1;
    return { ...item, state: 'failed', error: stillExistsFailure.error };
  }
  return isListed ? { ...item, note: 'still-listed' } : null;
}

const stillExistsFailure = failure(
  'conflict',
  'The service reported the object as deleted, but still lists it.',
  { reason: 'still-there', retry: 'after-fix' },
);

/** Returns the object's last known state before its deletion. */
function deletedBy(item: Item): ObservedObject {
  const moved = item.work === 'copy' ? item.copy : null;
  if (moved !== null) return { ...moved.source, isListed: true };
  const { sizeBytes, etag, modifiedAt } = item;
  return { sizeBytes: sizeBytes ?? 0, etag, lastModified: modifiedAt, versionId: null, isListed: true };
}
