import type { Removal, Removed, CopyContext } from './copy-context.ts';
import { failure, toAppError } from '../../../../shared/errors.ts';
import { refusalOf as conditionRefusalOf } from '../../s3/conditions/conditional.ts';
import type { DeletedKey } from '../../s3/model/types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { settled } from '../../transfers/items/item-context.ts';
import type { Item } from '../../transfers/items/transfer-job.ts';
import { logged } from '../../multipart/look.ts';
import { Batches } from '../../flow/batches.ts';
import { seenListed } from '../objects/compare.ts';
import { isUnchanged } from '../../s3/model/seen.ts';
import { isSilent, refusalOf } from '../deletions/deleter.ts';
import type { Glance, ListedLooks } from '../objects/listed-looks.ts';

export interface RemovalDesk {
  readonly sources: ListedLooks;
  readonly targets: ListedLooks;
  /** What a request for many failed with, so that the job waits instead of each of them. */
  readonly whole: WeakSet<object>;
}

/** S3's own limit (API_DeleteObjects). */
const largestBatch = 1000;
/** Without a condition for each key only few go on the word of one look. */
const largestUnconditional = 100;
const requestsAtOnce = 2;
/** No object has this one. */
const otherEtag = '"00000000000000000000000000000000"';

/** How a bucket deletes many objects, each only if it is still the one that was seen (API_DeleteObject, API_ObjectIdentifier). */
type Manner =
  /** DeleteObjects honours the ETag of each key. */
  | 'of-each-key'
  /** One by one: DeleteObject alone has a condition, or there is no DeleteObjects. */
  | 'one-by-one'
  | 'none';

type Tried = 'delete-many' | 'delete';

/** null: not known yet. */
function mannerOf({ conditions }: S3Client, bucket: string): Manner | null {
  if (!conditions.takesDeleteObjects(bucket)) return 'one-by-one';
  const many = conditions.of(bucket, 'delete-many', 'etag');
  if (many === 'honoured') return 'of-each-key';
  const single = conditions.of(bucket, 'delete', 'etag');
  if (many === null || single === null) return null;
  return single === 'honoured' ? 'one-by-one' : 'none';
}

interface Doomed {
  readonly index: number;
  readonly intent: Item;
  readonly etag: string;
}

/** kept: it is still there, since the condition did not hold. null: the service does not take such a request. */
type Fates = readonly (DeletedKey | 'kept')[] | null;

/**
 * Sources of a move go together: they and their copies are looked at by listings, the intents of all are on disk in one
 * transaction, then one DeleteObjects names each with its ETag. Whatever is not exactly as it should be goes `alone`.
 */
export function removalsOf(desk: RemovalDesk): Batches<Removal, Removed> {
  return new Batches({
    size: largestBatch,
    atOnce: requestsAtOnce,
    send: async (removals) => {
      const [first] = removals;
      if (first === undefined) return [];
      const { job, client } = first.context;
      const results: Removed[] = [];
      while (results.length < removals.length) {
        const known = mannerOf(client, job.bucket);
        const rest = removals.slice(results.length);
        if (known === 'one-by-one')
          results.push(...rest.map(({ item }): Removed => ({ kind: 'alone', item })));
        else if (known === null) results.push(...(await removeSome(desk, rest.slice(0, 1), probe)));
        else {
          const size = known === 'none' ? largestUnconditional : largestBatch;
          results.push(...(await removeSome(desk, rest.slice(0, size), remove)));
        }
      }
      return results;
    },
  });
}

async function removeSome(
  desk: RemovalDesk,
  removals: readonly Removal[],
  send: (desk: RemovalDesk, context: CopyContext, doomed: readonly Doomed[]) => Promise<Fates>,
): Promise<readonly Removed[]> {
  const [sources, targets] = await Promise.all([
    desk.sources.lookAt(removals.map(({ item }) => item.key)),
    desk.targets.lookAt(removals.map(({ item }) => item.local)),
  ]);
  const results: Removed[] = removals.map(({ item }) => ({ kind: 'alone', item }));
  const doomed = removals.flatMap(({ item }, index): readonly Doomed[] => {
    const { copy } = item;
    const etag = etagIfDoomed(item, sources[index], targets[index]);
    if (etag === null || copy === null) return [];
    return [{ index, etag, intent: { ...item, copy: { ...copy, stage: 'deleting' } } }];
  });
  const [first] = removals;
  if (first === undefined || doomed.length === 0) return results;
  const { context } = first;
  context.signal.throwIfAborted();
  context.deps.store.transaction(() => {
    for (const { intent } of doomed) context.items.put(context.job.id, intent);
  });
  const fates = await send(desk, context, doomed);
  for (const [at, { index, intent }] of doomed.entries())
    results[index] = fates === null ? { kind: 'alone', item: intent } : endOf(intent, fates[at]);
  return results;
}

