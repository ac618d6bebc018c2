import { AppFailure, failure, toAppError } from '../../../shared/errors.ts';
import type { Job, JobSettings } from '../../../shared/models/jobs.ts';
import { mayRepeat } from '../jobs/failure.ts';
import type { Driver, EffectContext, EngineEvent, Live } from '../jobs/types.ts';
import type { JobStore } from '../jobs/store.ts';
import type { Clock, Random } from '../ports.ts';
import type { ConditionForm } from '../s3/model/condition-memory.ts';
import {
  absent,
  asSeen,
  conditionFor as headersFor,
  refusalOf,
  type Condition as S3Condition,
} from '../s3/conditions/conditional.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { abortUpload } from './abort.ts';
import { createLimiter, type BandwidthLimiter } from '../flow/bandwidth.ts';
import { checksumAlgorithmOf } from '../disk/checksums.ts';
import { expectedEtag, sameEtag } from '../s3/model/multipart-etag.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { checkUnchanged } from '../disk/local-file.ts';
import { completeWatched } from './hanging-complete.ts';
import { failedAttempt, headOf, listAllParts, logged, type ListedUpload } from './look.ts';
import { fingerprintOf } from './part-list.ts';
import { PartStore, type PartRecord } from './part-store.ts';
import { PartTurns } from '../flow/part-turns.ts';
import { conditionFor, prepareAsItIs, prepareFromFile } from './prepare.ts';
import { provedThoughListed } from './proof.ts';
import { readLastByte, type ReadBack } from './read-back.ts';
import { sendParts } from './send-parts.ts';
import { transition, type UploadEffect, type UploadEvent } from './transition.ts';
import { uploadJobSchema, type UploadJob } from './upload-job.ts';
import { verifyParts } from './verify-parts.ts';
import { doubtsAnswer, nothingSent, quietMs, wantsReadBack, type Observation } from './verify-outcome.ts';
import type { Condition, Intent } from './outcome.ts';

export interface UploadDriverDeps {
  readonly store: JobStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Hasher;
  /** Rejects with not-found, reason connection-missing, where the connection is gone. */
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly settings: () => JobSettings;
  readonly minPartBytes: number;
}

/** `shared`: the turns of the job that the file belongs to, and its place in there. Absent: it is a job of its own. */
type Context = EffectContext<UploadEvent> & {
  readonly shared?: { readonly turns: PartTurns; readonly order: number };
};

interface Hanging {
  isSilent: boolean;
  isLookWanted: boolean;
}

/** The effects of uploads' jobs: requests, hashing, and the records of parts. */
export class UploadDriver implements Driver<UploadJob, UploadEvent, UploadEffect> {
  readonly kinds = ['complete', 'resume', 'abort'] as const;
  readonly transition = transition;
  readonly parts: PartStore;
  readonly #deps: UploadDriverDeps;
  readonly #shared: BandwidthLimiter;
  /** The listing that the next effect of the same run works on. */
  readonly #listings = new Map<string, ListedUpload>();
  /** Connections whose service has refused a Complete that left stored parts out. */
  readonly #refusingSubsets = new Set<string>();
  /** Completes that are under way, by their jobs. */
  readonly #hanging = new Map<string, Hanging>();
  /** Conditions that a Complete of the job was refused with. */
  readonly #refused = new Map<string, ConditionForm>();
  #recentBytesPerSecond: number | null = null;

  constructor(deps: UploadDriverDeps) {
    this.#deps = deps;
    this.parts = new PartStore(deps.store);
    this.#shared = createLimiter(deps.clock, () => deps.settings().bandwidthBytesPerSecond);
  }

  /** What parts were lately sent at, for the estimate of a plan. */
  get recentBytesPerSecond(): number | null {
    return this.#recentBytesPerSecond;
  }

  parse(data: unknown): UploadJob {
    return uploadJobSchema.parse(data);
  }

  persist(job: UploadJob, event: UploadEvent | EngineEvent): void {
    if (event.kind === 'prepared' && job.state === 'completing') this.parts.putIntent(job.id, event.parts);
  }

