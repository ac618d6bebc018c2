import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { CompletionRequest, UploadRef } from '../../../shared/models/stalled.ts';
import type {
  NewUploadInput,
  FileMatch,
  PlanEvent,
  ResumeOptions,
} from '../../../shared/models/resume-plan.ts';
import type { JobEngine } from '../jobs/engine.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { Clock, Random } from '../ports.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import {
  jobExists,
  refuseAbortBeside,
  lockKeyOf,
  uploadJobSchema,
  type UploadJob,
} from '../multipart/upload-job.ts';
import type { UploadDriver } from '../multipart/upload-driver.ts';
import { startNewUpload, seedOfJob } from './new-upload.ts';
import { Inspector } from './inspector.ts';
import type { LocalSource } from '../disk/fence.ts';
import type { Hasher } from '../disk/hash-pool.ts';
import { matchFiles } from './match.ts';
import { abortJob, completeJob, quietUntilOf, resumeJob } from '../multipart/new-jobs.ts';
import { Plans } from './resume-plans.ts';
import { Scans, type ScanDeps } from './scan.ts';
import { lookAtFile, plannedSource, type JobFile } from '../disk/local-file.ts';
import { isSameFile } from '../disk/planned-file.ts';

export interface UploadsDeps {
  readonly jobs: JobEngine;
  readonly store: JobStore;
  readonly hasher: Hasher;
  /** Runs the jobs that this class creates. */
  readonly uploadDriver: UploadDriver;
  /** Returns the id of the job that has this upload as an item; null if there is none. */
  readonly holderOf: (lockKey: string) => string | null;
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly bucketsOf: ScanDeps['bucketsOf'];
  readonly startOf: ScanDeps['startOf'];
  /** Returns true for services such as R2, where all parts but the last must have the same size. */
  readonly equalPartSizes: (connectionId: string) => boolean;
  /**
   * Returns false if the service is known to refuse a Complete request that leaves out stored parts. If absent, subsets are
   * assumed to work until the service refuses one.
   */
  readonly completesSubset?: (connectionId: string) => boolean;
  readonly realPathOf: (fileHandle: string) => Promise<string>;
  /** Returns a handle for a file in a folder that the user chose. */
  readonly handleFor: (filePath: string) => string;
  readonly minPartBytes: number;
}

export interface JobsCreated {
  readonly jobIds: string[];
  readonly refused: { readonly ref: UploadRef; readonly error: AppError }[];
}

/**
 * Resumes, completes and aborts stalled uploads. The user finds an upload in `scans`, sees it with `inspector`, chooses a file for
 * it, and makes a plan. No request changes the service before a job starts.
 */
export class StalledUploads {
  readonly jobs: JobEngine;
  readonly scans: Scans;
  readonly inspector: Inspector;
  readonly #deps: UploadsDeps;
  readonly #driver: UploadDriver;
  readonly #plans: Plans;

  constructor(deps: UploadsDeps) {
    this.#deps = deps;
    this.jobs = deps.jobs;
    this.#driver = deps.uploadDriver;
    this.scans = new Scans(deps);
    this.inspector = new Inspector({ ...deps, jobOf: (ref) => this.#unfinished(ref)?.id ?? null });
    this.#plans = new Plans({
      ...deps,
      mayLeaveOut: (connectionId) =>
        (deps.completesSubset?.(connectionId) ?? true) &&
        !this.#driver.memory.refusingSubsets.has(connectionId),
      recentBytesPerSecond: () => this.#driver.memory.recentBytesPerSecond,
    });
  }