/** The ETag of a source that may go now: it is what was copied, and its copy is what was proved. */
function etagIfDoomed(
  { copy, versionId }: Item,
  source: Glance | undefined,
  target: Glance | undefined,
): string | null {
  if (copy === null || copy.target === null || versionId !== null) return null;
  if (source?.kind !== 'present' || target?.kind !== 'present') return null;
  if (!isUnchanged(copy.target, seenListed(target.object))) return null;
  if (!isUnchanged(copy.source, seenListed(source.object))) return null;
  return source.object.etag;
}

async function remove(desk: RemovalDesk, context: CopyContext, doomed: readonly Doomed[]): Promise<Fates> {
  const isConditional = mannerOf(context.client, context.job.bucket) === 'of-each-key';
  const keys = doomed.map(({ intent: { key }, etag }) => (isConditional ? { key, etag } : { key }));
  return await removeMany(desk, context, keys);
}

/** Deletes one that may go, under a condition that does not hold: what comes of it tells whether conditions count. */
async function probe(desk: RemovalDesk, context: CopyContext, [one]: readonly Doomed[]): Promise<Fates> {
  if (one === undefined) return [];
  const { bucket } = context.job;
  const { conditions } = context.client;
  const { key } = one.intent;
  const tried: Tried = conditions.of(bucket, 'delete-many', 'etag') === null ? 'delete-many' : 'delete';
  const fate = await underOtherEtag(desk, context, key, tried);
  if (fate === null) {
    conditions.learned(bucket, tried, 'etag', 'refused');
    return null;
  }
  if (fate === 'kept') conditions.learned(bucket, tried, 'etag', 'honoured');
  // An error of another kind tells nothing of conditions.
  else if (fate.error === null) conditions.learned(bucket, tried, 'etag', 'ignored');
  return [fate];
}

async function underOtherEtag(
  desk: RemovalDesk,
  context: CopyContext,
  key: string,
  tried: Tried,
): Promise<DeletedKey | 'kept' | null> {
  if (tried === 'delete-many') {
    const [result] = (await removeMany(desk, context, [{ key, etag: otherEtag }])) ?? [];
    return result ?? null;
  }
  const { client, job, signal, log } = context;
  try {
    await logged(
      log,
      'delete-object',
      () => client.deleteObject({ bucket: job.bucket, key, ifMatch: otherEtag }, { signal }),
      () => key,
    );
    return { key, versionId: null, error: null };
  } catch (thrown) {
    switch (conditionRefusalOf(toAppError(thrown))) {
      case 'does-not-hold':
        return 'kept';
      case 'not-known':
        return null;
      default:
        throw thrown;
    }
  }
}

async function removeMany(
  desk: RemovalDesk,
  context: CopyContext,
  keys: readonly { readonly key: string; readonly etag?: string }[],
): Promise<Fates> {
  const { client, job, signal, log } = context;
  try {
    const answer = await logged(
      log,
      'delete-objects',
      () => client.deleteObjects({ bucket: job.bucket, keys }, { signal }),
      (all) => `${all.length} keys, ${all.filter(({ error }) => error !== null).length} refused`,
    );
    if (isSilent(answer)) client.conditions.hasNoDeleteObjects(job.bucket);
    return answer.map((fate) => (fate.error?.code === 'PreconditionFailed' ? 'kept' : fate));
  } catch (thrown) {
    if (conditionRefusalOf(toAppError(thrown)) === 'not-known') {
      // Perhaps it is the condition that it does not take: without one it is tried again.
      if (keys.every(({ etag }) => etag === undefined)) client.conditions.hasNoDeleteObjects(job.bucket);
      return null;
    }
    if (typeof thrown === 'object' && thrown !== null) desk.whole.add(thrown);
    throw thrown;
  }
}

function endOf(intent: Item, fate: DeletedKey | 'kept' | undefined): Removed {
  // What has no answer is looked at.
  if (fate === 'kept' || fate?.error?.code === 'NoResult') return { kind: 'alone', item: intent };
  if (fate === undefined)
    return { kind: 'refused', failure: failure('internal', 'A deletion came back without a result.') };
  const refused = fate.error === null ? null : refusalOf(fate.error.code, fate.error.message);
  if (refused !== null) return { kind: 'refused', failure: refused };
  return { kind: 'gone', item: settled(intent, { state: 'done', verified: intent.verified }) };
}
