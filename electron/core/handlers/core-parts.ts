import type { HostInfo } from '../../../shared/models/settings.ts';
import type {
  TestStep,
  AwsProfile,
  ConnectionInput,
  SampleService,
} from '../../../shared/models/connection.ts';
import type {
  Bookmarks,
  UploadDefaults,
  DownloadFolder,
  ViewState,
  SettingsStore,
} from '../settings/stored-settings.ts';
import type { S3Links, EventHub } from '../settings/events.ts';
import type { BatchJobs } from '../batches/batches.ts';
import type { Browse } from '../browse/browse.ts';
import type { BucketManager } from '../buckets/manage.ts';
import type { BucketSettings } from '../buckets/bucket-settings.ts';
import type { Edits } from '../edits/edits.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { Links } from '../links/links.ts';
import type { Maps } from '../catalogues/maps.ts';
import type { Ports, Updates } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import type { Prices } from '../prices/connection-prices.ts';
import type { Properties } from '../properties/properties.ts';
import type { RequestLog } from '../request-log/request-log.ts';
import type { Thumbnails } from '../thumbnails/thumbnails.ts';
import type { Walks } from '../walks/walks.ts';
import type { CustomerKeys } from '../connections/customer-key-store.ts';
import type { Dropped } from '../files/dropped.ts';
import type { Files } from '../files/files.ts';
import type { ManyUploads } from '../operations/many-uploads.ts';
import type { Operations } from '../operations/operations.ts';
import type { Undos } from '../operations/undos.ts';
import type { StalledUploads } from '../stalled/stalled-uploads.ts';
import type { Syncs } from '../sync/syncs.ts';
import type { DownloadResults } from '../transfers/results.ts';
import type { Transfers } from '../transfers/transfers.ts';
import type { Versions } from '../versions/versions.ts';

/** The parts behind the handlers of uploads, jobs and files. */
export interface QueueParts {
  readonly uploads: StalledUploads;
  readonly manyUploads: ManyUploads;
  readonly files: Files;
  readonly dropped: Dropped;
  readonly transfers: Transfers;
  readonly operations: Operations;
  readonly undos: Undos;
  readonly uploadDefaults: UploadDefaults;
  readonly customerKeys: CustomerKeys;
  readonly syncs: Syncs;
  readonly downloadResults: DownloadResults;
  readonly batches: BatchJobs;
}

/** The parts behind the handlers. To add a feature, add its part here, create it in core.ts, and use it in its handlers. */
export interface CoreParts extends QueueParts {
  readonly ports: Ports;
  readonly events: EventHub;
  readonly s3Links: S3Links;
  readonly settings: SettingsStore;
  readonly downloadFolder: DownloadFolder;
  readonly view: ViewState;
  readonly bookmarks: Bookmarks;
  readonly connections: Connections;
  readonly browse: Browse;
  readonly bucketManager: BucketManager;
  readonly bucketSettings: BucketSettings;
  readonly versions: Versions;
  readonly prices: Prices;
  readonly properties: Properties;
  readonly edits: Edits;
  readonly links: Links;
  readonly maps: Maps;
  readonly inventory: Inventory;
  readonly requestLog: RequestLog;
  readonly thumbnails: Thumbnails;
  readonly walks: Walks;
  readonly updates: Updates;
  info(): HostInfo;
  restoreBackup(name: string): Promise<void>;
  awsProfiles(): Promise<AwsProfile[]>;
  /** Waits for the embedded service. Rejects if this host has none. */
  sampleService(): Promise<SampleService>;
  testConnection(
    connectionId: string | null,
    input: ConnectionInput,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<TestStep, void, void>;
}
