import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { S3ClientDeps } from '../../../electron/core/s3/client.ts';
import { ConditionMemory } from '../../../electron/core/s3/model/condition-memory.ts';
import type { Timeouts } from '../../../electron/core/s3/http/timeouts.ts';
import type { CredentialSource } from '../../../electron/core/s3/model/connection-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { Clock } from '../../../electron/core/ports.ts';
import type { StoreHooks } from '../../../electron/core/store/transacted-database.ts';
import { createQueue } from '../../../electron/core/queue.ts';
import { createHashPool, type Hasher } from '../../../electron/core/disk/hash-pool.ts';
import { startChecksum, type ChecksumAlgorithm } from '../../../electron/core/disk/checksums.ts';
import { itemReport } from '../../../electron/core/transfers/item-report.ts';
import { sweepOrphans } from '../../../electron/core/transfers/items/damaged-items.ts';
import type { Item } from '../../../electron/core/transfers/items/transfer-item.ts';
import { startService, type Service } from '../lab-service/server.ts';
import type { ServiceOptions } from '../lab-service/server.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import type { PlanEvent, ResumeOptions, UploadPlan } from '../../../shared/models/resume-plan.ts';
import { QueueRig } from './queue-rig.ts';
import { realClient } from '../servers/real-client.ts';
import { silentLogger } from '../servers/s3-client.ts';

export const KiB = 1024;
export const smallestPart = 64 * KiB;
export const rigKeys = { accessKeyId: 'RIGKEY', secretAccessKey: 'rig-secret' };

export interface RushingClock extends Clock {
  passedMs: number;
  sleep: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Returns a clock on which each sleep ends after at most `sleepMs` of real time and advances the clock by its full duration. The
 * service and the signatures use the real time. A slow service needs longer sleeps, or it would seem unresponsive for minutes.
 */
export function rushingClock(sleepMs = 2): RushingClock {
  const clock = {
    passedMs: 0,
    nowMs: () => Date.now() + clock.passedMs,
    monotonicMs: () => performance.now() + clock.passedMs,
    sleep: (delayMs: number, signal?: AbortSignal): Promise<void> => {
      if (signal?.aborted === true) return Promise.reject(signal.reason as Error);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => {
            clock.passedMs += delayMs;
            resolve();
          },
          Math.min(delayMs, sleepMs),
        );
        signal?.addEventListener(
          'abort',
          () => {
            clearTimeout(timer);
            reject(signal.reason as Error);
          },
          { once: true },
        );
      });
    },
  };
  return clock;
}

/** Returns the dependencies of a client that signs with the real time, and whose waits pass at once. */
export function rushingDeps(
  clock: RushingClock,
  timeouts: Partial<Timeouts> | undefined,
): Partial<S3ClientDeps> {
  return {
    clock: {
      nowMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
    },
    random: { fraction: () => 0.5, id: () => '' },
    ...(timeouts === undefined ? {} : { timeouts }),
  };
}