  async perform(effect: UploadEffect, job: UploadJob, context: Context): Promise<UploadEvent> {
    const client = await this.#deps.clientOf(job.connectionId);
    switch (effect.kind) {
      case 'list-parts':
        this.#listings.set(job.id, await this.#list(client, job, context));
        return { kind: 'parts-listed' };
      case 'verify-parts':
        return await this.#verify(client, job, context);
      case 'send-parts':
        return await this.#send(client, job, context);
      case 'prepare-completion':
        return await this.#prepare(client, job, context);
      case 'complete':
        return await this.#complete(client, job, context, effect.attempt);
      case 'observe':
        return await this.#observe(client, job, context);
      case 'explain-rejection':
        return await this.#explainRejection(client, job, context);
      case 'explain-gone':
        return await this.#explainGone(client, job, context);
      case 'abort-upload':
        return await abortUpload(client, job, context, this.#deps);
      default:
        return effect satisfies never;
    }
  }

  toModel(job: UploadJob, live: Live | null): Job {
    const { progress } = job;
    const bytesDone = live?.bytesDone ?? progress.bytesDone;
    const speed = live?.bytesPerSecond ?? null;
    const remainingMs =
      speed === null || speed <= 0 ? null : Math.round(((progress.bytesTotal - bytesDone) / speed) * 1000);
    return {
      id: job.id,
      kind: job.kind,
      state: job.state,
      connectionId: job.connectionId,
      bucket: job.bucket,
      key: job.key,
      uploadId: job.uploadId,
      fileName: job.file?.name ?? null,
      createdAt: new Date(job.createdMs).toISOString(),
      updatedAt: new Date(job.updatedMs).toISOString(),
      stateSince: new Date(job.stateSinceMs).toISOString(),
      partsTotal: progress.partsTotal,
      partsDone: live?.partsDone ?? progress.partsDone,
      bytesTotal: progress.bytesTotal,
      bytesDone,
      speedBytesPerSecond: speed,
      remainingMs,
      retryAt: job.dueMs === null ? null : new Date(job.dueMs).toISOString(),
      completeAttempts: job.completion?.attempts ?? 0,
      reason: job.reason,
      outcome: job.outcome,
      ...(job.isUnread ? { notReadBack: true } : {}),
      ...this.#waitOf(job),
      error: job.error,
      partNumbers: [...job.partNumbers],
      pauseRequested: job.pauseRequested,
      ...(job.inTheWay === null ? {} : { inTheWay: job.inTheWay }),
    };
  }

  refusesSubset(connectionId: string): boolean {
    return this.#refusingSubsets.has(connectionId);
  }

  /** "Look now": the key is looked at beside the Complete that a job, or one of its items, waits for. */
  lookNow(jobId: string): void {
    for (const [id, hanging] of this.#hanging)
      if (id === jobId || id.startsWith(`${jobId}/`)) hanging.isLookWanted = true;
  }

  /** Whether a job, or one of its items, waits for a Complete that has been silent for a while. */
  isSilent(jobId: string): boolean {
    return [...this.#hanging].some(
      ([id, { isSilent }]) => isSilent && (id === jobId || id.startsWith(`${jobId}/`)),
    );
  }

  #waitOf(job: UploadJob): Pick<Job, 'waitsFor' | 'waitsUntil'> {
    if (job.state === 'completing') return this.isSilent(job.id) ? { waitsFor: 'complete-answer' } : {};
    if (job.waiting === null) return {};
    const { kind, untilMs } = job.waiting;
    return { waitsFor: kind, waitsUntil: untilMs === null ? null : new Date(untilMs).toISOString() };
  }

  async #list(client: S3Client, job: UploadJob, context: Context): Promise<ListedUpload> {
    return await logged(
      context.log,
      'list-parts',
      () => listAllParts(client, job, context.signal),
      (listed) => `${listed.parts.length} parts`,
    );
  }

