import path from 'node:path';
import { setImmediate } from 'node:timers';
import type { DatabaseSync } from 'node:sqlite';
import { failure } from '../../shared/errors.ts';
import type { Connection, StartPlace } from '../../shared/models/connection.ts';
import { BatchJobs } from './batches/batches.ts';
import { createDropped } from './files/dropped.ts';
import { createFiles } from './files/files.ts';
import type { Ports } from './ports.ts';
import { createCustomerKeys } from './connections/customer-key-store.ts';
import type { Quirks } from '../../shared/providers/provider.ts';
import { quirksFor } from '../../shared/providers/providers.ts';
import type { S3Client } from './s3/model/s3-client.ts';
import { listedWalks } from './walks/chosen-keys.ts';
import { ManyUploads } from './operations/many-uploads.ts';
import { Operations } from './operations/operations.ts';
import { Undos } from './operations/undos.ts';
import { createValues } from './store/records.ts';
import type { Browse } from './browse/browse.ts';
import { Syncs } from './sync/syncs.ts';
import { DownloadResults, DragCopies } from './transfers/results.ts';
import type { BucketChanges } from './transfers/items/key-changes.ts';
import { Transfers } from './transfers/transfers.ts';
import { createUploadDefaults } from './settings/stored-settings.ts';
import { settledNotice } from './jobs/settled-notice.ts';
import { StalledUploads } from './stalled/stalled-uploads.ts';
import { createQueue, type Queue, type QueueDeps } from './queue.ts';
import type { QueueParts } from './handlers/core-parts.ts';

export interface QueuePartsDeps extends Pick<
  QueueDeps,
  'walks' | 'removeBucket' | 'onKeysChanged' | 'partSizeBytes'
> {
  readonly ports: Ports;
  readonly database: DatabaseSync;
  readonly dataDir: string;
  readonly client: (connectionId: string) => Promise<S3Client>;
  readonly connections: () => Promise<readonly Connection[]> | readonly Connection[];
  readonly startOf: (connectionId: string) => StartPlace | null;
  readonly browse: Pick<Browse, 'buckets'>;
  /** True in a browser, where the page sends dropped files. A desktop window knows their paths. */
  readonly receivesDropped: boolean;
  /** Returns the file size from which the settings require uploads in parts, in bytes. */
  readonly multipartFromBytes?: () => number;
}

