import type { ErrorReason } from '../../../../shared/error-reasons.ts';
import { AppFailure, failure, toAppError } from '../../../../shared/errors.ts';
import type { CompletionRequest } from '../../../../shared/models/stalled.ts';
import { logged } from '../../jobs/log-request.ts';
import { isUploadGone } from '../../multipart/abort.ts';
import { checkWithoutFile } from '../../multipart/completion-check.ts';
import { headTarget, standingOf } from '../../multipart/outcome/head-seen.ts';
import { listAllParts } from '../../multipart/parts/list-parts.ts';
import { completeJob } from '../../multipart/new-jobs.ts';
import { isBeingWritten, summarizeParts } from '../../multipart/parts/part-list.ts';
import { saveItem, settled, type ItemContext } from '../../transfers/items/item-context.ts';
import { uploadFailureOf, runUpload } from '../../transfers/items/run-upload.ts';
import type { StalledItem } from '../../transfers/items/transfer-item.ts';
import type { Strategy } from '../../transfers/transfer-strategies.ts';
import type { OperationDeps } from '../objects/operation-deps.ts';
import { afterRun, eachUpload, stalledItemRef } from './stalled-item.ts';

type Agreed = Omit<CompletionRequest, 'ref'>;

/** Completes uploads with their stored parts. Each must be as the user confirmed it, or need no confirmation. */
export function completeStrategy(deps: OperationDeps): Strategy {
  return eachUpload(deps, async (context, item) => await completeItem(deps, context, item));
}

async function completeItem(
  deps: OperationDeps,
  context: ItemContext,
  item: StalledItem,
): Promise<StalledItem> {
  const { job } = context;
  const ref = stalledItemRef(job, item);
  const claim = await deps.claimUpload(ref, job.id, 'refuse');
  try {
    const begun = item.upload === null ? await begin(deps, context, item, claim.quietUntilMs) : item;
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
  } finally {
    claim.giveBack();
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
      'A part came within the last 15 minutes: somebody is still sending.',
      'upload-being-written',
    );
  const seen = await logged(log, 'head-object', () => headTarget(client, item, signal));
  if (seen.kind === 'unreadable') throw new AppFailure(seen.error);
  if (seen.kind === 'present')
    throw question('Another object is at the key: completing would replace it.', 'key-taken');
  return { fingerprint: check.fingerprint, standing: standingOf(seen), acceptGaps: false };
}

function question(message: string, reason: ErrorReason): Error {
  return failure('conflict', message, { reason, retry: 'after-fix' });
}