  async #verify(client: S3Client, job: UploadJob, context: Context): Promise<UploadEvent> {
    const listed = this.#listings.get(job.id) ?? (await this.#list(client, job, context));
    this.#listings.delete(job.id);
    const file = fileOf(job);
    await checkUnchanged(file);
    let bytesHashed = 0;
    await verifyParts({
      hasher: this.#deps.hasher,
      filePath: file.path,
      records: this.parts.all(job.id),
      listed: listed.parts,
      judge: { etagsAreNotMd5: job.etagsAreNotMd5, minPartBytes: this.#deps.minPartBytes },
      acceptUnverified: job.options?.acceptUnverified ?? false,
      signal: context.signal,
      onVerified: (record) => this.#deps.store.transaction(() => this.parts.put(job.id, record)),
      onBytes: (bytes) => {
        bytesHashed += bytes;
        context.progress(bytesHashed, 0);
      },
    });
    await checkUnchanged(file);
    const records = this.parts.all(job.id);
    const done = records.filter((record) => record.state !== 'todo');
    return {
      kind: 'parts-verified',
      partsToSend: records.length - done.length,
      partsDone: done.length,
      bytesDone: bytesOf(done),
    };
  }

  async #send(client: S3Client, job: UploadJob, context: Context): Promise<UploadEvent> {
    const file = fileOf(job);
    const records = this.parts.all(job.id);
    const listing = await client.listParts({ ...refOf(job), maxParts: 1 }, { signal: context.signal });
    let { partsDone, bytesDone } = job.progress;
    const own = job.options?.bandwidthBytesPerSecond ?? null;
    const startedMs = this.#deps.clock.monotonicMs();
    let bytesSent = 0;
    try {
      await sendParts({
        client,
        hasher: this.#deps.hasher,
        clock: this.#deps.clock,
        random: this.#deps.random,
        ref: refOf(job),
        file,
        parts: records.filter((record) => record.state === 'todo'),
        algorithm: checksumAlgorithmOf(listing.checksumAlgorithm),
        etagsAreMd5: !job.etagsAreNotMd5 && records.some((record) => record.state === 'verified'),
        ...(context.shared ?? {
          turns: new PartTurns(() => job.options?.parallelParts ?? this.#deps.settings().parallelParts),
          order: 0,
        }),
        limiters: [this.#shared, ...(own === null ? [] : [createLimiter(this.#deps.clock, () => own)])],
        waits: context.waits,
        signal: context.signal,
        onSent: (record) => {
          partsDone += 1;
          bytesDone += record.sizeBytes;
          bytesSent += record.sizeBytes;
          // The part and the progress are stored together; nothing else is written.
          context.emit({ kind: 'part-sent', partsDone, bytesDone }, () => this.parts.put(job.id, record));
        },
        onBytes: (inFlight) => context.progress(bytesDone + inFlight, partsDone),
        log: context.log,
      });
    } finally {
      // A pause or a failure keeps the parts that were sent; the log says how many.
      const sent = partsDone - job.progress.partsDone;
      if (sent > 0) context.log(note('upload-part', `${sent} parts sent`));
    }
    const tookMs = this.#deps.clock.monotonicMs() - startedMs;
    if (bytesSent > 0 && tookMs > 0) this.#recentBytesPerSecond = (bytesSent * 1000) / tookMs;
    return { kind: 'parts-sent' };
  }

  async #prepare(client: S3Client, job: UploadJob, context: Context): Promise<UploadEvent> {
    const listed = await this.#list(client, job, context);
    if (job.kind === 'resume') await checkUnchanged(fileOf(job));
    const before = await logged(
      context.log,
      'head-object',
      () => headOf(client, job, context.signal),
      (seen) => seen.kind,
    );
    // Without a look at the key the outcome could not be told later: it is asked again first.
    if (before.kind === 'unreadable' && mayRepeat(before.error, 0)) throw new AppFailure(before.error);
    const wanted = conditionFor(job, before);
    const isRefused = client.conditions.of(job.bucket, 'complete', formOf(wanted)) === 'refused';
    const condition = isRefused ? 'none' : wanted;
    if (job.kind === 'complete')
      return prepareAsItIs(job, listed, { before, condition }, this.#deps.minPartBytes);
    return prepareFromFile(job, this.parts.all(job.id), listed, { before, condition });
  }

  async #complete(client: S3Client, job: UploadJob, context: Context, attempt: number): Promise<UploadEvent> {
    const { completion } = job;
    const parts = this.parts.intent(job.id);
    if (parts === null || completion === null)
      throw failure('internal', 'The part list of the completion is not in the store.');
    const { intent } = completion;
    const hanging: Hanging = { isSilent: false, isLookWanted: false };
    this.#hanging.set(job.id, hanging);
    const show = (): void => context.progress(job.progress.bytesDone, job.progress.partsDone);
    try {
      const answer = await completeWatched(
        async (signal, onSignOfLife) =>
          await client.completeMultipartUpload(
            { ...refOf(job), parts, ...headersOf(intent), onSignOfLife },
            { signal, maxTries: 1 },
          ),
        {
          clock: this.#deps.clock,
          signal: context.signal,
          look: async (silentMs) => await lookBeside(client, job, intent, silentMs, context),
          isLookWanted: () => {
            const isWanted = hanging.isLookWanted;
            hanging.isLookWanted = false;
            return isWanted;
          },
          onSilence: (isSilent) => {
            if (isSilent === hanging.isSilent) return;
            hanging.isSilent = isSilent;
            show();
          },
        },
      );
      if (answer === null) return { kind: 'complete-overtaken' };
      this.#learn(client, job);
      context.log({
        request: 'complete',
        partNumber: null,
        status: 200,
        requestId: answer.requestId,
        error: null,
        note: `attempt ${attempt}, ETag ${answer.etag ?? 'not named'}`,
      });
      return { kind: 'complete-answered', etag: answer.etag };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (intent.condition !== 'none' && refusalOf(error) === 'not-known')
        this.#refused.set(job.id, formOf(intent.condition));
      context.log({ ...failedAttempt('complete', null, error), note: `attempt ${attempt}` });
      throw thrown;
    } finally {
      this.#hanging.delete(job.id);
    }
  }

