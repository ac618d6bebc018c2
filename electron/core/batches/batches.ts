import { createHash } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { failure } from '../../../shared/errors.ts';
import type { NewBatch } from '../../../shared/models/batches.ts';
import { startChecksum, type PartChecksums } from '../disk/checksums.ts';
import { lookAtFile } from '../disk/local-file.ts';
import type { JobEngine } from '../jobs/engine.ts';
import { newJobFields } from '../jobs/life.ts';
import { noSuchJob } from '../jobs/job.ts';
import type { Clock, Logger, Random } from '../ports.ts';
import type { SentAlgorithm } from '../s3/model/service-memory.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { namesIn } from '../disk/local-files.ts';
import { localFileFailure } from '../disk/disk-failure.ts';
import { chosenKeys, type KeyWalks } from '../walks/chosen-keys.ts';
import { manifestText } from '../walks/tables/export-text.ts';
import type { BatchJob } from './batch-job.ts';

export interface BatchesDeps {
  readonly dataDir: string;
  readonly jobs: JobEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly walks: () => KeyWalks;
}

/** The maximum size of one PUT in bytes (API_PutObject). */
const maxBytes = 5 * 1024 ** 3;

/** Creates jobs of S3 Batch Operations; the driver runs them. */
export class BatchJobs {
  readonly #deps: BatchesDeps;
  readonly #dir: string;
  /**
   * Resolves when manifests without a job have been removed. A new manifest has no job while it is written, so writing waits for
   * this.
   */
  #swept: Promise<void> = Promise.resolve();

  constructor(deps: BatchesDeps) {
    this.#deps = deps;
    this.#dir = path.join(deps.dataDir, 'batches');
  }

  /**
   * Writes the chosen keys into a local manifest and submits the job. A search ends with the program, so its keys are stored
   * before the first request. Throws `AppError('invalid-argument')` if nothing was chosen, `AppError('unsupported')` for a
   * provider without S3 Batch Operations, and `AppError('storage')` if the manifest cannot be written.
   */
  async create(input: NewBatch, signal: AbortSignal): Promise<{ jobId: string }> {
    const { clientOf, random, clock, jobs } = this.#deps;
    const client = await clientOf(input.connectionId);
    if (!client.hasBatches)
      throw failure('unsupported', 'This provider has no S3 Batch Operations.', {
        reason: 'not-implemented',
      });
    const region = await regionOf(client, input, signal);
    await this.#swept;
    const id = random.id();
    const filePath = path.join(this.#dir, fileName(id));
    try {
      const written = await this.#writeManifest(input, filePath, client.checksums.algorithm, signal);
      const job: BatchJob = {
        ...newJobFields({
          id,
          connectionId: input.connectionId,
          lockKey: `batch ${id}`,
          nowMs: clock.nowMs(),
        }),
        kind: 'batch',
        bucket: input.bucket,
        operation: input.operation,
        accountId: input.accountId,
        roleArn: input.roleArn,
        priority: input.priority,
        region,
        asksFirst: input.asksFirst,
        report: input.report,
        manifest: { ...input.manifest, ...written, file: await lookAtFile({ path: filePath }), stored: null },
        token: random.id(),
        createSent: false,
        inDoubt: false,
        serviceId: null,
        wanted: 'nothing',
        told: 'nothing',
        seen: null,
        looks: 0,
      };
      signal.throwIfAborted();
      jobs.submit(job);
      return { jobId: id };
    } catch (thrown) {
      await rm(filePath, { force: true });
      throw localFileFailure(thrown);
    }
  }

  /** Confirms a job that waits to run. Throws `AppError('not-found')` if the job was cleared. */
  confirm(jobId: string): void {
    if (!this.#deps.jobs.send(jobId, { kind: 'confirm' })) noSuchJob();
  }

  /** Removes manifests whose job was never submitted because the program ended first. Runs once at the start. */
  async sweep(): Promise<void> {
    this.#swept = this.#removeOrphans();
    await this.#swept;
  }

  async #removeOrphans(): Promise<void> {
    const { jobs, logger } = this.#deps;
    try {
      for (const name of await namesIn(this.#dir))
        if (jobs.job(path.parse(name).name) === null) await rm(path.join(this.#dir, name), { force: true });
    } catch (thrown) {
      logger.warn('Could not remove manifests without a job.', { err: thrown });
    }
  }

  async #writeManifest(
    { items, ...place }: NewBatch,
    filePath: string,
    algorithm: SentAlgorithm | null,
    signal: AbortSignal,
  ): Promise<{ readonly objects: number; readonly md5: string; readonly checksums: PartChecksums }> {
    const { connectionId, bucket } = place;
    if (items.some((item) => item.kind === 'key' && item.versionId !== undefined))
      throw failure('invalid-argument', "Cooper's manifests can only list current versions.");
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const md5 = createHash('md5');
    const checksum = algorithm === null ? null : startChecksum(algorithm);
    let objects = 0;
    let bytes = 0;
    const file = await open(filePath, 'wx', 0o600);
    try {
      const pages = chosenKeys(this.#deps.walks(), { connectionId, bucket }, items, signal, () => undefined);
      for await (const page of pages) {
        const text = Buffer.from(
          manifestText(
            bucket,
            page.map(({ key }) => key),
          ),
        );
        objects += page.length;
        bytes += text.byteLength;
        if (bytes > maxBytes)
          throw failure('invalid-argument', 'The manifest would be larger than 5 GiB.', {
            reason: 'batch-too-large',
          });
        md5.update(text);
        checksum?.update(text);
        await file.writeFile(text);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    if (objects === 0)
      throw failure('invalid-argument', 'There are no objects for the job.', { reason: 'batch-empty' });
    const checksums = algorithm === null || checksum === null ? {} : { [algorithm]: checksum.digest() };
    return { objects, md5: md5.digest('base64'), checksums };
  }
}

function fileName(jobId: string): string {
  return `${jobId}.csv`;
}

/** Returns the region of a job: that of its objects, or of the target for copies (User Guide, "Copy objects"). */
async function regionOf(
  client: S3Client,
  { bucket, operation }: NewBatch,
  signal: AbortSignal,
): Promise<string> {
  const regionBucket = operation.kind === 'copy' ? operation.bucket : bucket;
  const region =
    (await client.headBucket({ bucket: regionBucket }, { signal })).region ??
    (await client.getBucketLocation({ bucket: regionBucket }, { signal }));
  if (region !== null) return region;
  throw failure('protocol', `The service does not report the region of ${regionBucket}.`, {
    reason: 'unexpected-answer',
    retry: 'after-fix',
  });
}
