import type { ErrorReason } from '../../../../shared/error-reasons.ts';
import { AppFailure, failure, toAppError } from '../../../../shared/errors.ts';
import type { CompletionRequest, UploadRef } from '../../../../shared/models/stalled.ts';
import { logged } from '../../jobs/log-request.ts';
import { isUploadGone, abortUpload } from '../../multipart/abort.ts';
import { checkWithoutFile, isBeingWritten, summarizeParts } from '../../multipart/parts/part-list.ts';
import { headTarget, standingOf } from '../../multipart/outcome/look.ts';
import { listAllParts } from '../../multipart/list-uploads.ts';
import { completeJob, quietUntilOf } from '../../multipart/new-jobs.ts';
import { saveItem, settled, type ItemContext } from '../../transfers/items/item-context.ts';
import { uploadFailureOf, runUpload } from '../../transfers/items/run-upload.ts';
import { type StalledItem, itemOfWork } from '../../transfers/items/transfer-item.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import {
  type UploadJob,
  jobExists,
  refuseAbortBeside,
  lockKeyOf,
  uploadJobSchema,
} from '../../multipart/upload-job.ts';
import type { TransferJob } from '../../transfers/items/transfer-job.ts';
import type { JobEngine } from '../../jobs/engine.ts';
import type { Clock } from '../../ports.ts';
import type { ItemStore } from '../../transfers/items/item-store.ts';

type Agreed = Omit<CompletionRequest, 'ref'>;

/** Completes uploads with their stored parts. Each must be as the user confirmed it, or need no confirmation. */
export function completeStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, { others: 'refuse', sendsParts: false }, completeItem);
}

async function completeItem({ deps, context, item, quietUntilMs }: Claimed): Promise<StalledItem> {
  try {
    const begun = item.upload === null ? await begin(deps, context, item, quietUntilMs) : item;
    // The key is checked just before the Complete request, so only an object that the user has seen can be replaced.
    return afterRun(await runUpload(context, begun, () => 'as-seen'), (now, upload) =>
      upload.reason === 'upload-gone'
        ? settled(now, { state: 'skipped', note: 'upload-gone' })
        : {
            ...now,
            state: 'failed',
            error: uploadFailureOf(upload).error,
            // Without a sent Complete request, a retry checks parts and key again, and the user must confirm again.
            upload: upload.completion === null ? null : upload,
          },
    );
  } catch (thrown) {
    if (item.upload === null && isUploadGone(toAppError(thrown)))
      return settled(item, { state: 'skipped', note: 'upload-gone' });
    throw thrown;
  }
}

async function begin(
  deps: OperationDeps,
  context: ItemContext,
  item: StalledItem,
  quietUntilMs: number,
): Promise<StalledItem> {
  const { job } = context;
  const agreed = item.agreed ?? (await withoutQuestion(deps, context, item));
  const upload = completeJob(agreed, {
    id: `${job.id}/${item.seq}/${deps.random.id()}`,
    nowMs: deps.clock.nowMs(),
    ref: stalledItemRef(job, item),
    quietUntilMs,
  });
  return saveItem(context, { ...item, upload });
}

/** Returns the agreement for an upload that needs no confirmation. Throws the reason if it needs one. */
async function withoutQuestion(
  deps: OperationDeps,
  context: ItemContext,
  item: StalledItem,
): Promise<Agreed> {
  const { job, client, signal, log } = context;
  const listed = await logged(log, 'list-parts', () =>
    listAllParts(client, stalledItemRef(job, item), signal),
  );
  const check = checkWithoutFile(listed.parts, listed.checksumAlgorithm !== null, deps.minPartBytes);
  if (check.problem !== null)
    throw question(`The upload cannot be completed: ${check.problem}.`, check.problem);
  if (check.gaps.length > 0)
    throw question('Parts are missing between others: the object would lack them.', 'upload-has-gaps');
  const { lastPartAt } = summarizeParts(listed.parts, deps.minPartBytes);
  if (isBeingWritten(lastPartAt, deps.clock.nowMs()))
    throw question(
      'A part arrived within the last 15 minutes: another program may still be sending.',
      'upload-being-written',
    );
  const targetLook = await logged(log, 'head-object', () => headTarget(client, item, signal));
  if (targetLook.kind === 'unreadable') throw new AppFailure(targetLook.error);
  if (targetLook.kind === 'present')
    throw question('Another object is at the key: completing would replace it.', 'key-taken');
  return { fingerprint: check.fingerprint, standing: standingOf(targetLook), acceptGaps: false };
}

function question(message: string, reason: ErrorReason): Error {
  return failure('conflict', message, { reason, retry: 'after-fix' });
}

/** Aborts the uploads stored as items, each identified by key and upload id, until the service no longer knows them. */
export function abortStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, { others: 'cancel', sendsParts: false }, abortItem);
}

async function abortItem({ deps, context, item }: Claimed): Promise<StalledItem> {
  const { job, client, signal, log } = context;
  // Keeps the size found by the first attempt, because an abort may take several attempts and each frees some parts.
  const aborting = item.aborting ?? (await storedPartsOf(context, item));
  if (aborting === 'gone') return settled(item, { state: 'skipped', note: 'upload-gone' });
  const begun = item.aborting === null ? saveItem(context, { ...item, aborting }) : item;
  const outcome = await abortUpload(client, stalledItemRef(job, item), { signal, log }, deps);
  if (outcome === 'already-gone' && item.aborting === null)
    return settled({ ...begun, aborting: null }, { state: 'skipped', note: 'upload-gone' });
  const note = outcome === 'aborted-unchecked' ? 'abort-unchecked' : null;
  return settled(begun, { state: 'done', sizeBytes: aborting.storedBytes, note });
}