/** Returns pseudo-random bytes. The same seed gives the same bytes. */
export function bytesOf(sizeBytes: number, seed: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  for (let index = 0; index < sizeBytes; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface RigOptions {
  readonly service?: Partial<ServiceOptions>;
  readonly timeouts?: Partial<Timeouts>;
  readonly storeHooks?: StoreHooks;
  readonly credentials?: CredentialSource;
  readonly equalPartSizes?: boolean;
  /** A service that is already running, such as Ceph, in place of the embedded one. */
  readonly external?: {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: CredentialSource;
  };
  readonly minPartBytes?: number;
  /** The maximum real duration of a sleep. */
  readonly sleepMs?: number;
  readonly wrapClient?: (client: S3Client) => S3Client;
}

export interface BeginOptions {
  readonly partSize: number;
  /** The numbers of the parts to upload. Absent for all parts. */
  readonly parts?: readonly number[];
  readonly checksum?: ChecksumAlgorithm;
}

/** A service, a client, and a queue for stalled uploads on a separate database. */
export class Rig extends QueueRig {
  readonly clock: RushingClock;
  readonly options: RigOptions;
  readonly service: Service | null;
  readonly client: S3Client;
  readonly hasher: Hasher;
  settled: Job[] = [];
  /** The program's knowledge of how the service handles conditions. */
  conditions = new ConditionMemory();
  #ids = 0;

  private constructor(options: RigOptions, dir: string, service: Service | null, hasher: Hasher) {
    super(dir);
    this.options = options;
    this.clock = rushingClock(options.sleepMs);
    this.service = service;
    this.hasher = hasher;
    this.storeHooks = options.storeHooks ?? {};
    this.wrapClient = options.wrapClient ?? ((client) => client);
    const { clock } = this;
    this.client = realClient(
      {
        endpoint: service?.endpoint ?? options.external?.endpoint ?? '',
        region: options.external?.region ?? 'us-east-1',
        keys: rigKeys,
      },
      rushingDeps(clock, options.timeouts),
      {
        credentials: options.external?.credentials ?? options.credentials ?? (() => Promise.resolve(rigKeys)),
      },
    );
    this.make();
  }

  static async start(options: RigOptions = {}, hasher: Hasher = createHashPool()): Promise<Rig> {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'cooper-rig-'));
    const service =
      options.external === undefined
        ? await startService({
            dataDir: path.join(dir, 'service'),
            credentials: [rigKeys],
            region: 'us-east-1',
            minPartBytes: smallestPart,
            ...options.service,
          })
        : null;
    const rig = new Rig(options, dir, service, hasher);
    await rig.client.createBucket({ bucket: rig.bucket }).catch((thrown: unknown) => {
      if (options.external === undefined) throw thrown;
    });
    rig.queue.start();
    return rig;
  }

  /** Removes items without a job, as the program does at its start. */
  sweep(): void {
    sweepOrphans(this.queue.store, this.queue.transferDriver.items);
  }

  items(jobId: string): readonly Item[] {
    return this.queue.transferDriver.items.list(jobId, 'all', 0, 100_000).items;
  }

  /** Returns the lines of a job's report file. */
  async report(jobId: string): Promise<readonly string[]> {
    const { store, transferDriver: driver } = this.queue;
    const chunks: Uint8Array[] = [];
    for await (const { bytes } of itemReport({ store, driver }, jobId).chunks()) chunks.push(bytes);
    return Buffer.concat(chunks).toString('utf8').trimEnd().split('\r\n');
  }

  get faults(): Service['faults'] {
    if (this.service === null) throw new Error('No faults here.');
    return this.service.faults;
  }

  protected override make(): void {
    const shared = {
      clock: this.clock,
      random: { fraction: () => 0.5, id: () => `${process.pid}-${(this.#ids += 1)}` },
      clientOf: () => Promise.resolve(this.wrapClient({ ...this.client, conditions: this.conditions })),
    };
    this.queue = createQueue({
      ...shared,
      database: this.database,
      logger: silentLogger,
      onSettled: (job) => this.settled.push(job),
      minPartBytes: this.options.minPartBytes ?? smallestPart,
      storeHooks: { onTransaction: (when) => this.storeHooks.onTransaction?.(when) },
      hasher: this.hasher,
    });
    this.makeUploads(shared, {
      bucketsOf: async (_connectionId, signal) => ({
        buckets: (await this.client.listBuckets({ signal })).map(({ name }) => ({ name, startPrefix: '' })),
        error: null,
      }),
      equalPartSizes: () => this.options.equalPartSizes ?? false,
    });
  }

  /** Restarts as after a crash: jobs get no notice, and the database is reopened. */
  async restart(beforeStart: () => void = () => undefined, abandon = false): Promise<void> {
    // `abandon` does not wait for running effects, since a killed process does not either.
    const closing = this.stop();
    if (!abandon) await closing;
    this.reopen(beforeStart);
  }

  async close(): Promise<void> {
    try {
      await this.stop();
      this.database.close();
      await this.client.close();
      await this.service?.close();
      await this.hasher.close();
    } finally {
      rmSync(this.dir, { recursive: true, force: true });
    }
  }

  file(name: string, bytes: Uint8Array): string {
    const filePath = path.join(this.dir, name);
    writeFileSync(filePath, bytes);
    return filePath;
  }

  /** Starts an upload as another client would, and sends these parts of these bytes. */
  async begin(key: string, bytes: Uint8Array, options: BeginOptions): Promise<UploadRef> {
    const { partSize, checksum } = options;
    const { uploadId } = await this.client.createMultipartUpload({
      bucket: this.bucket,
      key,
      ...(checksum === undefined ? {} : { checksumAlgorithm: checksum }),
    });
    const ref = { connectionId: 'c', bucket: this.bucket, key, uploadId };
    const count = Math.ceil(bytes.byteLength / partSize);
    for (const partNumber of options.parts ?? Array.from({ length: count }, (_, index) => index + 1))
      await this.put(
        ref,
        partNumber,
        bytes.subarray((partNumber - 1) * partSize, partNumber * partSize),
        checksum,
      );
    return ref;
  }

  async put(
    ref: UploadRef,
    partNumber: number,
    bytes: Uint8Array,
    checksum?: ChecksumAlgorithm,
  ): Promise<string> {
    let checksums = {};
    if (checksum !== undefined) {
      const running = startChecksum(checksum);
      running.update(bytes);
      checksums = { [checksum]: running.digest() };
    }
    const { bucket, key, uploadId } = ref;
    const body = { sizeBytes: bytes.byteLength, open: () => bytes };
    const response = await this.client.uploadPart({ bucket, key, uploadId, partNumber, body, checksums });
    return response.etag;
  }

  async plan(ref: UploadRef, filePath: string, etagsAreNotMd5 = false): Promise<UploadPlan> {
    const events: PlanEvent[] = [];
    const signal = new AbortController().signal;
    for await (const event of this.uploads.plan({ ref, fileHandle: filePath, etagsAreNotMd5 }, signal))
      events.push(event);
    const last = events.at(-1);
    if (last?.kind !== 'plan') throw new Error('The plan did not come.');
    return last.plan;
  }

  async resume(ref: UploadRef, filePath: string, options: Partial<ResumeOptions> = {}): Promise<string> {
    const plan = await this.plan(ref, filePath);
    return this.uploads.resume(plan.planId, {
      parallelParts: null,
      bandwidthBytesPerSecond: null,
      acceptUnverified: false,
      ...options,
    }).jobId;
  }

  async complete(ref: UploadRef, acceptGaps = false): Promise<string> {
    const [check] = await this.uploads.inspector.check([ref], new AbortController().signal);
    if (check === undefined) throw new Error('The check did not come.');
    const { fingerprint, standing } = check;
    const made = await this.uploads.complete([{ ref, fingerprint, standing, acceptGaps }]);
    const [jobId] = made.jobIds;
    if (jobId === undefined) throw new Error(JSON.stringify(made.refused));
    return jobId;
  }

  /** Returns how many requests for this operation the service received since the faults were cleared. */
  asked(operation: Parameters<Service['faults']['count']>[0]): number {
    return this.faults.count(operation);
  }

  sentParts(): readonly number[] {
    return this.faults.journal
      .filter((entry) => entry.operation === 'UploadPart')
      .map((entry) => entry.partNumber ?? 0);
  }
}
