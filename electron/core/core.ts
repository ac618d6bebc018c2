import path from 'node:path';
import type { z } from 'zod';
import { AppFailure } from '../../shared/errors.ts';
import { hostInfoSchema, type HostInfo } from '../../shared/models/settings.ts';
import type { FileEntry } from '../../shared/models/files.ts';
import {
  createBookmarks,
  storedBookmarkSchema,
  createDownloadFolder,
  createViewState,
  type ViewState,
  createSettings,
  type SettingsStore,
} from './settings/stored-settings.ts';
import { announceOpened, createS3Links, createEventHub, type EventHub } from './settings/events.ts';
import { createBrowse } from './browse/browse.ts';
import { createBucketLists } from './browse/bucket-lists.ts';
import { createTypedBuckets } from './browse/list-buckets.ts';
import { createBucketManager } from './buckets/manage.ts';
import { createBucketSettings } from './buckets/bucket-settings.ts';
import { createBytesRoute, type BytesRoute } from './bytes/bytes-route.ts';
import { createTickets } from './bytes/tickets.ts';
import { Maps } from './catalogues/maps.ts';
import type { CoreParts } from './handlers/core-parts.ts';
import type { JobChanges } from './jobs/changes.ts';
import { createInventory } from './inventory/inventory.ts';
import { createEdits } from './edits/edits.ts';
import { createRouter, type CoreRouter } from './handlers/router.ts';
import { createLinks } from './links/links.ts';
import { noUpdates, type Ports, type Updates } from './ports.ts';
import { createClients, sampleServiceOf, type Samples } from './connections/clients.ts';
import { createConnections } from './connections/connections.ts';
import { storedConnectionSchema } from './connections/stored-connection.ts';
import { testConnection } from './connections/test-connection.ts';
import { createProperties } from './properties/properties.ts';
import { createRequestLog } from './request-log/request-log.ts';
import type { S3Client } from './s3/model/s3-client.ts';
import { chooseBackup } from './store/backups.ts';
import { keepDatabase } from './store/database-keeper.ts';
import { openCheckedDatabase, type CheckedDatabase } from './store/open-kept.ts';
import { fenceOff } from './disk/fence.ts';
import { makePrivateFolder } from './store/private-file.ts';
import { createValues, createRecords, type Records } from './store/records.ts';
import { createPrices } from './prices/connection-prices.ts';
import { createThumbnails } from './thumbnails/thumbnails.ts';
import { createQueueParts } from './queue-setup.ts';
import { forgetRefusals, storedRefusals, createBucketOrigins } from './connections/bucket-origins.ts';
import { createWalks } from './walks/walks.ts';
import { createVersions } from './versions/versions.ts';

export interface CoreOptions {
  readonly ports: Ports;
  /** An existing folder that only this program uses. */
  readonly dataDir: string;
  readonly version: string;
  readonly host: HostInfo['host'];
  /**
   * Starts the embedded service, or waits until it runs. Called when its connection is first used. Null if there are no sample
   * buckets.
   */
  readonly samples: (() => Promise<Samples>) | null;
  /** Absent if the host does not update the program itself. */
  readonly updates?: Updates;
  /** The database, if the host opened it before loading the core. The core closes it. */
  readonly opened?: CheckedDatabase;
}

export interface Core {
  /** The implementation of the contract, which rpc/websocket.ts and rpc/message-port.ts serve. */
  readonly router: CoreRouter;
  readonly bytes: BytesRoute;
  readonly events: EventHub;
  /** The user's settings, for hosts. */
  readonly settings: SettingsStore;
  readonly view: ViewState;
  /** The state of jobs that hosts show outside the window. */
  readonly jobs: Pick<JobChanges, 'counts' | 'watch'>;
  /** Returns the entry of a file dropped on the window, for hosts that know its path. */
  droppedFile(filePath: string): Promise<FileEntry>;
  /** Opens an `s3://` link from the command line or the system. Returns false if the text is not such a link. */
  openLink(text: string): boolean;
  /**
   * Returns the client of a connection, for the features of the core. Call it for each operation, because editing the connection
   * closes the client.
   */
  connectionClient(connectionId: string): Promise<S3Client>;
  /** Sets the system's accent colour as `#rrggbb`; null if it has none. Windows are notified. */
  setAccent(accent: string | null): void;
  /** Retries waiting jobs at once, after the computer woke up or the network came back. */
  wake(): void;
  /** Starts to checkpoint the database after changes and to back it up each day, until the core is closed. */
  keepData(): void;
  close(): Promise<void>;
}

