import { AppFailure, failure, toAppError } from '../../../../shared/errors.ts';
import type { ConditionMemory } from '../../s3/model/condition-memory.ts';
import { anything, expectObject, conditionRefusalOf, sendIf } from '../../s3/conditions/conditional.ts';
import { responseFailure } from '../../s3/model/s3-errors.ts';
import { strongEtag } from '../../s3/model/etag.ts';
import type { SeenObject } from '../../s3/model/object-proof.ts';
import type { DeletedKey } from '../../s3/model/object-types.ts';
import { fitsXml } from '../../s3/xml/render.ts';
import { logged } from '../../jobs/log-request.ts';
import type { ItemContext } from '../../transfers/items/item-context.ts';
import { Coalescer } from '../../flow/coalescer.ts';

/** The maximum number of keys in a DeleteObjects request (API_DeleteObjects). */
export const batchKeys = 1000;

export const maxParallelBatches = 3;

const maxParallelSingles = 16;

export interface QueuedDeletion {
  readonly key: string;
  readonly versionId: string | null;
  /** The object to delete, if it is unchanged; null deletes unconditionally. */
  readonly expectedObject: SeenObject | null;
}

/** The error of a deletion; null if the object was deleted or did not exist. */
export type DeleteResult = AppFailure | null;

/** The result for a key, and the delete marker that now hides the object; null if the response named no marker. */
interface Deleted {
  readonly result: DeleteResult;
  readonly markerVersionId: string | null;
}

export interface Deleter {
  remove(context: ItemContext, deletion: QueuedDeletion): Promise<Deleted>;
}

type DeleteBatches = Coalescer<QueuedDeletion, Deleted>;

function singleDeletes(context: ItemContext): DeleteBatches {
  return new Coalescer({
    size: 1,
    atOnce: maxParallelSingles,
    send: async ([deletion]) => (deletion === undefined ? [] : [await removeOne(context, deletion)]),
  });
}

/**
 * Creates a deleter. `requestErrors` collects errors of whole requests, for which the job waits once and not per item.
 */
export function deleterOf(requestErrors: WeakSet<object>): Deleter {
  /** The batches of the current run. Its signal aborts their requests. */
  let batches: {
    readonly signal: AbortSignal;
    readonly many: DeleteBatches;
    readonly single: DeleteBatches;
  } | null = null;

  const makeMany = (context: ItemContext, single: DeleteBatches): DeleteBatches =>
    new Coalescer({
      size: batchKeys,
      atOnce: maxParallelBatches,
      send: async (deletions) => {
        try {
          const results = await removeMany(context, deletions);
          return await Promise.all(
            results.map(async (deleted, index) => {
              const deletion = deletions[index];
              return deletion !== undefined && isUnsettled(deleted.result)
                ? await single.add(deletion)
                : deleted;
            }),
          );
        } catch (thrown) {
          const { code } = toAppError(thrown);
          // If the service refuses the whole request, each key is deleted by its own request.
          if (code === 'unsupported' || code === 'invalid-argument')
            return await Promise.all(deletions.map(async (deletion) => await single.add(deletion)));
          if (typeof thrown === 'object' && thrown !== null) requestErrors.add(thrown);
          throw thrown;
        }
      },
    });
  return {
    async remove(context, deletion) {
      const { key, versionId } = deletion;
      if (batches === null || batches.signal !== context.signal) {
        const single = singleDeletes(context);
        batches = { signal: context.signal, many: makeMany(context, single), single };
      }
      const isFit = fitsXml(key) && (versionId === null || fitsXml(versionId));
      const { conditions } = context.client;
      const { bucket } = context.job;
      const takesMany = conditions.takesDeleteObjects(bucket);
      // If the service accepts no ETag per key, each object is checked just before its own deletion.
      const isRefused =
        deletion.expectedObject !== null && !takesEtag(conditions, bucket, deletion.expectedObject);
      const batch = isFit && takesMany && !isRefused ? batches.many : batches.single;
      return await batch.add(deletion);
    },
  };
}

