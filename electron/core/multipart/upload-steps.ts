import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import { checksumAlgorithmOf } from '../disk/checksums.ts';
import { checkUnchanged, plannedSource } from '../disk/local-file.ts';
import { createLimiter } from '../flow/limits.ts';
import { PartScheduler } from '../flow/part-scheduler.ts';
import { mayRepeat } from '../jobs/failure.ts';
import { failedAttempt, noteAttempt } from '../jobs/log-request.ts';
import { conditionRefusalOf } from '../s3/conditions/conditional.ts';
import { hasLearned } from '../s3/conditions/learned.ts';
import { compareEtags, expectedEtag, sameEtag } from '../s3/model/etag.ts';
import { storedDamaged, proofOfWrite } from '../s3/model/object-proof.ts';
import {
  requestComplete,
  formOf,
  learnCondition,
  headCompleteTarget,
  completedUploadRef,
} from './complete-request.ts';
import { requireWholeFile } from './parts/part-store.ts';
import { completeConditionFor, prepareWithoutFile, prepareFromFile } from './plan-completion.ts';
import { readLastByte, type ReadBack } from './outcome/look.ts';
import { sendParts } from './parts/send-parts.ts';
import type { UploadJob } from './upload-job.ts';
import type { RunningComplete, UploadContext, UploadWork } from './upload-work.ts';
import type { UploadEvent } from './upload-transition.ts';
import { doubtsResponse, needsReadBack, type Observation } from './outcome/verify-outcome.ts';
import { verifyParts } from './parts/verify-parts.ts';
import {
  listParts,
  listPartsIfPossible,
  unlessUnlisted,
  listedByRecords,
  lookForUpload,
  hasListedParts,
} from './listed-parts.ts';

/** Lists the stored parts and keeps the list for the next step. */
export async function findParts(work: UploadWork): Promise<UploadEvent> {
  work.memory.listings.set(work.job.id, await listPartsIfPossible(work));
  return { kind: 'parts-listed' };
}

/** Compares the stored parts with the parts of the file. Throws AppError('storage') if the job has no file. */
export async function compareParts(work: UploadWork): Promise<UploadEvent> {
  const { job, context, deps, parts, memory } = work;
  const known = memory.listings.get(job.id);
  const listed = known === undefined ? await listPartsIfPossible(work) : known;
  memory.listings.delete(job.id);
  const file = fileOf(job);
  requireWholeFile(parts.all(job.id), file.sizeBytes);
  await checkUnchanged(file);
  let bytesHashed = 0;
  // If the service lists no parts, the stored records are used. The Complete request carries their ETags, so the service compares
  // them.
  if (listed !== null)
    await verifyParts({
      hasher: deps.hasher,
      file: plannedSource(file),
      records: parts.all(job.id),
      listed: listed.parts,
      judge: { etagsAreNotMd5: job.etagsAreNotMd5, minPartBytes: deps.minPartBytes },
      acceptUnverified: job.options?.acceptUnverified ?? false,
      signal: context.signal,
      onVerified: (record) => deps.store.transaction(() => parts.put(job.id, record)),
      onBytes: (bytes) => {
        bytesHashed += bytes;
        context.progress(bytesHashed, 0);
      },
    });
  await checkUnchanged(file);
  const records = parts.all(job.id);
  const done = records.filter((record) => record.state !== 'todo');
  return {
    kind: 'parts-verified',
    partsToSend: records.length - done.length,
    partsDone: done.length,
    bytesDone: done.reduce((sum, record) => sum + record.sizeBytes, 0),
  };
}

