import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ConditionMemory } from '../../../electron/core/s3/model/condition-memory.ts';
import type { Timeouts } from '../../../electron/core/s3/http/timeouts.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import type { Shell } from '../../../electron/core/ports.ts';
import { listedWalks, type KeyWalks } from '../../../electron/core/walks/chosen-keys.ts';
import { Operations } from '../../../electron/core/operations/operations.ts';
import { Undos } from '../../../electron/core/operations/undos.ts';
import { createValues } from '../../../electron/core/store/records.ts';
import { Syncs } from '../../../electron/core/sync/syncs.ts';
import { createQueue } from '../../../electron/core/queue.ts';
import { localFiles, type LocalFiles } from '../../../electron/core/disk/local-files.ts';
import { DownloadResults } from '../../../electron/core/transfers/results.ts';
import { Transfers } from '../../../electron/core/transfers/transfers.ts';
import { createHashPool, type Hasher } from '../../../electron/core/disk/hash-pool.ts';
import { noQuirks } from '../../../electron/service/quirks.ts';
import { startService, type Service } from '../lab-service/server.ts';
import type { Job } from '../../../shared/models/jobs.ts';
import {
  defaultUploadOptions,
  type ConflictPolicy,
  type DownloadItem,
  type TransferItem,
  type UploadOptions,
} from '../../../shared/models/transfers.ts';
import { nodeDiskSync } from '../../../electron/host/disk-sync.ts';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import { realClient } from '../servers/real-client.ts';
import { silentLogger } from '../servers/s3-client.ts';
import { QueueRig } from './queue-rig.ts';
import { KiB, rigKeys, rushingClock, rushingDeps, smallestPart } from './uploads-rig.ts';

export const pieceBytes = 64 * KiB;
/** The maximum number of bytes that one CopyObject copies in tests. */
export const copyBytes = 4 * smallestPart;

export interface TransferRigOptions {
  readonly timeouts?: Partial<Timeouts>;
  readonly files?: LocalFiles;
  /** A service to use in place of the embedded one, with its limits for parts and copies. */
  readonly external?: {
    readonly client: S3Client;
    readonly minPartBytes: number;
    readonly largestCopyBytes: number;
    /** A prefix for bucket names, if other tests use the same account. */
    readonly bucketPrefix?: string;
  };
  /** The source of search results. */
  readonly walks?: () => KeyWalks;
  /** The folder of an earlier rig with its jobs, service and files. Absent for a new folder. */
  readonly dir?: string;
}

/** A service, a client, a folder to upload from, a folder to download into, and a queue on a separate database. */
export class TransferRig extends QueueRig {
  readonly clock = rushingClock();
  readonly service: Service;
  readonly client: S3Client;
  /** Flushes small files together, as in the program, if this system supports it. */
  readonly diskSync = nodeDiskSync(nodeClock);
  readonly hasher: Hasher = createHashPool({ clock: this.clock, disk: this.diskSync ?? undefined });
  readonly otherBucket: string;
  files: LocalFiles;
  /** From this number of objects, copies and moves are checked by listings and stored together. Applies from the next restart. */
  togetherFrom = 20;
  readonly #walks: (() => KeyWalks) | undefined;
  #transfers!: Transfers;
  #operations!: Operations;
  #undos!: Undos;
  #syncs!: Syncs;
  /** Moves deleted local files to the trash. With null, they are deleted permanently. */
  trash: ((filePath: string) => Promise<void>) | null = null;
  /** The home folder that transfers assume, or null for the account's. A change takes effect at the next restart. */
  home: string | null = null;
  /** Makes syncs treat the disk as case-insensitive. */
  folds = false;
  readonly #external: TransferRigOptions['external'];
  #ids = 0;
  /** The program's client. A restart replaces the client and all that it has learned about the service. */
  #ownClient!: S3Client;

  private constructor(dir: string, service: Service, options: TransferRigOptions) {
    super(dir);
    this.service = service;
    this.#external = options.external;
    this.bucket = `${options.external?.bucketPrefix ?? ''}bucket`;
    this.otherBucket = `${options.external?.bucketPrefix ?? ''}other-bucket`;
    this.files = options.files ?? localFiles;
    this.#walks = options.walks;
    this.client =
      options.external?.client ??
      realClient({ endpoint: service.endpoint, keys: rigKeys }, rushingDeps(this.clock, options.timeouts));
    this.make();
  }

  static async start(options: TransferRigOptions = {}): Promise<TransferRig> {
    const dir = options.dir ?? mkdtempSync(path.join(os.tmpdir(), 'cooper-transfers-'));
    const service = await startService({
      dataDir: path.join(dir, 'service'),
      credentials: [rigKeys],
      region: 'us-east-1',
      minPartBytes: smallestPart,
    });
    const rig = new TransferRig(dir, service, options);
    if (options.dir === undefined) {
      for (const bucket of [rig.bucket, rig.otherBucket]) await rig.client.createBucket({ bucket });
      mkdirSync(rig.sendDir);
      mkdirSync(rig.fetchDir);
    }
    rig.queue.start();
    return rig;
  }