/** Returns how many bytes the abort will free; null if the parts cannot be listed. The upload is aborted in both cases. */
async function storedPartsOf(
  context: ItemContext,
  item: StalledItem,
): Promise<NonNullable<StalledItem['aborting']> | 'gone'> {
  const { job, client, signal, log } = context;
  try {
    const { parts } = await logged(log, 'list-parts', () =>
      listAllParts(client, stalledItemRef(job, item), signal),
    );
    return { storedBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0) };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.code === 'cancelled') throw thrown;
    return isUploadGone(error) ? 'gone' : { storedBytes: null };
  }
}

/** Resumes uploads from their files, each by its stored plan, and completes them. Only missing parts are sent. */
export function resumeStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, { others: 'refuse', sendsParts: true }, resumeItem);
}

async function resumeItem({ context, item, quietUntilMs }: Claimed): Promise<StalledItem> {
  const begun = afterOthers(context, item, quietUntilMs);
  // The plan contains the object at the key that the user saw. No other object is replaced.
  return afterRun(await runUpload(context, begun, () => 'as-seen'), (now, upload) => ({
    ...now,
    state: 'failed',
    error: uploadFailureOf(upload).error,
    // A retry uses the same plan. It does not mean that the user agreed to replace the object found at the key.
    upload: { ...upload, inTheWay: null },
  }));
}

/** Postpones the item's Complete request while one from an earlier job may still be running. */
function afterOthers(context: ItemContext, item: StalledItem, quietUntilMs: number): StalledItem {
  const { upload } = item;
  if (upload === null) throw failure('internal', 'The stored item has no plan for this upload.');
  if (quietUntilMs <= upload.quietUntilMs) return item;
  return saveItem(context, { ...item, upload: { ...upload, quietUntilMs } });
}

function stalledItemRef({ connectionId }: TransferJob, { bucket, key, uploadId }: StalledItem): UploadRef {
  return { connectionId, bucket, key, uploadId };
}

/** An upload that no other job works on until its work has ended. */
interface Claimed {
  readonly deps: OperationDeps;
  readonly context: ItemContext;
  readonly item: StalledItem;
  readonly quietUntilMs: number;
}

/** Returns a strategy that calls `work` for each upload of a job. The uploads were stored as items before the job. */
function eachUpload(
  deps: OperationDeps,
  { others, sendsParts }: { readonly others: 'cancel' | 'refuse'; readonly sendsParts: boolean },
  work: (claimed: Claimed) => Promise<StalledItem>,
): Strategy {
  return {
    prepare: () => Promise.resolve({ kind: 'prepared' }),
    begin: async (job) => {
      const client = await deps.clientOf(job.connectionId);
      return {
        parallel: client.pace,
        isLarge: () => sendsParts,
        work: async (context, planned) => {
          const item = itemOfWork(planned, 'stalled');
          const ref = stalledItemRef(context.job, item);
          const { giveBack, quietUntilMs } = await deps.claimUpload(ref, context.job.id, others);
          try {
            return await work({ deps, context, item, quietUntilMs });
          } finally {
            giveBack();
          }
        },
      };
    },
  };
}

/**
 * Returns the item after its upload has stopped. For an upload that needs attention, calls `unfinished`. Throws the upload's
 * error if it ended without success.
 */
function afterRun(
  { item, upload }: { readonly item: StalledItem; readonly upload: UploadJob },
  unfinished: (item: StalledItem, upload: UploadJob) => StalledItem,
): StalledItem {
  switch (upload.state) {
    case 'done':
      return settled(item, {
        state: 'done',
        sizeBytes: upload.progress.bytesTotal,
        verified: upload.outcome === 'completed' ? true : null,
      });
    case 'retry-scheduled':
    case 'verifying-outcome':
      return { ...item, dueMs: upload.dueMs ?? 0, error: upload.error };
    case 'paused':
      throw uploadFailureOf(upload);
    case 'needs-attention':
      return unfinished(item, upload);
    default:
      throw failure('internal', `An unfinished upload stopped in the state ${upload.state}.`);
  }
}

interface ClaimDeps {
  readonly jobs: Pick<JobEngine, 'ofLock' | 'unfinished' | 'send' | 'released'>;
  readonly items: Pick<ItemStore, 'holderOf'>;
  /** The locks of uploads that items are processing, each with the id of its job. */
  readonly lockHolders: Map<string, string>;
  readonly clock: Clock;
}

/** Returns a function that locks an upload for one job, so that no other job works on it. */
export function uploadClaimer({ jobs, items, lockHolders, clock }: ClaimDeps): OperationDeps['claimUpload'] {
  return async (ref, jobId, others) => {
    const lockKey = lockKeyOf(ref);
    if (lockHolders.has(lockKey) || items.holderOf(lockKey, jobId) !== null) throw jobExists();
    lockHolders.set(lockKey, jobId);
    const giveBack = (): void => {
      if (lockHolders.get(lockKey) === jobId) lockHolders.delete(lockKey);
    };
    try {
      const unfinished = jobs.unfinished(lockKey).map((job) => uploadJobSchema.parse(job));
      for (const job of unfinished) {
        if (others === 'refuse') throw jobExists();
        refuseAbortBeside(job);
        jobs.send(job.id, { kind: 'cancel' });
      }
      // Waits until cancelled jobs have stopped sending parts.
      if (unfinished.length > 0) await jobs.released(lockKey);
      const earlier = jobs.ofLock(lockKey).map((job) => uploadJobSchema.parse(job));
      return { quietUntilMs: quietUntilOf(earlier, clock.nowMs()), giveBack };
    } catch (thrown) {
      giveBack();
      throw thrown;
    }
  };
}
