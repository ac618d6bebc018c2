import type { RefusalStore } from '../model/refusal-store.ts';
import type { RequestLogSink } from '../model/request-types.ts';
import type { RequestPace } from '../model/request-pace.ts';
import type { Timeouts } from './timeouts.ts';
import type { RetryPolicy, Repeatable } from './retry.ts';
import type { Effect } from '../model/effect-and-subject.ts';
import type { Random, Logger, Clock, BodySource, SystemProxy } from '../../ports.ts';

/** How far the service's clock is ahead of the local one; shared by all requests of a connection. */
export interface ClockOffset {
  offsetMs: number;
}

export interface ExecutorDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly requestLog?: RequestLogSink | undefined;
  readonly clockOffset: ClockOffset;
  readonly pace?: RequestPace | undefined;
  /** Stores the refusals of the service; if absent, they are forgotten with the client. */
  readonly refusals?: RefusalStore | undefined;
  readonly policy?: Partial<RetryPolicy> | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** If absent, only the connection and the environment name proxies. */
  readonly systemProxy?: SystemProxy | undefined;
}

/** An operation of the service, before it is signed. */
export interface S3Operation {
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodySource | Uint8Array | null;
  readonly effect: Effect;
  readonly repeatable: Repeatable;
  readonly timeouts?: Timeouts;
  /** The part that the request sends; a whole object counts as the only one. The service may refuse it with a limit. */
  readonly part?: { readonly partNumber: number; readonly sizeBytes: number };
  /** True if the request names an upload id. */
  readonly aboutUpload?: boolean;
  /** Sends to this region, whatever the bucket's location (CreateBucket). */
  readonly region?: string | undefined;
  /** Set for S3 Control requests, which use other hosts and paths. */
  readonly control?: ControlTarget | undefined;
}

/** An account's S3 Control in a region. */
export interface ControlTarget {
  readonly accountId: string;
  readonly region: string;
  /** The encoded path, without a query. */
  readonly path: string;
}
