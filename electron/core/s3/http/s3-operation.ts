import type { RefusalStore } from '../model/service-memory.ts';
import type { RequestLogSink } from '../model/request-types.ts';
import type { RequestPace } from '../model/request-pace.ts';
import type { ControlPlace } from '../model/s3-client.ts';
import type { Timeouts } from './timeouts.ts';
import type { RetryPolicy, Repeatable } from './retry.ts';
import type { Effect } from '../model/service-codes.ts';
import type { Random, Logger, Clock, BodySource, SystemProxy } from '../../ports.ts';

/** The difference between the service's clock and the local one. All requests of a connection share it. */
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
  /** Stores which features the service refused. If absent, they are remembered only as long as the client exists. */
  readonly refusals?: RefusalStore | undefined;
  readonly policy?: Partial<RetryPolicy> | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** The system's proxy settings. If absent, only the connection and the environment can name a proxy. */
  readonly systemProxy?: SystemProxy | undefined;
}

/** A request to the service, before it is signed. */
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
  /** The part that the request sends, for learning a limit if the service refuses it. A whole object counts as a single part. */
  readonly part?: { readonly partNumber: number; readonly sizeBytes: number };
  /** True if the request names an upload id. */
  readonly aboutUpload?: boolean;
  /** The region to send the request to, instead of the bucket's region; for CreateBucket. */
  readonly region?: string | undefined;
  /** The target of an S3 Control request, which has another host and path. */
  readonly control?: ControlTarget | undefined;
}

/** Adds what holds for most requests: GET and HEAD read, other methods write, and each may be sent again. */
export function repeatable(operation: Omit<S3Operation, 'effect' | 'repeatable'>): S3Operation {
  const isRead = operation.method === 'GET' || operation.method === 'HEAD';
  return { ...operation, effect: isRead ? 'read' : 'write', repeatable: 'always' };
}

export interface ControlTarget extends ControlPlace {
  /** The encoded path, without a query. */
  readonly path: string;
}
