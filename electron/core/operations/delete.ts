import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { answerFailure } from '../s3/errors.ts';
import type { S3Client } from '../s3/types.ts';
import { fitsXml } from '../s3/xml/render.ts';
import { logged } from '../uploads/look.ts';
import { removePlanned } from '../sync/remove-remote.ts';
import { settled, type ItemContext } from '../transfers/item-context.ts';
import type { Strategy } from '../transfers/strategies.ts';
import type { Item } from '../transfers/transfer-job.ts';
import { Batches } from './batches.ts';
import { chosenKeys, chosenVersions } from './key-source.ts';
import type { OperationDeps } from './operation-deps.ts';
import { operationOf, prepareItems } from './prepare.ts';

/** S3's own limit (API_DeleteObjects). */
export const batchKeys = 1000;
const requestsAtOnce = 3;
const singlesAtOnce = 16;

export interface Doomed {
  readonly key: string;
  readonly versionId: string | null;
}

/** null: it is gone, or was not there. */
export type Fate = AppFailure | null;

export interface Deleter {
  remove(context: ItemContext, doomed: Doomed): Promise<Fate>;
}

/** Deletes exactly what was written down: a thousand keys by one request, each with its own result. */
export function deleteStrategy(deps: OperationDeps): Strategy {
  return {
    prepare: async (items, job, context) => {
      const { items: chosen, versions } = operationOf(job);
      const { walks } = deps;
      const pages =
        versions === 'markers'
          ? chosenKeys(walks, job, chosen, context.signal)
          : chosenVersions(await deps.clientOf(job.connectionId), walks, job, chosen, context.signal);
      return await prepareItems(items, job, context, pages);
    },
    begin: async (job) => {
      const whole = new WeakSet();
      const deleter = deleterOf(whole);
      return await Promise.resolve({
        parallel: batchKeys * requestsAtOnce,
        isLarge: () => false,
        isOfAll: (thrown) => typeof thrown === 'object' && thrown !== null && whole.has(thrown),
        work: async (context, item) =>
          item.sync === null
            ? await deleteItem(deleter, context, item)
            : await removePlanned(deleter, context, item),
        finish: async (context) => {
          if (operationOf(job).withBucket === true) await removeBucket(deps, context);
        },
      });
    },
  };
}

/** The last step of a deletion of everything; a bucket that is gone already is what was wanted. */
async function removeBucket(deps: OperationDeps, { job, log, signal }: ItemContext): Promise<void> {
  signal.throwIfAborted();
  const { connectionId, bucket } = job;
  try {
    await logged(
      log,
      'delete-bucket',
      () => deps.removeBucket({ connectionId, bucket }),
      () => bucket,
    );
  } catch (thrown) {
    if (toAppError(thrown).reason !== 'no-such-bucket') throw thrown;
  }
}

async function deleteItem(deleter: Deleter, context: ItemContext, item: Item): Promise<Item> {
  const fate = await deleter.remove(context, item);
  if (fate !== null) throw fate;
  return settled(item, { state: 'done' });
}

type Desk = Batches<Doomed, { readonly fate: Fate }>;

function singleDesk(context: ItemContext): Desk {
  return new Batches({
    size: 1,
    atOnce: singlesAtOnce,
    send: async ([doomed]) => (doomed === undefined ? [] : [{ fate: await removeOne(context, doomed) }]),
  });
}

/** `whole`: what a request as a whole failed with, so that the job waits instead of a thousand items. */
export function deleterOf(whole: WeakSet<object>): Deleter {
  /** Of one pass: its signal ends their requests. */
  let desks: { readonly signal: AbortSignal; readonly many: Desk; readonly single: Desk } | null = null;
  let hasMultiDelete = true;

  const makeMany = (context: ItemContext, single: Desk): Desk =>
    new Batches({
      size: batchKeys,
      atOnce: requestsAtOnce,
      send: async (doomed) => {
        try {
          return await removeMany(context, doomed);
        } catch (thrown) {
          const { code } = toAppError(thrown);
          if (code === 'unsupported') hasMultiDelete = false;
          // A request that the service does not take as a whole says nothing about each of its keys.
          if (code === 'unsupported' || code === 'invalid-argument')
            return await Promise.all(doomed.map(async (one) => await single.add(one)));
          if (typeof thrown === 'object' && thrown !== null) whole.add(thrown);
          throw thrown;
        }
      },
    });
  return {
    async remove(context, { key, versionId }) {
      if (desks === null || desks.signal !== context.signal) {
        const single = singleDesk(context);
        desks = { signal: context.signal, many: makeMany(context, single), single };
      }
      const isFit = fitsXml(key) && (versionId === null || fitsXml(versionId));
      const desk = isFit && hasMultiDelete ? desks.many : desks.single;
      return (await desk.add({ key, versionId })).fate;
    },
  };
}

/** Keys that XML 1.0 cannot carry, and services without DeleteObjects. */
async function removeOne(context: ItemContext, { key, versionId }: Doomed): Promise<Fate> {
  const { client, job, signal, log } = context;
  try {
    await logged(
      log,
      'delete-object',
      () =>
        client.deleteObject(
          { bucket: job.bucket, key, ...(versionId === null ? {} : { versionId }) },
          { signal },
        ),
      () => key,
    );
    return null;
  } catch (thrown) {
    return isGone(thrown) ? null : thrown instanceof AppFailure ? thrown : new AppFailure(toAppError(thrown));
  }
}

function isGone(thrown: unknown): boolean {
  const error = toAppError(thrown);
  return error.code === 'not-found' && error.reason !== 'no-such-bucket';
}

async function removeMany(
  context: ItemContext,
  doomed: readonly Doomed[],
): Promise<readonly { readonly fate: Fate }[]> {
  const { client, job, signal, log } = context;
  const results = await logged(
    log,
    'delete-objects',
    () => ask(client, job.bucket, doomed, signal),
    (answer) => `${answer.length} keys, ${answer.filter(({ error }) => error !== null).length} refused`,
  );
  return results.map(({ error }) => ({ fate: error === null ? null : refusalOf(error.code, error.message) }));
}

async function ask(
  client: S3Client,
  bucket: string,
  doomed: readonly Doomed[],
  signal: AbortSignal,
): Promise<Awaited<ReturnType<S3Client['deleteObjects']>>> {
  const keys = doomed.map(({ key, versionId }) => (versionId === null ? { key } : { key, versionId }));
  return await client.deleteObjects({ bucket, keys }, { signal });
}

/** One key's own refusal, as if it had been asked for alone. */
export function refusalOf(code: string, message: string): Fate {
  if (code === 'NoSuchKey' || code === 'NoSuchVersion') return null;
  if (code === 'NoResult')
    return failure('protocol', message, {
      reason: 'no-answer-for-key',
      retry: 'backoff',
      outcome: 'unknown',
    });
  const refused = answerFailure({
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
  return refused;
}
