/**
 * How other parts of the core use walks. Two ways, both `for await`-able, both with back-pressure:
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
import type { ReportProgress } from '../../../shared/models/inventory.ts';
import type { Foreign } from '../../../shared/models/objects.ts';
import type { WalkQuery, WalkStatus } from '../../../shared/models/walks.ts';
import type { ListedObject } from '../s3/model/listing-types.ts';

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

/**
 * Takes what a walk over all keys reads, for a map and a catalogue. A page is what `walks/map/survey-page.ts` writes; a report of
 * the service's own (an inventory) is fed in the same way, by a `SurveyWriter` of its own.
 */
export interface SurveySink {
  /** Resolves when there is room for more. */
  add(page: Uint8Array<ArrayBuffer>): Promise<unknown>;
  /** All pages so far are void, and those that come stand in no order. */
  restart(): Promise<unknown>;
  /** The pages so far are good, but stand in no order. */
  disorder(): Promise<unknown>;
}

/** A walk that feeds a sink. */
export interface SurveyWalk {
  status(): WalkStatus;
  stop(): void;
  /** When nothing more comes, however it ended. */
  readonly ended: Promise<void>;
  /** Called after each change; gives what ends it. */
  onChange(listener: () => void): () => void;
  /** Of a report of the service's own, in place of a listing. */
  report?(): ReportProgress;
}

/** Keys that are kept on this computer, searched in turns. */
export interface KeptKeys {
  /** When they were listed, ISO 8601. */
  readonly takenAt: string;
  search(query: WalkQuery, prefix: string, signal: AbortSignal): AsyncIterable<FoundKeys>;
}

export interface FoundKeys {
  /** Looked through in this turn. */
  readonly keys: number;
  readonly sizeBytes: number;
  readonly matches: number;
  readonly matchedBytes: number;
  /** As in `PageSum`. */
  readonly rows: Uint8Array<ArrayBuffer> | null;
}