  get sendDir(): string {
    return path.join(this.dir, 'send');
  }

  get fetchDir(): string {
    return path.join(this.dir, 'fetch');
  }

  get operations(): Operations {
    return this.#operations;
  }

  get undos(): Undos {
    return this.#undos;
  }

  get syncs(): Syncs {
    return this.#syncs;
  }

  get transfers(): Transfers {
    return this.#transfers;
  }

  /** Returns the results of finished downloads, which reveals and drags them through this shell. */
  resultsFor(shell: Pick<Shell, 'revealInFolder' | 'startDrag'>): DownloadResults {
    return new DownloadResults({ ...this.queue, shell });
  }

  #forget(): void {
    this.#ownClient = { ...this.client, conditions: new ConditionMemory() };
  }

  protected override make(): void {
    const random = { fraction: () => 0.5, id: () => `id-${process.pid}-${(this.#ids += 1)}` };
    const { clock } = this;
    this.#forget();
    const clientOf = (): Promise<S3Client> => Promise.resolve(this.wrapClient(this.#ownClient));
    const queue = (this.queue = createQueue({
      database: this.database,
      clock,
      random,
      logger: silentLogger,
      clientOf,
      minPartBytes: this.#external?.minPartBytes ?? smallestPart,
      storeHooks: { onTransaction: (when) => this.storeHooks.onTransaction?.(when) },
      hasher: this.hasher,
      pieceBytes,
      ...(this.#walks === undefined ? {} : { walks: this.#walks }),
      ...(this.home === null ? {} : { home: this.home }),
      ...(this.trash === null ? {} : { trash: async (file: string) => await this.trash?.(file) }),
      limits: {
        largestCopyBytes: this.#external?.largestCopyBytes ?? copyBytes,
        partsFromBytes: 2 * (this.#external?.minPartBytes ?? smallestPart),
        togetherFrom: this.togetherFrom,
      },
      files: {
        openPart: (filePath) => this.files.openPart(filePath),
        placeSmall: (hasher, request, signal) => this.files.placeSmall(hasher, request, signal),
        openPiece: (hasher, request) => this.files.openPiece(hasher, request),
      },
    }));
    const { jobs, store, hasher, transferDriver } = queue;
    this.makeUploads(
      { clock, random, clientOf },
      {
        bucketsOf: () => Promise.resolve({ buckets: [{ name: this.bucket, startPrefix: '' }], error: null }),
        equalPartSizes: () => false,
      },
    );
    this.#undos = new Undos({
      jobs,
      store,
      items: transferDriver.items,
      clock,
      random,
      makeFolder: async ({ key, ...place }, redoes) =>
        await this.#operations.createFolder(
          { ...place, prefix: '', name: key.slice(0, -1) },
          undefined,
          redoes,
        ),
      values: createValues(this.database, 'view_state'),
    });
    this.#operations = new Operations({
      jobs,
      clock,
      random,
      clientOf,
      madeFolder: (place, seen, redoes) => {
        this.#undos.madeFolder(place, seen, redoes);
      },
    });
    this.#syncs = new Syncs({
      dataDir: this.dir,
      clock,
      random,
      clientOf,
      walks: this.#walks ?? (() => listedWalks(clientOf)),
      hasher,
      jobs,
      store,
      items: transferDriver.items,
      realPathOf: async (handle) => await realpath(handle).catch(() => handle),
      hasTrash: this.trash !== null,
      uploadOptions: () => ({ ...defaultUploadOptions, multipartFromBytes: 2 * smallestPart }),
      folds: () => Promise.resolve(this.folds),
    });
    this.#transfers = new Transfers({
      jobs,
      store,
      driver: transferDriver,
      clock,
      random,
      chosenFile: async (handle) => ({ path: handle, real: await realpath(handle).catch(() => handle) }),
      abortUploads: async (refs) => await this.many.abort(refs, null),
    });
  }

  /** Restarts as after a crash: jobs get no notice, and the database is reopened. */
  async restart(): Promise<void> {
    await this.#syncs.close();
    await this.stop();
    this.reopen();
  }

  async close(): Promise<void> {
    try {
      await this.leave();
    } finally {
      rmSync(this.dir, { recursive: true, force: true });
    }
  }

  /** Ends as in a crash. Jobs get no notice, and the folder is kept. */
  async leave(): Promise<void> {
    await this.#syncs.close();
    await this.stop();
    this.database.close();
    await this.client.close();
    await this.service.close();
    await this.hasher.close();
    this.diskSync?.close();
  }

  /** Clears faults and quirks, and empties both folders and the bucket. */
  async reset(): Promise<void> {
    this.service.faults.clear();
    Object.assign(this.service.quirks, noQuirks);
    this.#forget();
    this.wrapClient = (client) => client;
    this.storeHooks = {};
    for (const dir of [this.sendDir, this.fetchDir]) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(dir);
    }
    for (const bucket of [this.bucket, this.otherBucket]) {
      for (;;) {
        const { objects } = await this.client.listObjects({ bucket });
        for (const { key } of objects) await this.client.deleteObject({ bucket, key });
        if (objects.length === 0) break;
      }
      const { uploads } = await this.client.listMultipartUploads({ bucket });
      for (const { key, uploadId } of uploads)
        await this.client.abortMultipartUpload({ bucket, key, uploadId });
    }
  }

  file(name: string, bytes: Uint8Array, mtimeSeconds = 1_600_000_000.25): string {
    const filePath = path.join(this.sendDir, name);
    mkdirSync(path.dirname(filePath), { recursive: true });
    writeFileSync(filePath, bytes);
    utimesSync(filePath, mtimeSeconds, mtimeSeconds);
    return filePath;
  }

  /**
   * Starts a copy or move of everything below `a/` to `b/` in the other bucket, which is on this service (`c`) or on the other one.
   * Returns the job's id.
   */
  copyToOtherBucket(isMove: boolean, connectionId: 'c' | 'other'): string {
    const { jobId } = this.operations.copy({
      from: { connectionId: 'c', bucket: this.bucket, basePrefix: 'a/' },
      items: [{ kind: 'prefix', prefix: 'a/' }],
      to: { connectionId, bucket: this.otherBucket, prefix: 'b/' },
      options: { onConflict: 'ask', isMove },
    });
    return jobId ?? '';
  }

  async upload(paths: readonly string[], options: Partial<UploadOptions> = {}, prefix = ''): Promise<string> {
    const { jobId } = await this.transfers.upload({
      connectionId: 'c',
      bucket: this.bucket,
      prefix,
      fileHandles: paths,
      options: { ...defaultUploadOptions, multipartFromBytes: 2 * smallestPart, ...options },
    });
    return jobId;
  }

  async download(
    items: readonly DownloadItem[],
    onConflict: ConflictPolicy = 'ask',
    basePrefix = '',
  ): Promise<string> {
    const { jobId } = await this.transfers.download({
      connectionId: 'c',
      bucket: this.bucket,
      basePrefix,
      items,
      folderHandle: this.fetchDir,
      options: { onConflict },
    });
    return jobId;
  }

  /** Waits until the job and the queue rest. Fails if nothing would ever wake a job. */
  override async settle(jobId: string): Promise<Job> {
    const job = await super.settle(jobId);
    await this.uploads.jobs.idle();
    return this.uploads.jobs.job(jobId) ?? job;
  }

  items(jobId: string): readonly TransferItem[] {
    return this.transfers.items(jobId, 'all', 0, 1000).items;
  }

  async put(key: string, bytes: Uint8Array, metadata: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.client.putObject({
      bucket: this.bucket,
      key,
      metadata,
      body: { sizeBytes: bytes.byteLength, open: () => bytes },
    });
  }

  /** Simulates another client that writes the key just before the first such request is sent. */
  writtenBefore(
    operation: keyof S3Client,
    key: string,
    bytes: Uint8Array,
    metadata: Readonly<Record<string, string>> = {},
  ): void {
    let isFirst = true;
    this.wrapClient = (client) =>
      new Proxy(client, {
        get: (target, property, receiver) => {
          const member: unknown = Reflect.get(target, property, receiver);
          if (property !== operation || !isFirst) return member;
          return async (...parameters: unknown[]) => {
            if (isFirst) await this.put(key, bytes, metadata);
            isFirst = false;
            return (await Reflect.apply(member as () => unknown, target, parameters)) as unknown;
          };
        },
      });
  }

  async keys(bucket = this.bucket): Promise<readonly string[]> {
    const keys: string[] = [];
    let pageToken: string | null = null;
    do {
      const page = await this.client.listObjects({ bucket, ...(pageToken === null ? {} : { pageToken }) });
      keys.push(...page.objects.map(({ key }) => key));
      pageToken = page.nextPageToken;
    } while (pageToken !== null);
    return keys;
  }
}

export interface TreeEntry {
  readonly mtimeMs: number;
  /** Null for a folder. */
  readonly bytes: Buffer | null;
}

/** Returns every file and every empty folder below a folder. */
export function treeOf(root: string, below = ''): Map<string, TreeEntry> {
  const found = new Map<string, TreeEntry>();
  for (const name of readdirSync(path.join(root, below)).toSorted()) {
    const local = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(path.join(root, local));
    if (stats.isDirectory()) {
      const inner = treeOf(root, local);
      if (inner.size === 0) found.set(local, { mtimeMs: 0, bytes: null });
      for (const [key, entry] of inner) found.set(key, entry);
    } else found.set(local, { mtimeMs: stats.mtimeMs, bytes: readFileSync(path.join(root, local)) });
  }
  return found;
}
