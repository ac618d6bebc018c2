import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { mayMeanCondition } from '../s3/conditions.ts';
import { answerFailure } from '../s3/errors.ts';
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
  /** The object goes only if it is still this one, where the service knows such a condition; null: whatever it is. */
  readonly etag: string | null;
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
  const { key, versionId } = item;
  const fate = await deleter.remove(context, { key, versionId, etag: null });
  if (fate !== null) throw fate;
  return settled(item, { state: 'done' });
}

type Desk = Batches<Doomed, { readonly fate: Fate }>;

/** What the service has said of conditions: where it refuses them, the look just before has to do. */
interface Conditions {
  areRefused: boolean;
}

function singleDesk(context: ItemContext, conditions: Conditions): Desk {
  return new Batches({
    size: 1,
    atOnce: singlesAtOnce,
    send: async ([doomed]) =>
      doomed === undefined ? [] : [{ fate: await removeOne(context, doomed, conditions) }],
  });
}

/** `whole`: what a request as a whole failed with, so that the job waits instead of a thousand items. */
export function deleterOf(whole: WeakSet<object>): Deleter {
  /** Of one pass: its signal ends their requests. */
  let desks: { readonly signal: AbortSignal; readonly many: Desk; readonly single: Desk } | null = null;
  let hasMultiDelete = true;
  const conditions: Conditions = { areRefused: false };

  const makeMany = (context: ItemContext, single: Desk): Desk =>
    new Batches({
      size: batchKeys,
      atOnce: requestsAtOnce,
      send: async (doomed) => {
        try {
          return await removeMany(context, doomed, conditions);
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
    async remove(context, doomed) {
      const { key, versionId } = doomed;
      if (desks === null || desks.signal !== context.signal) {
        const single = singleDesk(context, conditions);
        desks = { signal: context.signal, many: makeMany(context, single), single };
      }
      const isFit = fitsXml(key) && (versionId === null || fitsXml(versionId));
      const desk = isFit && hasMultiDelete ? desks.many : desks.single;
      return (await desk.add(doomed)).fate;
    },
  };
}

/** Keys that XML 1.0 cannot carry, and services without DeleteObjects. */
async function removeOne(context: ItemContext, doomed: Doomed, conditions: Conditions): Promise<Fate> {
  const { client, job, signal, log } = context;
  const { key, versionId, etag } = doomed;
  const isConditional = etag !== null && !conditions.areRefused;
  try {
    await logged(
      log,
      'delete-object',
      () =>
        client.deleteObject(
          {
            bucket: job.bucket,
            key,
            ...(versionId === null ? {} : { versionId }),
            ...(isConditional ? { ifMatch: etag } : {}),
          },
          { signal },
        ),
      () => key,
    );
    return null;
  } catch (thrown) {
    if (isGone(thrown)) return null;
    if (isConditional && mayMeanCondition(toAppError(thrown))) {
      conditions.areRefused = true;
      return await removeOne(context, doomed, conditions);
    }
    return thrown instanceof AppFailure ? thrown : new AppFailure(toAppError(thrown));
  }
}

function isGone(thrown: unknown): boolean {
  const error = toAppError(thrown);
  return error.code === 'not-found' && error.reason !== 'no-such-bucket';
}

async function removeMany(
  context: ItemContext,
  doomed: readonly Doomed[],
  conditions: Conditions,
): Promise<readonly { readonly fate: Fate }[]> {
  const { client, job, signal, log } = context;
  const isConditional = !conditions.areRefused && doomed.some(({ etag }) => etag !== null);
  const keys = doomed.map(({ key, versionId, etag }) => ({
    key,
    ...(versionId === null ? {} : { versionId }),
    ...(isConditional && etag !== null ? { etag } : {}),
  }));
  try {
    const results = await logged(
      log,
      'delete-objects',
      () => client.deleteObjects({ bucket: job.bucket, keys }, { signal }),
      (answer) => `${answer.length} keys, ${answer.filter(({ error }) => error !== null).length} refused`,
    );
    return results.map(({ error }) => ({
      fate: error === null ? null : refusalOf(error.code, error.message),
    }));
  } catch (thrown) {
    if (!isConditional || !mayMeanCondition(toAppError(thrown))) throw thrown;
    conditions.areRefused = true;
    return await removeMany(context, doomed, conditions);
  }
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
