/**
 * What other work of the core takes from walks. Two ways, both `for await`-able, both with back-pressure:
 *
 * (a) `source.pages(place, signal)`: everything below a prefix, listed in parallel, straight from the service.
 *     Pages come as they come: each is ascending in itself, their order is not. Every key comes exactly once.
 *     For work that counts first (`onProgress`), or that copies what it is to do into rows of its own (downloads).
 *
 *         for await (const page of parts.walks.source.pages({ connectionId, bucket, prefix }, signal)) …
 *
 * (b) `source.results(walkId)`: what a search has found, by the walk's id, in the order of the keys' UTF-8 bytes.
 *     Goes on after any key, so that a job can take it in batches. Results live until the walk is closed or the program
 *     ends: a job that outlives them writes the keys into its own rows first, before its first request.
 *
 *         const results = parts.walks.source.results(walkId);     // throws not-found / walk-gone
 *         for await (const page of results.pages({ signal })) …
 *
 * Failures are AppFailures: those of the client, after its retries; `cancelled` when the signal aborts.
 */
import type { Foreign } from '../../../shared/models/objects.ts';
import type { ListedObject } from '../s3/model/types.ts';

export interface WalkPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** '' for the whole bucket. */
  readonly prefix: string;
}

export interface WalkProgress {
  readonly keys: number;
  readonly sizeBytes: number;
  readonly requests: number;
  readonly foreign: Foreign;
}

export interface WalkResults extends WalkPlace {
  /** How many there are; while the walk runs, so far. */
  readonly total: number;
  readonly sizeBytes: number;
  /** Whether the walk has come to its end: else these are not all. */
  readonly isComplete: boolean;
  /** Ascending; `after` is exclusive. Pages of at most `pageSize` (1000). */
  pages(options: {
    readonly signal: AbortSignal;
    readonly after?: string | undefined;
    readonly pageSize?: number;
  }): AsyncGenerator<readonly ListedObject[], void, void>;
  /** One range of them, in the order of the keys. */
  range(offset: number, limit: number): Promise<readonly ListedObject[]>;
}

export interface WalkSource {
  pages(
    place: WalkPlace,
    signal: AbortSignal,
    onProgress?: (progress: WalkProgress) => void,
  ): AsyncGenerator<readonly ListedObject[], void, void>;
  results(walkId: string): WalkResults;
}
