import type { Clock, Logger } from '../core/ports.ts';
import type { ServiceCredentials } from './auth/credentials.ts';
import type { Interceptor } from './interceptor.ts';
import type { Lifecycle } from './lifecycle/run-lifecycle.ts';
import type { Quirks } from './quirks.ts';
import type { Store } from './store/object-store.ts';

export interface ServiceOptions {
  readonly dataDir: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  readonly credentials: readonly ServiceCredentials[];
  readonly region: string;
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** A hook through which tests inject faults. */
  readonly intercept?: Interceptor;
  readonly quirks?: Partial<Quirks>;
  readonly logger?: Logger;
  /** How long headers may take to arrive, and a body may pause. Default: 30 s. */
  readonly halfSentMs?: number;
  /** The smallest size of a part that is not the last. Default: 5 MiB. */
  readonly minPartBytes?: number;
  /** Buckets that anyone may read. */
  readonly publicBuckets?: readonly string[];
  /** Fills a new data folder with sample buckets. Absent: no samples. */
  readonly samples?: SampleOptions;
}

export interface SampleOptions {
  /** The folder for the local files that two of the sample uploads resume from; null: in the data folder. */
  readonly filesDir: string | null;
  /** The number of objects in the tree of logs. Default: 30,000. */
  readonly logCount?: number;
}

export interface Service {
  /** http://127.0.0.1:port */
  readonly endpoint: string;
  readonly port: number;
  readonly store: Store;
  /** May be changed while the service runs. */
  readonly quirks: Quirks;
  /** Resolves once all samples are created; rejects if they cannot be. */
  readonly samplesReady: Promise<void>;
  /** Applies lifecycle rules at the start and once a day; `tick` checks at once whether they are due. */
  readonly lifecycle: Lifecycle;
  close(): Promise<void>;
}
