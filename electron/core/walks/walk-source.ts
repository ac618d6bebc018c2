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
  /** Number of results, so far while the walk runs. */
  readonly total: number;
  readonly sizeBytes: number;
  /** False while the walk has not finished, so the results are incomplete. */
  readonly isComplete: boolean;
  /** Yields pages of at most `pageSize` (1000) in ascending order; `after` is exclusive. */
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
 * Consumes the keys that a walk reads, for a map and a catalogue. `walks/map/survey-page.ts` writes its pages. A report of the
 * service (an inventory) is fed in the same way, with a separate `SurveyWriter`.
 */
export interface SurveySink {
  /** Resolves once the sink accepts more. */
  add(page: Uint8Array<ArrayBuffer>): Promise<unknown>;
  /** Discards all pages so far; the following pages are unordered. */
  restart(): Promise<unknown>;
  /** Keeps the pages so far but treats them as unordered. */
  disorder(): Promise<unknown>;
}

/** A walk that feeds a sink. */
export interface SurveyWalk {
  status(): WalkStatus;
  stop(): void;
  /** Resolves when the walk has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Adds a listener for changes; returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Progress of reading a report of the service, if that replaces the listing. */
  report?(): ReportProgress;
}

/** Locally stored keys, searched in time slices. */
export interface KeptKeys {
  /** When they were listed, ISO 8601. */
  readonly takenAt: string;
  search(query: WalkQuery, prefix: string, signal: AbortSignal): AsyncIterable<FoundKeys>;
}

export interface FoundKeys {
  /** Keys searched in this slice. */
  readonly keys: number;
  readonly sizeBytes: number;
  readonly matches: number;
  readonly matchedBytes: number;
  /** As in `PageSum`. */
  readonly rows: Uint8Array<ArrayBuffer> | null;
}