  /** What was refused with a condition and went well without: this bucket's Completes go without from now on. */
  #learn({ conditions }: S3Client, { id, bucket, completion }: UploadJob): void {
    const form = this.#refused.get(id);
    this.#refused.delete(id);
    if (form !== undefined && completion?.intent.condition === 'none')
      conditions.learned(bucket, 'complete', form, 'refused');
  }

  /** One look: ListParts, HEAD, and the last byte of an object that they prove. */
  async #observe(client: S3Client, job: UploadJob, context: Context): Promise<UploadEvent> {
    const { completion } = job;
    if (completion === null) throw failure('internal', 'There is no Complete to look for.');
    const { intent, sent, watch } = completion;
    const before = sent.answer === null ? await this.#lookForUpload(client, job, context) : null;
    const object = await logged(
      context.log,
      'head-object',
      () => headOf(client, job, context.signal),
      (seen) => seen.kind,
    );
    // The service's own success needs no look at the upload, unless the key contradicts it.
    const upload: Observation['upload'] =
      before ??
      (doubtsAnswer(intent, sent, object)
        ? await this.#lookForUpload(client, job, context)
        : { kind: 'not-asked' });
    const seen: Observation = { atMs: this.#deps.clock.nowMs(), upload, object, readBack: null };
    if (object.kind !== 'present' || !wantsReadBack(intent, sent, watch, seen))
      return { kind: 'observed', observation: seen };
    const readBack = await readLastByte(client, job, object.sizeBytes, context.signal);
    context.log(readAttempt(readBack));
    return { kind: 'observed', observation: { ...seen, readBack } };
  }

  async #lookForUpload(
    client: S3Client,
    job: UploadJob,
    context: Context,
  ): Promise<Exclude<Observation['upload'], { kind: 'not-asked' }>> {
    try {
      const listed = await this.#list(client, job, context);
      return { kind: 'there', fingerprint: fingerprintOf(listed.parts) };
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'upload-gone') return { kind: 'gone' };
      if (error.code === 'cancelled' || error.code === 'auth-expired') throw thrown;
      return { kind: 'unclear', error };
    }
  }

  /** InvalidPart and its like: which parts differ from what was asked for (aws-elastic-beanstalk-cli#518). */
  async #explainRejection(client: S3Client, job: UploadJob, context: Context): Promise<UploadEvent> {
    const listed = await this.#list(client, job, context);
    const asked = this.parts.intent(job.id) ?? [];
    const byNumber = new Map(listed.parts.map((part) => [part.partNumber, part]));
    const differing = asked.filter(
      (part) => !sameEtag(part.etag, byNumber.get(part.partNumber)?.etag ?? null),
    );
    const names = new Set(asked.map((part) => part.partNumber));
    const leftOut = listed.parts.map((part) => part.partNumber).filter((number) => !names.has(number));
    if (differing.length === 0 && leftOut.length > 0 && job.error?.reason === 'invalid-part') {
      // Every part is as it was named: what the service minds is that others are not (Ceph).
      this.#refusingSubsets.add(job.connectionId);
      return { kind: 'unable', reason: 'subset-refused', error: job.error, partNumbers: leftOut };
    }
    const partNumbers = differing.map((part) => part.partNumber);
    return { kind: 'unable', reason: 'parts-rejected', error: job.error, partNumbers };
  }

  /** The upload is gone without a Complete of ours: perhaps somebody else has completed it. */
  async #explainGone(client: S3Client, job: UploadJob, context: Context): Promise<UploadEvent> {
    const seen = await logged(
      context.log,
      'head-object',
      () => headOf(client, job, context.signal),
      (head) => head.kind,
    );
    const wanted = await this.#wantedEtag(job, context);
    const hasWantedBytes =
      wanted !== null &&
      seen.kind === 'present' &&
      sameEtag(seen.etag, wanted) &&
      seen.sizeBytes === job.progress.bytesTotal;
    const isListed = !hasWantedBytes && (await this.#lookForUpload(client, job, context)).kind === 'there';
    return { kind: 'gone-explained', hasWantedBytes, isListed };
  }

  async #wantedEtag(job: UploadJob, context: Context): Promise<string | null> {
    if (job.kind !== 'resume' || job.file === null || job.file.path === null) return null;
    const file = fileOf(job);
    const records: PartRecord[] = [];
    await checkUnchanged(file);
    for (const record of this.parts.all(job.id)) {
      if (record.md5 !== null) records.push(record);
      else {
        const { offset, sizeBytes } = record;
        const request = { path: file.path, offset, sizeBytes, algorithm: null };
        const { md5 } = await this.#deps.hasher.hash(request, context.signal);
        records.push({ ...record, md5 });
      }
    }
    return expectedEtag(records.map((record) => record.md5));
  }
}