/** Sends the parts of the file that are missing or differ. Throws AppError('storage') if the job has no file. */
export async function sendMissing(work: UploadWork): Promise<UploadEvent> {
  const { client, job, context, deps, parts, memory } = work;
  const file = fileOf(job);
  const records = parts.all(job.id);
  const listing = await unlessUnlisted(() =>
    client.listParts({ ...completedUploadRef(job), maxParts: 1 }, { signal: context.signal }),
  );
  let { partsDone, bytesDone } = job.progress;
  const jobLimit = job.options?.bandwidthBytesPerSecond ?? null;
  const startedMs = deps.clock.monotonicMs();
  let bytesSent = 0;
  try {
    await sendParts({
      client,
      hasher: deps.hasher,
      clock: deps.clock,
      random: deps.random,
      ref: completedUploadRef(job),
      file,
      parts: records.filter((record) => record.state === 'todo'),
      algorithm: listing === null ? job.checksumAlgorithm : checksumAlgorithmOf(listing.checksumAlgorithm),
      etagsAreMd5: !job.etagsAreNotMd5 && !hasLearned(client, job.bucket, 'etags-are-no-md5'),
      ...(context.shared ?? {
        scheduler: new PartScheduler(() => job.options?.parallelParts ?? deps.settings().parallelParts),
        order: 0,
      }),
      limiters: [work.bandwidth, ...(jobLimit === null ? [] : [createLimiter(deps.clock, () => jobLimit)])],
      waits: context.waits,
      signal: context.signal,
      onSent: (record) => {
        partsDone += 1;
        bytesDone += record.sizeBytes;
        bytesSent += record.sizeBytes;
        // The part and the progress are stored in one transaction.
        context.emit({ kind: 'part-sent', partsDone, bytesDone }, () => parts.put(job.id, record));
      },
      onBytes: (inFlight) => context.progress(bytesDone + inFlight, partsDone),
      log: context.log,
    });
  } finally {
    // Parts already sent stay stored after a pause or failure. The log contains their number.
    const sent = partsDone - job.progress.partsDone;
    if (sent > 0) context.log(noteAttempt('upload-part', `${sent} parts sent`));
  }
  const tookMs = deps.clock.monotonicMs() - startedMs;
  if (bytesSent > 0 && tookMs > 0) memory.recentBytesPerSecond = (bytesSent * 1000) / tookMs;
  return { kind: 'parts-sent' };
}

/**
 * Plans the Complete request: lists the parts again, checks the key, and returns the intent, which is stored before the request
 * is sent. Throws the error of HEAD if a retry may help.
 */
export async function planCompletion(work: UploadWork): Promise<UploadEvent> {
  const { client, job, deps, parts } = work;
  const listed =
    job.kind === 'resume'
      ? ((await listPartsIfPossible(work)) ?? listedByRecords(parts.all(job.id)))
      : await listParts(work);
  if (job.kind === 'resume') await checkUnchanged(fileOf(job));
  const before = await headCompleteTarget(work);
  // If the object at the key is unknown before the request, the outcome cannot be verified later. So HEAD is retried first.
  if (before.kind === 'unreadable' && mayRepeat(before.error, 0)) throw new AppFailure(before.error);
  const preferredCondition = completeConditionFor(job, before);
  const isRefused = client.conditions.of(job.bucket, 'complete', formOf(preferredCondition)) === 'refused';
  const condition = isRefused ? 'none' : preferredCondition;
  if (job.kind === 'complete')
    return prepareWithoutFile(job, listed, { before, condition }, deps.minPartBytes);
  return prepareFromFile(job, parts.all(job.id), listed, { before, condition });
}

/**
 * Sends the Complete request with the condition of its intent. Throws the service's error, and `AppError('internal')` if the part
 * list was not stored.
 */
export async function sendComplete(work: UploadWork, attempt: number): Promise<UploadEvent> {
  const { job, context, memory } = work;
  const parts = work.parts.intent(job.id);
  if (parts === null || job.completion === null)
    throw failure('internal', 'The stored part list of the completion is missing.');
  const { intent } = job.completion;
  const running: RunningComplete = { isSilent: false, isCheckRequested: false };
  memory.completes.set(job.id, running);
  try {
    const reply = await requestComplete(work, running, intent, parts);
    if (reply === null) return { kind: 'complete-overtaken' };
    learnCondition(work);
    context.log({
      request: 'complete',
      partNumber: null,
      status: 200,
      requestId: reply.requestId,
      error: null,
      note: `attempt ${attempt}, ETag ${reply.etag ?? 'not named'}`,
    });
    const whole = { sizeBytes: intent.totalSizeBytes, md5: null, checksums: intent.checksums };
    const proof = proofOfWrite(whole, { etag: null, checksums: reply.checksums });
    // The response contains a checksum of other bytes, so the service made a damaged object.
    if (proof.kind === 'damaged') {
      const { error } = storedDamaged(proof.difference);
      return { kind: 'unable', reason: 'overwritten', error, partNumbers: [] };
    }
    return { kind: 'complete-answered', etag: reply.etag, isProved: proof.kind === 'proved' };
  } catch (thrown) {
    const error = toAppError(thrown);
    if (intent.condition !== 'none' && conditionRefusalOf(error) === 'not-known')
      memory.refusedConditions.set(job.id, formOf(intent.condition));
    context.log({ ...failedAttempt('complete', null, error), note: `attempt ${attempt}` });
    throw thrown;
  } finally {
    memory.completes.delete(job.id);
  }
}