/** Creates the queue and the services that submit its jobs. */
export function createQueueParts(deps: QueuePartsDeps): QueueParts & { readonly queue: Queue } {
  const { ports } = deps;
  const { clock, random, logger } = ports;
  const files = createFiles({
    random,
    dialogs: ports.dialogs,
    shell: ports.shell,
    values: createValues(deps.database, 'settings'),
    // On the desktop, the window shows the whole disk like the system's file manager.
    isWholeDisk: !deps.receivesDropped,
    sampleDir: path.join(deps.dataDir, 'sample-files'),
  });
  const unfinishedJobQuery = deps.database.prepare(
    `SELECT 1 FROM jobs WHERE state NOT IN ('done', 'cancelled') AND instr(data, ?) > 0 LIMIT 1`,
  );
  const dropped = createDropped({
    dir: path.join(deps.dataDir, 'dropped'),
    clock,
    logger,
    handleFor: (filePath) => files.handleFor(filePath),
    isInUse: (id) => unfinishedJobQuery.get(id) !== undefined,
  });
  const { shell } = ports;
  const anyJobQuery = deps.database.prepare('SELECT 1 FROM jobs WHERE instr(data, ?) > 0 LIMIT 1');
  const dragCopies = new DragCopies({
    dir: path.join(deps.dataDir, 'drag-out'),
    random,
    logger,
    isInUse: (id) => anyJobQuery.get(id) !== undefined,
  });
  const sweep = createSweeper([dropped, dragCopies], logger);
  const providers = new Map<string, Connection>();
  const clientOf = async (connectionId: string): Promise<S3Client> => {
    const known = (await deps.connections()).find((connection) => connection.id === connectionId);
    if (known === undefined) throw connectionMissing();
    providers.set(connectionId, known);
    return await deps.client(connectionId);
  };
  const trash = shell.trashItem === undefined ? null : async (file: string) => await shell.trashItem?.(file);
  const onWritten = (place: BucketChanges['place'], key: string | null): void =>
    deps.onKeysChanged?.({ place, changes: [{ kind: 'written', key }] });
  const queue = createQueue({
    ...deps,
    clock,
    random,
    logger,
    clientOf,
    diskSync: ports.diskSync,
    ...(trash === null ? {} : { trash }),
    onGone: sweep,
    onSettled: (job) => {
      const { kind } = job;
      // The items of other jobs report their keys.
      if (kind === 'complete' || kind === 'resume' || kind === 'batch')
        onWritten(job, kind === 'batch' ? null : job.key);
      const notice = settledNotice(job);
      if (notice !== null) ports.shell.notify(notice);
    },
  });
  const { jobs, store, hasher, transferDriver, uploadDriver } = queue;
  const uploads = new StalledUploads({
    ...queue,
    clock,
    random,
    clientOf,
    bucketsOf: async (connectionId, signal, age) => await deps.browse.buckets(connectionId, signal, age),
    startOf: deps.startOf,
    equalPartSizes: (connectionId) => quirksOf(providers.get(connectionId))?.equalPartSizes ?? false,
    completesSubset: (connectionId) => quirksOf(providers.get(connectionId))?.completesSubset ?? true,
    realPathOf: (handle) => files.realPathOf(handle),
    handleFor: (filePath) => files.handleFor(filePath),
  });
  const manyUploads = new ManyUploads({
    jobs,
    store,
    items: transferDriver.items,
    parts: uploadDriver.parts,
    clock,
    random,
    single: uploads,
  });
  const transfers = new Transfers({
    jobs,
    store,
    driver: transferDriver,
    clock,
    random,
    chosenFile: (handle) => files.chosen(handle),
    dragCopies: shell.startDrag === undefined ? null : dragCopies,
    abortUploads: async (refs) => await manyUploads.abort(refs, null),
    ...(deps.multipartFromBytes === undefined ? {} : { multipartFromBytes: deps.multipartFromBytes }),
    ...(deps.partSizeBytes === undefined ? {} : { partSizeBytes: deps.partSizeBytes }),
  });
  const uploadDefaults = createUploadDefaults(createValues(deps.database, 'settings'));
  const customerKeys = createCustomerKeys(ports.secrets, async (connectionId) => {
    const all = await deps.connections();
    return all.find(({ id }) => id === connectionId)?.endpoint ?? '';
  });
  const undos = new Undos({
    jobs,
    store,
    items: transferDriver.items,
    clock,
    random,
    makeFolder: async ({ key, ...place }, redoes) =>
      await operations.createFolder({ ...place, prefix: '', name: key.slice(0, -1) }, undefined, redoes),
    values: createValues(deps.database, 'view_state'),
  });
  const operations = new Operations({
    jobs,
    clock,
    random,
    clientOf,
    madeFolder: (place, observed, redoes) => {
      onWritten(place, place.key);
      undos.madeFolder(place, observed, redoes);
    },
  });
  const walks = deps.walks ?? (() => listedWalks(clientOf));
  const syncs = new Syncs({
    dataDir: deps.dataDir,
    clock,
    random,
    clientOf,
    walks,
    hasher,
    jobs,
    store,
    items: transferDriver.items,
    realPathOf: (handle) => files.realPathOf(handle),
    hasTrash: trash !== null,
    uploadOptions: (connectionId) => ({
      ...uploadDefaults.get(connectionId),
      multipartFromBytes:
        uploadDefaults.get(connectionId).multipartFromBytes ?? deps.multipartFromBytes?.() ?? null,
      partSizeBytes: uploadDefaults.get(connectionId).partSizeBytes ?? deps.partSizeBytes?.() ?? null,
    }),
  });
  const downloadResults = new DownloadResults({ store, transferDriver, shell });
  sweep();
  const batches = new BatchJobs({ dataDir: deps.dataDir, jobs, clock, random, logger, clientOf, walks });
  return {
    queue,
    uploads,
    manyUploads,
    files,
    dropped,
    transfers,
    operations,
    undos,
    uploadDefaults,
    customerKeys,
    syncs,
    downloadResults,
    batches,
  };
}

function quirksOf(connection: Connection | undefined): Quirks | null {
  if (connection === undefined) return null;
  const hostname = URL.parse(connection.endpoint)?.hostname ?? '';
  return quirksFor(connection.provider, hostname);
}

function connectionMissing(): Error {
  return failure('not-found', 'The connection of this job no longer exists.', {
    reason: 'connection-missing',
    retry: 'after-fix',
  });
}

/** A set of temporary copies. `sweep` removes those that are no longer needed. */
interface Sweepable {
  sweep(): Promise<void>;
}

/** Returns a function that starts a sweep of all these copies. Sweeps run one at a time, even if many jobs end at once. */
function createSweeper(all: readonly Sweepable[], logger: Pick<Ports['logger'], 'warn'>): () => void {
  let isSweepPending = false;
  let isSweeping = false;
  const run = async (): Promise<void> => {
    while (isSweepPending) {
      isSweepPending = false;
      for (const copies of all) await copies.sweep();
    }
  };
  return () => {
    isSweepPending = true;
    if (isSweeping) return;
    isSweeping = true;
    setImmediate(() => {
      run()
        // The database may already be closed. The next start sweeps again.
        .catch((thrown: unknown) => logger.warn('Temporary copies were not removed.', { err: thrown }))
        .finally(() => {
          isSweeping = false;
        });
    });
  };
}
