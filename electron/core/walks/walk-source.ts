/**
 * How other parts of the core use walks. There are two ways. Both support `for await` and apply back-pressure:
 *
 * (a) `source.pages(place, signal)` lists all keys below a prefix in parallel, straight from the service.
 *     Pages arrive in any order; the keys within one page ascend. Every key comes exactly once.
 *     For work that counts first (`onProgress`), or that copies its items into separate rows (downloads).
 *
 *         for await (const page of parts.walks.source.pages({ connectionId, bucket, prefix }, signal)) …
 *
 * (b) `source.results(walkId)` returns the results of a search, in the order of the keys' UTF-8 bytes.
 *     It can start after any key, so that a job reads it in batches. Results exist until the walk is closed or the
 *     program ends: a job that outlives them copies the keys into its rows before its first request.
 *
 *         const results = parts.walks.source.results(walkId);     // throws not-found / walk-gone
 *         for await (const page of results.pages({ signal })) …
 *
 * Failures are AppFailures: those of the client, after its retries; `cancelled` when the signal aborts.
 */
import type { ReportProgress } from '../../../shared/models/inventory.ts';
import type { Foreign } from '../../../shared/models/objects.ts';
import type { WalkQuery, WalkStatus } from '../../../shared/models/walks.ts';
import type { ListedObject } from '../s3/model/listing-types.ts';

export interface WalkPlace {
  readonly connectionId: string;
  readonly bucket: string;
  /** The prefix below which keys are listed; '' for the whole bucket. */
  readonly prefix: string;
}

export interface WalkProgress {
  readonly keys: number;
  readonly sizeBytes: number;
  readonly requests: number;
  readonly foreign: Foreign;
}

export interface WalkResults extends WalkPlace {
  /** The number of results found so far. */
  readonly total: number;
  readonly sizeBytes: number;
  /** False while the search is running, so further results may follow. */
  readonly isComplete: boolean;
  /** Yields pages of at most `pageSize` results (default 1000) in key order, starting after the key `after`. */
  pages(options: {
    readonly signal: AbortSignal;
    readonly after?: string | undefined;
    readonly pageSize?: number;
  }): AsyncGenerator<readonly ListedObject[], void, void>;
  /** Returns a range of the results in key order. */
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

/**
 * Receives all keys below a prefix, in order to fill a map and a catalogue. The pages have the format of
 * `walks/map/key-page.ts`. They come from a listing, or from an inventory report of the service.
 */
export interface KeySink {
  /** Adds a page. Resolves once the sink can accept the next one. */
  add(page: Uint8Array<ArrayBuffer>): Promise<unknown>;
  /** Discards all earlier pages. The pages that follow are not sorted by key. */
  restart(): Promise<unknown>;
  /** Keeps the earlier pages. The pages that follow are not sorted by key. */
  disorder(): Promise<unknown>;
}

/** A running listing of all keys below a prefix, which fills a sink. */
export interface KeyWalk {
  status(): WalkStatus;
  stop(): void;
  /** Resolves when the listing has ended: completed, stopped or failed. */
  readonly ended: Promise<void>;
  /** Adds a listener for changes; returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Returns the progress of reading an inventory report; absent if the keys are listed. */
  report?(): ReportProgress;
}

/** Keys stored on disk by an earlier listing. A search reads them in slices. */
export interface StoredKeys {
  /** The time of the listing, ISO 8601. */
  readonly takenAt: string;
  search(query: WalkQuery, prefix: string, signal: AbortSignal): AsyncIterable<FoundKeys>;
}

export interface FoundKeys {
  /** The number of keys searched in this slice. */
  readonly keys: number;
  readonly sizeBytes: number;
  readonly matches: number;
  readonly matchedBytes: number;
  /** The matches, encoded like `rows` in `PageSum`. */
  readonly rows: Uint8Array<ArrayBuffer> | null;
}
