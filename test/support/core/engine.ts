import path from 'node:path';
import { Operations } from '../../../electron/core/operations/operations.ts';
import type { RequestLogSink } from '../../../electron/core/s3/model/request-types.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { openDatabase } from '../../../electron/core/store/database.ts';
import { createQueue } from '../../../electron/core/queue.ts';
import { Transfers } from '../../../electron/core/transfers/transfers.ts';
import { StalledUploads } from '../../../electron/core/stalled/stalled-uploads.ts';
import { nodeDiskSync } from '../../../electron/host/disk-sync.ts';
import { nodeClock, nodeRandom } from '../../../electron/host/node-ports.ts';
import { defaultUploadOptions } from '../../../shared/models/transfers.ts';
import { realClient } from '../servers/real-client.ts';
import { silentLogger } from '../servers/s3-client.ts';

export interface EngineInput {
  /** The path of the database. */
  readonly folder: string;
  readonly service: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  readonly requestLog?: RequestLogSink;
}

/** The transfer that a measured or killed program runs: the upload of a folder, or the download of a prefix. */
export interface TransferOrder {
  readonly kind: 'upload' | 'download';
  readonly bucket: string;
  readonly prefix: string;
  /** The files to send, or the folder to fetch into. */
  readonly local: string;
  /** The key of one object, or null for all objects below the prefix. */
  readonly key: string | null;
}

export interface Engine {
  readonly client: S3Client;
  readonly uploads: StalledUploads;
  readonly transfers: Transfers;
  readonly operations: Operations;
  readonly close: () => Promise<void>;
}

/** In these programs, a file handle is the path itself. */
const realPathOf = (handle: string): Promise<string> => Promise.resolve(handle);

/**
 * Starts the queue and its job kinds on the real clock, with a separate database and one service. For processes that are killed
 * or measured.
 */
export function startEngine({ folder, service, requestLog }: EngineInput): Engine {
  const client = realClient(
    { endpoint: service.endpoint, region: service.region, keys: service },
    requestLog === undefined ? {} : { requestLog },
  );
  const clientOf = (): Promise<S3Client> => Promise.resolve(client);
  const diskSync = nodeDiskSync(nodeClock) ?? undefined;
  const shared = { clock: nodeClock, random: nodeRandom, clientOf };
  const queue = createQueue({
    ...shared,
    database: openDatabase(path.join(folder, 'cooper.db'), { nowMs: Date.now() }).database,
    logger: silentLogger,
    diskSync,
  });
  const uploads = new StalledUploads({
    ...queue,
    ...shared,
    bucketsOf: () => Promise.resolve({ buckets: [], error: null }),
    startOf: () => null,
    equalPartSizes: () => false,
    realPathOf,
    handleFor: (filePath) => filePath,
  });
  const transfers = new Transfers({
    ...queue,
    ...shared,
    driver: queue.transferDriver,
    chosenFile: async (handle) => ({ path: handle, real: await realPathOf(handle) }),
    abortUploads: async (refs) => await uploads.abort(refs),
  });
  const operations = new Operations({ ...queue, ...shared });
  queue.start();
  return {
    client,
    uploads,
    transfers,
    operations,
    close: async () => {
      await queue.close();
      diskSync?.close();
      await client.close();
    },
  };
}

/** Starts the transfer and returns the id of its job. */
export async function beginTransfer({ transfers }: Engine, order: TransferOrder): Promise<string> {
  const { bucket, prefix, local, key } = order;
  const where = { connectionId: 'c', bucket };
  const { jobId } =
    order.kind === 'upload'
      ? await transfers.upload({ ...where, prefix, fileHandles: [local], options: defaultUploadOptions })
      : await transfers.download({
          ...where,
          basePrefix: prefix,
          items: [key === null ? { kind: 'prefix', prefix } : { kind: 'key', key }],
          folderHandle: local,
          options: { onConflict: 'ask' },
        });
  return jobId;
}
