import type { Removal, Removed, CopyContext } from './copy-context.ts';
import { failure, toAppError } from '../../../../shared/errors.ts';
import { conditionRefusalOf } from '../../s3/conditions/conditional.ts';
import type { DeletedKey } from '../../s3/model/object-types.ts';
import type { S3Client } from '../../s3/model/s3-client.ts';
import { settled } from '../../transfers/items/item-context.ts';
import type { CopyItem } from '../../transfers/items/transfer-item.ts';
import { logged } from '../../jobs/log-request.ts';
import { Coalescer } from '../../flow/coalescer.ts';
import { seenListed } from '../objects/look-at-object.ts';
import { isUnchanged } from '../../s3/model/object-proof.ts';
import { isSilent, refusedDeletion } from '../deletions/deleter.ts';
import type { ListedLook, ListedLooks } from '../objects/listed-looks.ts';

export interface RemovalDeps {
  readonly sources: ListedLooks;
  readonly targets: ListedLooks;
  /** The errors of requests for many sources. The job waits once for such an error, not each item. */
  readonly requestErrors: WeakSet<object>;
}

/** The maximum number of keys in a DeleteObjects request (API_DeleteObjects). */
const largestBatch = 1000;
/** The maximum number of keys per unconditional request, so that little time passes between check and deletion. */
const largestUnconditional = 100;
const requestsAtOnce = 2;
/** An ETag that no object has, so that a condition with it fails. */
const otherEtag = '"00000000000000000000000000000000"';

/** How deletions of many objects in a bucket respect conditions (API_DeleteObject, API_ObjectIdentifier). */
type ConditionSupport =
  /** DeleteObjects respects an ETag for each key. */
  | 'of-each-key'
  /** Only DeleteObject respects a condition, or the service has no DeleteObjects. */
  | 'one-by-one'
  /** No deletion respects a condition. */
  | 'none';

type Tried = 'delete-many' | 'delete';

/** Returns how the bucket deletes objects; null if that is unknown. */
function conditionSupportOf({ conditions }: S3Client, bucket: string): ConditionSupport | null {
  if (!conditions.takesDeleteObjects(bucket)) return 'one-by-one';
  const many = conditions.of(bucket, 'delete-many', 'etag');
  if (many === 'honoured') return 'of-each-key';
  const single = conditions.of(bucket, 'delete', 'etag');
  if (many === null || single === null) return null;
  return single === 'honoured' ? 'one-by-one' : 'none';
}

interface RemovalTarget {
  readonly index: number;
  readonly intent: CopyItem;
  readonly etag: string;
}

/**
 * The results of a request for many keys. `kept`: the condition failed and the object still exists. Null if the service does not
 * support the request.
 */
type DeleteResults = readonly (DeletedKey | 'kept')[] | null;

/**
 * Deletes the sources of a move in batches. Listings check all sources and copies, and one transaction stores all intents. Then
 * one DeleteObjects request names each source with its ETag. A source that does not match exactly is deleted `alone`.
 */
export function removalsOf(deps: RemovalDeps): Coalescer<Removal, Removed> {
  return new Coalescer({
    size: largestBatch,
    atOnce: requestsAtOnce,
    send: async (removals) => {
      const [first] = removals;
      if (first === undefined) return [];
      const { job, client } = first.context;
      const results: Removed[] = [];
      while (results.length < removals.length) {
        const known = conditionSupportOf(client, job.bucket);
        const rest = removals.slice(results.length);
        if (known === 'one-by-one')
          results.push(...rest.map(({ item }): Removed => ({ kind: 'alone', item })));
        else if (known === null) results.push(...(await removeSome(deps, rest.slice(0, 1), probe)));
        else {
          const size = known === 'none' ? largestUnconditional : largestBatch;
          results.push(...(await removeSome(deps, rest.slice(0, size), remove)));
        }
      }
      return results;
    },
  });
}

async function removeSome(
  deps: RemovalDeps,
  removals: readonly Removal[],
  send: typeof remove,
): Promise<readonly Removed[]> {
  const [sources, targets] = await Promise.all([
    deps.sources.lookAt(removals.map(({ item }) => item.key)),
    deps.targets.lookAt(removals.map(({ item }) => item.targetKey)),
  ]);
  const results: Removed[] = removals.map(({ item }) => ({ kind: 'alone', item }));
  const toRemove = removals.flatMap(({ item }, index): readonly RemovalTarget[] => {
    const { copy } = item;
    const etag = etagIfRemovable(item, sources[index], targets[index]);
    if (etag === null || copy === null) return [];
    return [{ index, etag, intent: { ...item, copy: { ...copy, stage: 'deleting' } } }];
  });
  const [first] = removals;
  if (first === undefined || toRemove.length === 0) return results;
  const { context } = first;
  context.signal.throwIfAborted();
  context.deps.store.transaction(() => {
    for (const { intent } of toRemove) context.items.put(context.job.id, intent);
  });
  const deleteResults = await send(deps, context, toRemove);
  for (const [at, { index, intent }] of toRemove.entries())
    results[index] =
      deleteResults === null ? { kind: 'alone', item: intent } : endOf(intent, deleteResults[at]);
  return results;
}