function refOf(job: UploadJob): { bucket: string; key: string; uploadId: string } {
  return { bucket: job.bucket, key: job.key, uploadId: job.uploadId };
}

/** The headers of a Complete that say what may stand at the key. */
function headersOf(intent: Intent): S3Condition {
  switch (intent.condition) {
    case 'free':
      return headersFor(absent) ?? {};
    case 'as-seen':
      return intent.before.kind === 'present' ? (headersFor(asSeen(intent.before)) ?? {}) : {};
    default:
      return {};
  }
}

function formOf(condition: Condition): ConditionForm {
  return condition === 'free' ? 'absent' : 'etag';
}

/** Whether the key proves a Complete that has not answered. Where no ETag can, only after ten minutes without a word. */
async function lookBeside(
  client: S3Client,
  job: UploadJob,
  intent: Intent,
  silentMs: number,
  context: Context,
): Promise<boolean> {
  try {
    const object = await logged(
      context.log,
      'head-object',
      () => headOf(client, job, context.signal),
      (seen) => `${seen.kind}, while the Complete is under way`,
    );
    const proved = provedThoughListed(intent, { ...nothingSent, doubtAtMs: 0 }, object);
    return proved !== null && (proved !== 'probably-completed' || silentMs >= quietMs);
  } catch {
    // It is in the log. The Complete's own answer is waited for.
    return false;
  }
}

function readAttempt(readBack: ReadBack): Parameters<Context['log']>[0] {
  return readBack.kind === 'read'
    ? note('get-object', 'the last byte')
    : { ...failedAttempt('get-object', null, readBack.error), note: 'the last byte' };
}

function fileOf(job: UploadJob): NonNullable<UploadJob['file']> & { readonly path: string } {
  const { file } = job;
  if (file === null || file.path === null)
    throw failure('storage', 'The local file has to be given again.', {
      reason: 'file-missing',
      retry: 'after-fix',
    });
  return { ...file, path: file.path };
}

function bytesOf(records: readonly PartRecord[]): number {
  return records.reduce((sum, record) => sum + record.sizeBytes, 0);
}

function note(request: string, text: string): Parameters<Context['log']>[0] {
  return { request, partNumber: null, status: null, requestId: null, error: null, note: text };
}
