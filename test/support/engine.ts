import path from 'node:path';
import { Operations } from '../../electron/core/operations/operations.ts';
import type { RequestLogSink, S3Client } from '../../electron/core/s3/types.ts';
import { openDatabase } from '../../electron/core/store/database.ts';
import { createTransfers, transferFamily } from '../../electron/core/transfers/create.ts';
import type { Transfers } from '../../electron/core/transfers/transfers.ts';
import { Uploads } from '../../electron/core/uploads/uploads.ts';
import { nodeClock, nodeRandom } from '../../electron/host/node-ports.ts';
import { realClient } from './real-client.ts';
import { silentLogger } from './s3-client.ts';

export interface EngineInput {
  /** Where the database lies. */
  readonly folder: string;
  readonly service: {
    readonly endpoint: string;
    readonly region: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
  };
  readonly requestLog?: RequestLogSink;
}

export interface Engine {
  readonly client: S3Client;
  readonly uploads: Uploads;
  readonly transfers: Transfers;
  readonly operations: Operations;
  readonly close: () => Promise<void>;
}

/** Here a handle is the path itself. */
const pathOf = (handle: string): string => handle;

/** The queue and its kinds over the real clock, a database of their own and one service: for programs that are killed or measured. */
export function startEngine({ folder, service, requestLog }: EngineInput): Engine {
  const client = realClient(
    { endpoint: service.endpoint, region: service.region, keys: service },
    requestLog === undefined ? {} : { requestLog },
  );
  const clientOf = (): Promise<S3Client> => Promise.resolve(client);
  const family = transferFamily({ clock: nodeClock, random: nodeRandom, clientOf });
  const uploads = new Uploads({
    database: openDatabase(path.join(folder, 'cooper.db'), { nowMs: Date.now() }).database,
    clock: nodeClock,
    random: nodeRandom,
    logger: silentLogger,
    clientOf,
    bucketsOf: () => Promise.resolve({ buckets: [], error: null }),
    equalPartSizes: () => false,
    pathOf,
    handleFor: (filePath) => filePath,
    family: family.make,
  });
  const shared = { jobs: uploads.jobs, clock: nodeClock, random: nodeRandom };
  const transfers = createTransfers(family, { ...shared, pathOf });
  const operations = new Operations({ ...shared, clientOf });
  uploads.start();
  return {
    client,
    uploads,
    transfers,
    operations,
    close: async () => {
      await uploads.close();
      await client.close();
    },
  };
}