function takesEtag(conditions: ConditionMemory, bucket: string, { etag }: SeenObject): boolean {
  return strongEtag(etag) !== null && conditions.of(bucket, 'delete-many', 'etag') !== 'refused';
}

/** Deletes one object by its own request, for keys that XML 1.0 cannot contain and for services without DeleteObjects. */
async function removeOne(context: ItemContext, deletion: QueuedDeletion): Promise<Deleted> {
  const { client, job, signal, log } = context;
  const { key, versionId, expectedObject } = deletion;
  const ref = { bucket: job.bucket, key, ...(versionId === null ? {} : { versionId }) };
  try {
    const expected = expectedObject === null ? anything : expectObject(expectedObject);
    const reply = await sendIf(
      { client, ref, operation: 'delete', expected, signal },
      async ({ ifMatch }, tries) =>
        logged(
          log,
          'delete-object',
          () =>
            client.deleteObject(
              { ...ref, ...(ifMatch === undefined ? {} : { ifMatch }) },
              { signal, ...tries },
            ),
          key,
        ),
    );
    return { result: null, markerVersionId: reply.isMarker === true ? reply.versionId : null };
  } catch (thrown) {
    if (isGone(thrown)) return { result: null, markerVersionId: null };
    const result = thrown instanceof AppFailure ? thrown : new AppFailure(toAppError(thrown));
    return { result, markerVersionId: null };
  }
}

function isGone(thrown: unknown): boolean {
  const error = toAppError(thrown);
  return error.code === 'not-found' && error.reason !== 'no-such-bucket';
}

/**
 * Returns true if the response had no result for the key, or if its condition failed. A request for this key alone then decides.
 */
function isUnsettled(result: DeleteResult): boolean {
  const reason = result?.error.reason ?? null;
  return reason === 'no-answer-for-key' || reason === 'precondition-failed';
}

async function removeMany(
  context: ItemContext,
  deletions: readonly QueuedDeletion[],
): Promise<readonly Deleted[]> {
  const { client, job, signal, log } = context;
  const { conditions } = client;
  const keys = deletions.map(({ key, versionId, expectedObject }) => {
    const etag = expectedObject === null ? null : strongEtag(expectedObject.etag);
    return { key, ...(versionId === null ? {} : { versionId }), ...(etag === null ? {} : { etag }) };
  });
  const isConditional = keys.some(({ etag }) => etag !== undefined);
  try {
    const results = await logged(
      log,
      'delete-objects',
      () => client.deleteObjects({ bucket: job.bucket, keys }, { signal }),
      (reply) => `${reply.length} keys, ${reply.filter(({ error }) => error !== null).length} refused`,
    );
    if (isSilent(results)) conditions.hasNoDeleteObjects(job.bucket);
    return results.map(({ error, markerVersionId = null }) => ({
      result: error === null ? null : refusedDeletion(error.code, error.message),
      markerVersionId,
    }));
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isConditional && conditionRefusalOf(error) === 'not-known')
      conditions.learned(job.bucket, 'delete-many', 'etag', 'refused');
    else if (error.code === 'unsupported') conditions.hasNoDeleteObjects(job.bucket);
    throw thrown;
  }
}

/** Returns true if the response has a result for none of the keys, so that this service's DeleteObjects is unreliable. */
export function isSilent(results: readonly DeletedKey[]): boolean {
  return results.every(({ error }) => error?.code === 'NoResult');
}

/** Converts the error of a key in DeleteObjects to that of DeleteObject; null if the object no longer exists. */
export function refusedDeletion(code: string, message: string): DeleteResult {
  if (code === 'NoSuchKey' || code === 'NoSuchVersion') return null;
  if (code === 'NoResult')
    return failure('protocol', message, {
      reason: 'no-answer-for-key',
      retry: 'backoff',
      outcome: 'unknown',
    });
  return responseFailure({
    status: 200,
    code,
    message: message === '' ? null : message,
    requestId: null,
    retryAfterMs: null,
    effect: 'write',
    about: 'object',
    anonymous: false,
    foreignText: null,
  });
}
