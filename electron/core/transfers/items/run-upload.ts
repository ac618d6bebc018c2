import { AppFailure, failure, toAppError } from '../../../../shared/errors.ts';
import { isInFlight, type EngineEvent, type StopEffect } from '../../jobs/job.ts';
import { uploadTransition, type UploadEffect, type UploadEvent } from '../../multipart/upload-transition.ts';
import type { UploadJob } from '../../multipart/upload-job.ts';
import type { HeadResult } from '../../multipart/outcome/outcome.ts';
import { saveItem, type ItemContext } from './item-context.ts';
import type { MultipartItem, StalledItem } from './transfer-item.ts';

type WithUpload = MultipartItem | StalledItem;

/**
 * A decision about the Complete request: do not send it, send it only if the object at the key is unchanged, or send it in any
 * case.
 */
export type CompleteConsent = 'hold' | 'as-seen' | 'any';

/** Decides about the Complete request by the object found at the key just before it. */
export type ConfirmComplete = (before: HeadResult) => CompleteConsent;

/**
 * Runs an item's multipart upload until it ends or must wait, with the state machine of stalled uploads. The queue handles waits
 * and retries. Throws `AppError('internal')` if the item has no upload.
 */
export async function runUpload<I extends WithUpload>(
  context: ItemContext,
  item: I,
  confirmComplete: ConfirmComplete,
): Promise<UploadRunResult<I>> {
  const { lockKey } = uploadOf(item);
  const { lockOwners } = context.deps;
  lockOwners.set(lockKey, context.job.id);
  try {
    return await run(context, item, confirmComplete);
  } finally {
    lockOwners.delete(lockKey);
  }
}

interface UploadRunResult<I extends WithUpload> {
  readonly item: I;
  readonly upload: UploadJob;
  /** The object at the key for which `confirmComplete` prevented the Complete request; otherwise null. */
  readonly blockingObject: HeadResult | null;
}

async function run<I extends WithUpload>(
  context: ItemContext,
  item: I,
  confirmComplete: ConfirmComplete,
): Promise<UploadRunResult<I>> {
  const { deps } = context;
  let savedItem = item;
  let job = uploadOf(item);

  const apply = (
    event: UploadEvent | EngineEvent,
    write?: () => void,
  ): readonly (UploadEffect | StopEffect)[] => {
    const moment = { nowMs: deps.clock.nowMs(), fraction: deps.random.fraction() };
    const step = uploadTransition(job, event, moment);
    savedItem = saveItem(context, { ...savedItem, upload: step.job }, () => {
      deps.uploads.persist(step.job, event);
      write?.();
    });
    job = step.job;
    return step.effects;
  };

  const stepContext = {
    signal: context.signal,
    emit: (event: UploadEvent, write?: () => void) => void apply(event, write),
    progress: (bytesDone: number) => context.onBytes(bytesDone),
    waits: context.waits,
    log: context.log,
    shared: { scheduler: context.scheduler, order: item.seq },
  };

  if (isInFlight(job)) apply({ kind: 'restarted' });
  if (job.state === 'paused' || job.state === 'needs-attention') apply({ kind: 'retry-now' });
  let effects = apply({ kind: 'started' });
  for (;;) {
    const effect = effects.find((candidate): candidate is UploadEffect => candidate.kind !== 'stop');
    if (effect === undefined) {
      if (job.state !== 'waiting') return { item: savedItem, upload: job, blockingObject: null };
      effects = apply({ kind: 'started' });
      continue;
    }
    let event: UploadEvent | EngineEvent;
    try {
      event = await deps.uploads.perform(effect, job, stepContext);
    } catch (thrown) {
      context.signal.throwIfAborted();
      event = { kind: 'failed', error: toAppError(thrown) };
    }
    context.signal.throwIfAborted();
    if (event.kind === 'prepared') {
      const { intent } = event;
      const consent = confirmComplete(intent.before);
      if (consent === 'hold') return { item: savedItem, upload: job, blockingObject: intent.before };
      if (consent === 'any') event = { ...event, intent: { ...intent, condition: 'none' } };
    }
    effects = apply(event);
  }
}

function uploadOf(item: WithUpload): UploadJob {
  if (item.upload === null) throw failure('internal', 'This item has no upload.');
  return item.upload;
}

/** Reasons that mean that the service contradicts itself. Its last error alone would not show that. */
const contradictions: ReadonlySet<string | null> = new Set([
  'object-unreadable',
  'upload-contradicted',
  'not-carried-out',
]);

/** Returns the error to show for an item whose upload stopped. */
export function uploadFailureOf(upload: UploadJob): AppFailure {
  const { error, reason } = upload;
  if (error !== null && reason !== null && contradictions.has(reason))
    return new AppFailure({ ...error, code: 'conflict', reason, retry: 'after-fix' });
  if (error !== null) return new AppFailure(error);
  const unfinished = failure('conflict', 'The upload could not be finished.', { retry: 'after-fix' });
  return new AppFailure({ ...unfinished.error, reason: reason ?? 'refused' });
}
