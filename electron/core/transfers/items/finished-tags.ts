import { toAppError } from '../../../../shared/errors.ts';
import { logged } from '../../jobs/log-request.ts';
import { setTags } from '../../s3/conditions/proved-change.ts';
import type { ItemContext } from './item-context.ts';
import type { Item } from './transfer-item.ts';

/**
 * Sets the tags of a completed upload again if they are missing, because Ceph RGW loses tags sent with CreateMultipartUpload.
 * Runs before the item counts as done. Throws AppFailure if the tags cannot be written.
 */
export async function tagFinished(context: ItemContext, item: Item): Promise<void> {
  const { client, job, signal } = context;
  const wanted = Object.entries(job.upload?.tags ?? {}).map(([key, value]) => ({ key, value }));
  if (wanted.length === 0) return;
  const ref = { bucket: job.bucket, key: item.key };
  const found = await tagsAt(context, ref);
  if (found !== null && wanted.every(({ key, value }) => found.get(key) === value)) return;
  await logged(
    context.log,
    'put-tags',
    () => setTags(client, ref, wanted, { signal }),
    () => item.key,
  );
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