/**
 * Checks the outcome of Complete requests with ListParts and HEAD. If these prove the object, also reads its last byte. Throws
 * `AppError('internal')` if no completion was planned.
 */
export async function lookForOutcome(work: UploadWork): Promise<UploadEvent> {
  const { client, job, context, deps } = work;
  if (job.completion === null) throw failure('internal', 'No completion is pending for this upload.');
  const { intent, sent, watch } = job.completion;
  const uploadState = sent.answer === null ? await lookForUpload(work) : null;
  const object = await headCompleteTarget(work);
  // After a reported success, the upload is checked only if the object at the key contradicts the success.
  const upload: Observation['upload'] =
    uploadState ?? (doubtsResponse(intent, sent, object) ? await lookForUpload(work) : { kind: 'not-asked' });
  const headObservation: Observation = { atMs: deps.clock.nowMs(), upload, object, readBack: null };
  if (object.kind !== 'present' || !needsReadBack(intent, sent, watch, headObservation))
    return { kind: 'observed', observation: headObservation };
  const readBack = await readLastByte(client, job, object.sizeBytes, context.signal);
  context.log(readAttempt(readBack));
  return { kind: 'observed', observation: { ...headObservation, readBack } };
}

/** Lists the parts again to find those that caused InvalidPart or a similar error (aws-elastic-beanstalk-cli#518). */
export async function explainRejection(work: UploadWork): Promise<UploadEvent> {
  const { job, parts, memory } = work;
  const listed = await listPartsIfPossible(work);
  if (listed === null) return { kind: 'unable', reason: 'parts-rejected', error: job.error, partNumbers: [] };
  const requestedParts = parts.intent(job.id) ?? [];
  const byNumber = new Map(listed.parts.map((part) => [part.partNumber, part]));
  const differing = requestedParts.filter(({ partNumber, etag }) => {
    const part = byNumber.get(partNumber);
    return part === undefined || compareEtags(etag, part.etag) === 'different';
  });
  const requestedNumbers = new Set(requestedParts.map((part) => part.partNumber));
  const leftOut = listed.parts
    .map((part) => part.partNumber)
    .filter((number) => !requestedNumbers.has(number));
  if (differing.length === 0 && leftOut.length > 0 && job.error?.reason === 'invalid-part') {
    // All requested parts match the list, so the service rejected the request because stored parts were left out (Ceph).
    memory.refusingSubsets.add(job.connectionId);
    return { kind: 'unable', reason: 'subset-refused', error: job.error, partNumbers: leftOut };
  }
  const partNumbers = differing.map((part) => part.partNumber);
  return { kind: 'unable', reason: 'parts-rejected', error: job.error, partNumbers };
}

/**
 * Checks the key after an upload disappeared without a Complete request of this job, because another client may have completed
 * it. Throws `AppError('storage')` if the job has no file.
 */
export async function explainGone(work: UploadWork): Promise<UploadEvent> {
  const { job } = work;
  const headResult = await headCompleteTarget(work);
  const fileEtag = await etagOfFile(work);
  const hasWantedBytes =
    fileEtag !== null &&
    headResult.kind === 'present' &&
    sameEtag(headResult.etag, fileEtag) &&
    headResult.sizeBytes === job.progress.bytesTotal;
  const isListed = !hasWantedBytes && (await hasListedParts(work));
  return { kind: 'gone-explained', hasWantedBytes, isListed };
}

/** Returns the ETag of an object made from the file; null if the job has no file. */
async function etagOfFile({ job, context, deps, parts }: UploadWork): Promise<string | null> {
  if (job.kind !== 'resume' || job.file === null || job.file.path === null) return null;
  const file = fileOf(job);
  const md5s: string[] = [];
  await checkUnchanged(file);
  for (const { md5, offset, sizeBytes } of parts.all(job.id)) {
    const request = { ...plannedSource(file), offset, sizeBytes, algorithm: null };
    md5s.push(md5 ?? (await deps.hasher.hash(request, context.signal)).md5);
  }
  return expectedEtag(md5s);
}

function readAttempt(readBack: ReadBack): Parameters<UploadContext['log']>[0] {
  return readBack.kind === 'read'
    ? noteAttempt('get-object', 'the last byte')
    : { ...failedAttempt('get-object', null, readBack.error), note: 'the last byte' };
}

function fileOf(job: UploadJob): NonNullable<UploadJob['file']> & { readonly path: string } {
  const { file } = job;
  if (file === null || file.path === null)
    throw failure('storage', 'The local file must be chosen again.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  return { ...file, path: file.path };
}
