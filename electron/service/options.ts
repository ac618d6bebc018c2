import type { Clock, Logger } from '../core/ports.ts';
import type { ServiceCredentials } from './auth/credentials.ts';
import type { Interceptor } from './interceptor.ts';
import type { Lifecycle } from './lifecycle/run-lifecycle.ts';
import type { Quirks } from './quirks.ts';
import type { Store } from './store/object-store.ts';

export interface ServiceOptions {
  readonly dataDir: string;
  /** 0 (the default): a free one. */
  readonly port?: number;
  readonly credentials: readonly ServiceCredentials[];
  readonly region: string;
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** Stands between the requests and the service: tests let things go wrong by it. */
  readonly intercept?: Interceptor;
  readonly quirks?: Partial<Quirks>;
  readonly logger?: Logger;
  /** How long a request may take to arrive; absent: 30 s. */
  readonly halfSentMs?: number;
  /** The smallest part that is not the last; 5 MiB unless a test says otherwise. */
  readonly minPartBytes?: number;
  /** Buckets that may be read without a signature. */
  readonly publicBuckets?: readonly string[];
  /** Fills a new data folder with samples; `filesDir` gets the local files that two of the stalled uploads need. */
  readonly samples?: SampleOptions;
}

export interface SampleOptions {
  /** null: the files are in the data folder. */
  readonly filesDir: string | null;
  /** How many small objects the tree of logs gets; 30,000 unless a test says otherwise. */
  readonly logCount?: number;
}

export interface Service {
  /** http://127.0.0.1:port */
  readonly endpoint: string;
  readonly port: number;
  readonly store: Store;
  /** May be changed while the service runs. */
  readonly quirks: Quirks;
  /** Ends when the samples are complete, at once where there is nothing to do. */
  readonly samplesReady: Promise<void>;
  /** The rules of buckets are carried out at the start and once a day; `tick` looks at the clock now. */
  readonly lifecycle: Lifecycle;
  close(): Promise<void>;
}