/**
 * Returns the ETag of a source that may be deleted, because source and copy are unchanged since the copy was proved; null
 * otherwise.
 */
function etagIfRemovable(
  { copy, versionId }: CopyItem,
  source: ListedLook | undefined,
  target: ListedLook | undefined,
): string | null {
  if (copy === null || copy.target === null || versionId !== null) return null;
  if (source?.kind !== 'present' || target?.kind !== 'present') return null;
  if (!isUnchanged(copy.target, seenListed(target.object))) return null;
  if (!isUnchanged(copy.source, seenListed(source.object))) return null;
  return source.object.etag;
}

async function remove(
  deps: RemovalDeps,
  context: CopyContext,
  toRemove: readonly RemovalTarget[],
): Promise<DeleteResults> {
  const isConditional = conditionSupportOf(context.client, context.job.bucket) === 'of-each-key';
  const keys = toRemove.map(({ intent: { key }, etag }) => (isConditional ? { key, etag } : { key }));
  return await removeMany(deps, context, keys);
}

/** Deletes one source under a condition that must fail. The result shows whether the service respects conditions. */
async function probe(
  deps: RemovalDeps,
  context: CopyContext,
  [target]: readonly RemovalTarget[],
): Promise<DeleteResults> {
  if (target === undefined) return [];
  const { bucket } = context.job;
  const { conditions } = context.client;
  const { key } = target.intent;
  const tried: Tried = conditions.of(bucket, 'delete-many', 'etag') === null ? 'delete-many' : 'delete';
  const deleteResult = await underOtherEtag(deps, context, key, tried);
  if (deleteResult === null) {
    conditions.learned(bucket, tried, 'etag', 'refused');
    return null;
  }
  if (deleteResult === 'kept') conditions.learned(bucket, tried, 'etag', 'honoured');
  // A success means that the service ignored the condition. An error other than a failed condition means nothing.
  else if (deleteResult.error === null) conditions.learned(bucket, tried, 'etag', 'ignored');
  return [deleteResult];
}

async function underOtherEtag(
  deps: RemovalDeps,
  context: CopyContext,
  key: string,
  tried: Tried,
): Promise<DeletedKey | 'kept' | null> {
  if (tried === 'delete-many') {
    const [result] = (await removeMany(deps, context, [{ key, etag: otherEtag }])) ?? [];
    return result ?? null;
  }
  const { client, job, signal, log } = context;
  try {
    await logged(
      log,
      'delete-object',
      () => client.deleteObject({ bucket: job.bucket, key, ifMatch: otherEtag }, { signal }),
      key,
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
  deps: RemovalDeps,
  context: CopyContext,
  keys: readonly { readonly key: string; readonly etag?: string }[],
): Promise<DeleteResults> {
  const { client, job, signal, log } = context;
  try {
    const reply = await logged(
      log,
      'delete-objects',
      () => client.deleteObjects({ bucket: job.bucket, keys }, { signal }),
      (all) => `${all.length} keys, ${all.filter(({ error }) => error !== null).length} refused`,
    );
    if (isSilent(reply)) client.conditions.hasNoDeleteObjects(job.bucket);
    return reply.map((deleteResult) =>
      deleteResult.error?.code === 'PreconditionFailed' ? 'kept' : deleteResult,
    );
  } catch (thrown) {
    if (conditionRefusalOf(toAppError(thrown)) === 'not-known') {
      // If keys with conditions were refused, perhaps only the conditions are refused.
      if (keys.every(({ etag }) => etag === undefined)) client.conditions.hasNoDeleteObjects(job.bucket);
      return null;
    }
    if (typeof thrown === 'object' && thrown !== null) deps.requestErrors.add(thrown);
    throw thrown;
  }
}

function endOf(intent: CopyItem, deleteResult: DeletedKey | 'kept' | undefined): Removed {
  // A key that is missing in the response, or whose condition failed, is checked by a separate request.
  if (deleteResult === 'kept' || deleteResult?.error?.code === 'NoResult')
    return { kind: 'alone', item: intent };
  if (deleteResult === undefined)
    return { kind: 'refused', failure: failure('internal', 'DeleteObjects returned no result for a key.') };
  const refused =
    deleteResult.error === null ? null : refusedDeletion(deleteResult.error.code, deleteResult.error.message);
  if (refused !== null) return { kind: 'refused', failure: refused };
  return { kind: 'gone', item: settled(intent, { state: 'done', verified: intent.verified }) };
}
