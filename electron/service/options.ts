import type { Clock, Logger } from '../core/ports.ts';
import type { ServiceCredentials } from './auth/canonical.ts';
import type { Interceptor } from './interceptor.ts';
import type { Lifecycle } from './lifecycle/run-lifecycle.ts';
import type { Quirks } from './quirks.ts';
import type { Store } from './store/object-store.ts';

export interface ServiceOptions {
  readonly dataDir: string;
  /** The port. Default: 0, which means any free port. */
  readonly port?: number;
  readonly credentials: readonly ServiceCredentials[];
  readonly region: string;
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** A hook through which tests inject faults. */
  readonly intercept?: Interceptor;
  readonly quirks?: Partial<Quirks>;
  readonly logger?: Logger;
  /** The time limit in ms for headers to arrive, and for a pause within a body. Default: 30 s. */
  readonly halfSentMs?: number;
  /** The minimum size in bytes of a part that is not the last. Default: 5 MiB. */
  readonly minPartBytes?: number;
  /** Buckets that anyone may read. */
  readonly publicBuckets?: readonly string[];
  /** Fills a new data folder with sample buckets. If absent, there are no samples. */
  readonly samples?: SampleOptions;
}

export interface SampleOptions {
  /** The folder for the local files from which two sample uploads can be resumed; null for one in the data folder. */
  readonly filesDir: string | null;
  /** The number of sample log objects. Default: 30,000. */
  readonly logCount?: number;
}

export interface Service {
  /** The address, `http://127.0.0.1:port`. */
  readonly endpoint: string;
  readonly port: number;
  readonly store: Store;
  /** May be changed while the service runs. */
  readonly quirks: Quirks;
  /** Resolves once all samples are created. Rejects if that fails. */
  readonly samplesReady: Promise<void>;
  /** Applies lifecycle rules at the start and once a day. `tick` checks at once whether they are due. */
  readonly lifecycle: Lifecycle;
  close(): Promise<void>;
}

/** Options that can be sent to another thread. */
export type WorkerServiceOptions = Omit<ServiceOptions, 'clock' | 'intercept' | 'logger'>;

/** A message from the service's thread to the thread that started it. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly endpoint: string; readonly port: number }
  | { readonly kind: 'failed'; readonly isFolderInUse: boolean; readonly message: string }
  | { readonly kind: 'samples'; readonly error: string | null }
  | { readonly kind: 'log'; readonly message: string; readonly fields: Readonly<Record<string, unknown>> };