  async match(folderHandle: string, refs: readonly UploadRef[], signal: AbortSignal): Promise<FileMatch[]> {
    return await matchFiles(await this.#deps.realPathOf(folderHandle), refs, {
      signal,
      storedBytes: (ref) => this.inspector.storedBytes(ref, signal),
      handleFor: this.#deps.handleFor,
    });
  }

  async *plan(
    { ref, fileHandle, etagsAreNotMd5 }: { ref: UploadRef; fileHandle: string; etagsAreNotMd5: boolean },
    signal: AbortSignal,
  ): AsyncGenerator<PlanEvent> {
    yield* this.#plans.plan({ ref, file: await this.#fileOf(fileHandle), etagsAreNotMd5 }, signal);
  }

  /** Returns the chosen file with its real path, so that a changed link cannot lead to another file later. */
  async #fileOf(handle: string): Promise<LocalSource> {
    const real = await this.#deps.realPathOf(handle);
    return { path: real, within: real };
  }

  resume(planId: string, options: ResumeOptions): { jobId: string } {
    return this.#submit(this.resumption(planId, options, this.#deps.random.id()));
  }

  /**
   * Creates the job that resumes the upload of a plan, and the state of each part. Throws AppFailure if the plan shows that the
   * file does not match, or if the upload has a job already.
   */
  resumption(planId: string, options: ResumeOptions, id: string): ReturnType<typeof resumeJob> {
    const plan = this.#plans.take(planId);
    const isLeftOut = plan.refusal === 'too-short' && plan.isBeginning && options.leaveOut === true;
    if (plan.refusal !== null && !isLeftOut)
      throw failure(
        'invalid-argument',
        'According to the plan, this file is not the one that was uploaded.',
        { reason: 'plan-refused' },
      );
    this.#refuseSecondJob(plan.ref);
    return resumeJob(plan, options, { ...this.#newJob(plan.ref), id });
  }

  /**
   * Sends the file of a plan or job to its key as a new upload and keeps the old upload. If the response that creates the new one
   * is lost, an empty stalled upload remains. Throws `AppError('not-found')` if the job does not exist.
   */
  async uploadAgain(from: NewUploadInput): Promise<{ jobId: string }> {
    const seed =
      from.kind === 'plan' ? this.#plans.take(from.planId) : seedOfJob(this.#uploadJob(from.jobId));
    const client = await this.#deps.clientOf(seed.ref.connectionId);
    const made = await startNewUpload(client, seed, this.#deps.minPartBytes);
    return this.#submit(resumeJob(made.plan, made.options, this.#newJob(made.ref)));
  }

  #submit({ job, records }: ReturnType<typeof resumeJob>): { jobId: string } {
    this.jobs.submit(job, () => {
      for (const record of records) this.#driver.parts.put(job.id, record);
    });
    return { jobId: job.id };
  }

  /**
   * Sets the file of a job whose file is missing. It must have the size and content of the planned file. Throws
   * `AppError('invalid-argument')` if the size differs.
   */
  async giveFile(jobId: string, fileHandle: string): Promise<void> {
    const file = await lookAtFile(await this.#fileOf(fileHandle));
    const job = this.#uploadJob(jobId);
    if (job.file !== null && job.file.sizeBytes !== file.sizeBytes)
      throw failure(
        'invalid-argument',
        'The size of this file differs from the size of the file in the plan.',
        { reason: 'file-changed', retry: 'after-fix' },
      );
    // The file may have different content, so all parts are compared with it again.
    const isSame = job.file !== null && isSameFile(job.file, file);
    if (!isSame) await this.#refuseWrongFile(jobId, file);
    this.#deps.store.transaction(() => {
      if (!isSame)
        for (const record of this.#driver.parts.all(jobId))
          this.#driver.parts.put(jobId, { ...record, state: 'todo', md5: null, etag: null });
      this.jobs.send(jobId, { kind: 'file-given', file });
    });
  }

  /** Throws if some parts that were verified or sent do not match the file. Compares only a few of them. */
  async #refuseWrongFile(jobId: string, file: JobFile): Promise<void> {
    const known = this.#driver.parts
      .all(jobId)
      .filter((record) => record.state !== 'todo' && record.md5 !== null);
    const step = Math.max(1, Math.floor(known.length / 3));
    for (const record of known.filter((_, index) => index % step === 0).slice(0, 4)) {
      const { offset, sizeBytes, md5 } = record;
      const request = { ...plannedSource(file), offset, sizeBytes, algorithm: null };
      const hash = await this.#deps.hasher.hash(request, new AbortController().signal);
      if (hash.md5 !== md5)
        throw failure('invalid-argument', 'The content of this file differs from the verified parts.', {
          reason: 'wrong-file',
          retry: 'after-fix',
        });
    }
  }

  async complete(requests: readonly CompletionRequest[]): Promise<JobsCreated> {
    return await this.#createEach(
      requests,
      ({ ref }) => ref,
      (request) => {
        this.#refuseSecondJob(request.ref);
        return completeJob(request, this.#newJob(request.ref));
      },
    );
  }

  /** Checks the key at once if a Complete request of a job or of one of its items has no response yet. */
  lookNow(jobId: string): void {
    this.#driver.memory.lookNow(jobId);
  }

  /**
   * Aborts uploads at the user's request, after stopping jobs that send parts. Throws `AppError('conflict')` if a job already
   * aborts one of the uploads, or if the outcome of its Complete request is unknown.
   */
  async abort(refs: readonly UploadRef[]): Promise<JobsCreated> {
    return await this.#createEach(
      refs,
      (ref) => ref,
      (ref) => {
        if (this.#deps.holderOf(lockKeyOf(ref)) !== null) throw jobExists();
        for (const job of this.jobs.unfinished(lockKeyOf(ref))) {
          const known = uploadJobSchema.parse(job);
          refuseAbortBeside(known);
          this.jobs.send(known.id, { kind: 'cancel' });
        }
        return abortJob(this.#newJob(ref));
      },
    );
  }

  #uploadJob(jobId: string): UploadJob {
    const row = this.#deps.store.load(jobId);
    if (row === null) throw failure('not-found', 'There is no such job.', { reason: 'job-gone' });
    return this.#driver.parse(JSON.parse(row.data));
  }

  #newJob(ref: UploadRef): { id: string; nowMs: number; ref: UploadRef; quietUntilMs: number } {
    const earlier = this.jobs.ofLock(lockKeyOf(ref)).map((job) => uploadJobSchema.parse(job));
    const nowMs = this.#deps.clock.nowMs();
    return { id: this.#deps.random.id(), nowMs, ref, quietUntilMs: quietUntilOf(earlier, nowMs) };
  }

  #unfinished(ref: UploadRef): { readonly id: string } | null {
    const lockKey = lockKeyOf(ref);
    const holder = this.#deps.holderOf(lockKey);
    return holder === null ? (this.jobs.unfinished(lockKey)[0] ?? null) : { id: holder };
  }

  #refuseSecondJob(ref: UploadRef): void {
    if (this.#unfinished(ref) !== null) throw jobExists();
  }

  async #createEach<T>(
    agreed: readonly T[],
    refOf: (entry: T) => UploadRef,
    jobOf: (entry: T) => UploadJob,
  ): Promise<JobsCreated> {
    const made: JobsCreated = { jobIds: [], refused: [] };
    await this.jobs.submitMany(
      agreed,
      (entry) => ({ job: jobOf(entry) }),
      (jobId) => made.jobIds.push(jobId),
      (entry, thrown) => made.refused.push({ ref: refOf(entry), error: toAppError(thrown) }),
    );
    return made;
  }
}
