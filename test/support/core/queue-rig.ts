import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { StoreHooks } from '../../../electron/core/store/transacted-database.ts';
import { isResting } from '../../../electron/core/jobs/job.ts';
import { ManyUploads } from '../../../electron/core/operations/many-uploads.ts';
import type { Clock, Random } from '../../../electron/core/ports.ts';
import type { Queue } from '../../../electron/core/queue.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { StalledUploads, type UploadsDeps } from '../../../electron/core/stalled/stalled-uploads.ts';
import { openDatabase } from '../../../electron/core/store/database.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import { assertNothingSleeps } from '../nothing-sleeps.ts';

export interface QueueRigParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: () => Promise<S3Client>;
}

/** A queue on a separate database, with its stalled uploads. The base of the rigs, which add a service and files. */
export abstract class QueueRig {
  readonly dir: string;
  storeHooks: StoreHooks = {};
  wrapClient: (client: S3Client) => S3Client = (client) => client;
  bucket = 'bucket';
  abstract readonly client: S3Client;
  /** The open database, which each restart replaces. */
  database: DatabaseSync;
  queue!: Queue;
  #uploads!: StalledUploads;
  #many!: ManyUploads;

  protected constructor(dir: string) {
    this.dir = dir;
    this.database = this.#open();
  }

  /** Creates the queue and all that uses it, on the database that is open now. */
  protected abstract make(): void;

  get uploads(): StalledUploads {
    return this.#uploads;
  }

  get many(): ManyUploads {
    return this.#many;
  }

  #open(): DatabaseSync {
    return openDatabase(path.join(this.dir, 'cooper.db'), { nowMs: Date.now() }).database;
  }

  protected makeUploads(
    { clock, random, clientOf }: QueueRigParts,
    { bucketsOf, equalPartSizes }: Pick<UploadsDeps, 'bucketsOf' | 'equalPartSizes'>,
  ): void {
    this.#uploads = new StalledUploads({
      ...this.queue,
      clock,
      random,
      clientOf,
      bucketsOf,
      startOf: () => null,
      equalPartSizes,
      realPathOf: async (handle) => await realpath(handle).catch(() => handle),
      handleFor: (filePath) => filePath,
    });
    const { jobs, store, transferDriver, uploadDriver } = this.queue;
    this.#many = new ManyUploads({
      jobs,
      store,
      items: transferDriver.items,
      parts: uploadDriver.parts,
      clock,
      random,
      single: this.#uploads,
    });
  }

  /** Ends the engine without notifying the jobs, as a crash does. */
  async stop(): Promise<void> {
    await this.queue.close();
  }

  /** Opens the database again with a new queue, and starts it. A start that is killed leaves the stored state to the next one. */
  protected reopen(beforeStart: () => void = () => undefined): void {
    this.database.close();
    this.database = this.#open();
    this.make();
    beforeStart();
    try {
      this.queue.start();
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.name !== 'Killed') throw thrown;
    }
  }

  /** Waits until the job rests. Fails if nothing would ever wake a job. */
  async settle(jobId: string, limitMs = 40_000): Promise<Job> {
    const until = Date.now() + limitMs;
    for (;;) {
      const job = this.uploads.jobs.job(jobId);
      if (job === null) throw new Error('There is no such job.');
      assertNothingSleeps(this.uploads.jobs);
      if (isResting(job.state)) return job;
      if (Date.now() > until) throw new Error(`The job does not come to rest: ${JSON.stringify(job)}`);
      await new Promise((resolve) => {
        setTimeout(resolve, 2);
      });
    }
  }

  async object(key: string, bucket = this.bucket): Promise<Buffer | null> {
    try {
      const { body } = await this.client.getObject({ bucket, key });
      const chunks: Uint8Array[] = [];
      for await (const chunk of body) chunks.push(chunk as Uint8Array);
      return Buffer.concat(chunks);
    } catch {
      return null;
    }
  }
}