/**
 * The subfolders of the data folder that transfers may use: samples, copies of dropped files, files to drag out, lists for batch
 * jobs.
 */
const openFolders = ['sample-files', 'dropped', 'drag-out', 'batches'];

/**
 * Creates the core. Heavy modules (the client, the resolver of the AWS SDK) are loaded at first use. Throws `AppError('storage')`
 * if the database cannot be opened.
 */
export function createCore(options: CoreOptions): Core {
  const { ports, dataDir } = options;
  const { clock, random, logger, secrets } = ports;
  makePrivateFolder(dataDir);
  const openFence = fenceOff(dataDir, openFolders);
  const opened = options.opened ?? openCheckedDatabase(dataDir, { nowMs: clock.nowMs() });
  const { database, loss, restored } = opened;
  const events = createEventHub();
  announceOpened(opened, { dataDir, events, logger });
  const orLog = (work: Promise<unknown>, message: string): void =>
    void work.catch((thrown: unknown) => logger.error(message, { err: thrown }));
  let databaseKeeper: ReturnType<typeof keepDatabase> | null = null;
  const records = <T>(table: 'connections' | 'bookmarks', schema: z.ZodType<T>): Records<T> =>
    createRecords({
      database,
      table,
      schema,
      nowMs: () => clock.nowMs(),
      onSetAside: (id, reason) => {
        logger.warn('Could not read a record. It was set aside.', { table, id, reason });
        events.announce({ kind: 'set-aside', data: 'record', where: table });
      },
    });

  const values = createValues(database, 'settings');
  const s3Links = createS3Links({ events, logger });
  const requestLog = createRequestLog(clock);
  const tickets = createTickets(clock);
  const settings = createSettings(values, events, () => {
    orLog(maps.makeRoom(), 'Could not delete catalogues above the size limit.');
  });
  const typedBuckets = createTypedBuckets(database, events);

  const connections = createConnections({
    records: records('connections', storedConnectionSchema),
    values,
    secrets,
    random,
    events,
    hasSamples: options.samples !== null,
    onChanged: (id) => {
      clients.drop(id);
      bucketLists.drop(id);
      bucketOrigins.drop(id);
      prices.connectionChanged(id);
      orLog(maps.connectionChanged(id), 'Could not close the maps of a connection.');
      tickets.dropConnection(id);
      queueParts.queue.jobs.connectionChanged(id);
    },
    onRemoved: (id) => {
      typedBuckets.forgetAll(id);
      prices.forget(id);
      forgetRefusals(values, id);
      orLog(thumbnails.forget(id), 'Could not remove the thumbnails of a connection.');
      orLog(maps.forget(id, null), 'Could not delete the catalogues of a connection.');
    },
  });
  const prices = createPrices({
    values,
    connections: () => connections.list(),
    regionOf: async (connectionId, bucket) => {
      try {
        return (await (await client(connectionId)).headBucket({ bucket })).region;
      } catch (thrown) {
        // If the access key may not read the bucket's region, the prices of the connection's region apply.
        if (thrown instanceof AppFailure) return null;
        throw thrown;
      }
    },
    onChanged: () => events.emit({ kind: 'prices-changed' }),
  });
  const client = (connectionId: string): Promise<S3Client> => clients.get(connectionId);
  const bucketLists = createBucketLists({ client, clock });
  const bucketOrigins = createBucketOrigins({ connections, client, bucketLists, clock });
  const clients = createClients({
    ports,
    connections,
    requestLog,
    encryptionOf: (connectionId) => queueParts.uploadDefaults.get(connectionId).encryption,
    refusalsOf: async (connectionId) =>
      storedRefusals({ values, clock }, connectionId, await bucketOrigins.ofConnection(connectionId)),
    samples: options.samples,
  });

  const browse = createBrowse({
    client,
    bucketLists,
    typedBuckets,
    startOf: (connectionId) => connections.startOf(connectionId),
    tickets,
    previewLimitBytes: () => settings.get().previewLimitBytes,
  });
  const walks = createWalks({
    ports,
    dataDir,
    client,
    startOf: (connectionId) => connections.startOf(connectionId),
  });
  const maps = new Maps({
    ports,
    dir: path.join(dataDir, 'catalogues'),
    walks,
    originOf: (place) => bucketOrigins.of(place),
    accountOf: async (connectionId) =>
      (await connections.list()).some(({ id }) => id === connectionId)
        ? await bucketOrigins.ofConnection(connectionId)
        : null,
    exports: walks.exports,
    limitBytes: () => settings.get().catalogueLimitBytes,
  });
  const inventory = createInventory({ ports, client, maps });
  const bucketManager = createBucketManager({
    client,
    bucketLists,
    typedBuckets,
    events,
    onRemoved: ({ connectionId, bucket }) => {
      bucketOrigins.drop(connectionId);
      orLog(maps.forget(connectionId, bucket), 'Could not delete the catalogues of a bucket.');
    },
  });
  const queueParts = createQueueParts({
    ports,
    database,
    dataDir,
    client,
    connections: () => connections.list(),
    startOf: (connectionId) => connections.startOf(connectionId),
    browse,
    walks: () => walks.source,
    onKeysChanged: ({ place, changes }) => walks.changeKeys(place, changes),
    removeBucket: (place) => bucketManager.remove(place),
    receivesDropped: options.host === 'browser',
    multipartFromBytes: () => settings.get().multipartFromBytes,
    partSizeBytes: () => settings.get().partSizeBytes,
  });

  const thumbnails = createThumbnails({
    dir: path.join(dataDir, 'thumbnails'),
    tickets,
    cacheBytes: () => settings.get().thumbnailCacheBytes,
    originOf: async (connectionId) => {
      const { endpoint, account } = await bucketOrigins.ofConnection(connectionId);
      return JSON.stringify([endpoint, account]);
    },
    hasCustomerKeys: async (connectionId, bucket) =>
      (await queueParts.customerKeys.ofBucket(connectionId, bucket)).length > 0,
    clock,
    random,
    logger,
  });
  const view = createViewState(createValues(database, 'view_state'));
  const edits = createEdits({
    ports,
    dir: path.join(dataDir, 'edits'),
    client,
    events,
    onSent: ({ key, ...place }) => walks.changeKeys(place, [{ kind: 'written', key }]),
  });
  const parts: CoreParts = {
    ...queueParts,
    ports,
    events,
    s3Links,
    settings,
    downloadFolder: createDownloadFolder(values, queueParts.files),
    requestLog,
    connections,
    view,
    bookmarks: createBookmarks(records('bookmarks', storedBookmarkSchema), { random, events }),
    browse,
    walks,
    thumbnails,
    updates: options.updates ?? noUpdates,
    bucketManager,
    bucketSettings: createBucketSettings({ client, clock }),
    versions: createVersions({ client, copyOver: (ref) => queueParts.operations.restoreVersion(ref) }),
    prices,
    properties: createProperties({ client }),
    edits,
    links: createLinks({ client }),
    maps,
    inventory,
    restoreBackup: (name) => chooseBackup(dataDir, name, random.id()),
    info: () => ({
      host: options.host,
      platform: platform(),
      version: options.version,
      secretProtection: secrets.protection,
      hasNativeDialogs: ports.dialogs.available,
      accent,
      dataDir,
    }),
    awsProfiles: async () => (await import('./connections/aws-files.ts')).listAwsProfiles(),
    sampleService: () => sampleServiceOf(options.samples),
    testConnection: (connectionId, input, signal) =>
      testConnection(
        { ports, connections, requestLog, samples: options.samples },
        connectionId,
        input,
        signal,
      ),
  };

  let accent: HostInfo['accent'] = null;
  let closing: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    await edits.close();
    await swept;
    await queueParts.syncs.close();
    await queueParts.queue.close();
    await walks.close();
    await inventory.close();
    await maps.shutDown();
    await clients.close();
    await databaseKeeper?.close();
    database.close();
    openFence();
  };

  // After a data loss, the outcomes of recent jobs are missing, so running jobs could repeat their work.
  if (loss !== null || (restored !== null && restored.error === null)) queueParts.queue.jobs.pauseAll();
  queueParts.queue.start();
  const swept = queueParts.batches.sweep();
  orLog(edits.start(), 'Could not resume files open in other programs.');
  return {
    router: createRouter(parts),
    bytes: createBytesRoute({ tickets, client, logger, dropped: queueParts.dropped, exports: walks.exports }),
    events,
    settings,
    view,
    jobs: queueParts.queue.jobs.changes,
    droppedFile: (filePath) => queueParts.files.dropped(filePath),
    openLink: (text) => s3Links.receive(text),
    connectionClient: client,
    setAccent: (next) => {
      accent = hostInfoSchema.shape.accent.parse(next);
      events.emit({ kind: 'accent-changed' });
    },
    wake: () => queueParts.queue.jobs.wake(),
    keepData: () => {
      databaseKeeper ??= keepDatabase({ database, dataDir, clock, random, logger });
    },
    close: () => (closing ??= end()),
  };
}

function platform(): HostInfo['platform'] {
  const { platform: name } = process;
  return name === 'win32' || name === 'darwin' ? name : 'linux';
}
