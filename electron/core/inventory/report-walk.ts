import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type { ReportProgress } from '../../../shared/models/inventory.ts';
import type { WalkState, WalkStatus } from '../../../shared/models/walks.ts';
import { compareKeys } from '../../../shared/keys/paths.ts';
import { inParallel } from '../flow/loops.ts';
import type { Clock, Logger } from '../ports.ts';
import { noForeign } from '../s3/listing/prefixes.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import type { KeySink, KeyWalk, WalkPlace } from '../walks/walk-source.ts';
import { readDataFile } from './data-file.ts';
import type { ManifestRef } from './report.ts';
import { columnsOf, type ReportFile, type ReportManifest } from './manifest/report-manifest.ts';
import type { ReportThread } from './report-thread.ts';
import type { FileEnd, RowCounts } from './rows/report-rows.ts';

export interface ReportWalkDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  readonly thread: ReportThread;
}

export interface ReportWalkInput {
  /** The place that the map shows. */
  readonly place: WalkPlace;
  /** The common prefix of all keys in the report. */
  readonly listedPrefix: string;
  readonly ref: ManifestRef;
  readonly manifest: ReportManifest;
}

/** The number of data files read at once. A few use the whole bandwidth, and each holds its rows in memory. */
const filesAtOnce = 4;
/** The maximum number of pages that wait for the catalogue. When it is reached, reading pauses. */
const maxWaiting = 24;

const nothing = { keys: 0, sizeBytes: 0, olderVersions: 0, olderBytes: 0, deleteMarkers: 0 };
const countNames = Object.keys(nothing) as readonly (keyof RowCounts)[];

/**
 * Reads a report into a sink instead of listing the bucket. Compares each file with the manifest's MD5. If a file is missing or
 * damaged, discards everything.
 */
export class ReportWalk implements KeyWalk {
  readonly ended: Promise<void>;
  readonly #input: ReportWalkInput;
  readonly #deps: ReportWalkDeps;
  readonly #sink: KeySink;
  readonly #stopping = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #startedMs: number;
  readonly #startedAt: string;
  readonly #counts = new Map<ReportFile, RowCounts>();
  #state: WalkState = 'running';
  #error: AppError | null = null;
  #endedMs: number | null = null;
  #requests = 0;
  #filesRead = 0;
  #waiting = new Set<Promise<unknown>>();

  constructor(input: ReportWalkInput, deps: ReportWalkDeps, sink: KeySink) {
    this.#input = input;
    this.#deps = deps;
    this.#sink = sink;
    this.#startedMs = deps.clock.monotonicMs();
    this.#startedAt = new Date(deps.clock.nowMs()).toISOString();
    this.ended = this.#run();
  }

  status(): WalkStatus {
    const { keys, sizeBytes } = this.#sum();
    return {
      walkId: '',
      ...this.#input.place,
      query: null,
      state: this.#state,
      startedAt: this.#startedAt,
      durationMs: (this.#endedMs ?? this.#deps.clock.monotonicMs()) - this.#startedMs,
      keys,
      sizeBytes,
      byStorageClass: [],
      matches: 0,
      matchedBytes: 0,
      foreign: noForeign,
      requests: this.#requests,
      pieces: 0,
      isSequential: false,
      onlyBelow: null,
      error: this.#error,
      takenAt: this.#input.manifest.takenAt,
      changes: 0,
      isOutdated: false,
    };
  }

  report(): ReportProgress {
    const { olderVersions, olderBytes, deleteMarkers } = this.#sum();
    const { files } = this.#input.manifest;
    return { files: files.length, filesRead: this.#filesRead, olderVersions, olderBytes, deleteMarkers };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    if (this.#state !== 'running') return;
    this.#end('stopped');
    this.#stopping.abort(failure('cancelled', 'Reading the report was stopped.'));
  }

  async #run(): Promise<void> {
    try {
      const client = await this.#deps.clientOf(this.#input.place.connectionId);
      const ends = await inParallel(this.#input.manifest.files, filesAtOnce, async (file) => {
        try {
          return await this.#file(client, file);
        } catch (thrown) {
          // Stops reading the other files.
          this.#stopping.abort(thrown);
          throw thrown;
        }
      });
      await Promise.all(this.#waiting);
      if (!areInOrder(ends)) await this.#sink.disorder();
      this.#end('done');
    } catch (thrown) {
      await this.#fail(thrown);
    }
  }

  async #fail(thrown: unknown): Promise<void> {
    if (this.#state !== 'running') return;
    const error = toAppError(thrown);
    if (error.code === 'internal')
      this.#deps.logger.error('Reading a report failed unexpectedly.', { err: thrown });
    await Promise.allSettled(this.#waiting);
    this.#counts.clear();
    this.#error = error;
    try {
      await this.#sink.restart();
    } catch (again) {
      this.#deps.logger.error('Could not discard the rows of a damaged report.', { err: again });
    }
    this.#end('failed');
  }

  async #file(client: S3Client, file: ReportFile): Promise<FileEnd> {
    const { signal } = this.#stopping;
    const { manifest, place, ref } = this.#input;
    const end = await readDataFile({
      client,
      thread: this.#deps.thread,
      file,
      ref,
      signal,
      options: {
        sourceBucket: place.bucket,
        prefix: this.#input.listedPrefix,
        fields: manifest.fields,
        columns: columnsOf(manifest),
        format: manifest.format === 'Parquet' ? 'Parquet' : 'CSV',
      },
      onRequest: () => {
        this.#requests += 1;
      },
      onRows: async ({ pages, counts }) => {
        if (this.#state !== 'running') return;
        this.#counts.set(file, counts);
        for (const page of pages) this.#add(page);
        this.#changed();
        while (this.#waiting.size >= maxWaiting) await Promise.race(this.#waiting);
      },
    });
    this.#filesRead += 1;
    this.#changed();
    return end;
  }

  #add(page: Uint8Array<ArrayBuffer>): void {
    const written = this.#sink.add(page).finally(() => this.#waiting.delete(written));
    this.#waiting.add(written);
    // Awaited before more pages are added, and at the end.
    written.catch(() => undefined);
  }

  #sum(): RowCounts {
    const sum = { ...nothing };
    for (const counts of this.#counts.values()) for (const name of countNames) sum[name] += counts[name];
    return sum;
  }

  #end(state: WalkState): void {
    if (this.#state !== 'running') return;
    this.#state = state;
    this.#endedMs = this.#deps.clock.monotonicMs();
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Returns true if every file is sorted by key and no two overlap. The pages then need no sorting. */
export function areInOrder(ends: readonly Pick<FileEnd, 'isOrdered' | 'first' | 'last'>[]): boolean {
  const ranges = ends.flatMap(({ first, last }) =>
    first === null || last === null ? [] : [{ first, last }],
  );
  ranges.sort((left, right) => compareKeys(left.first, right.first));
  return (
    ends.every(({ isOrdered }) => isOrdered) &&
    ranges.every(({ first }, at) => {
      const before = ranges[at - 1];
      return before === undefined || compareKeys(before.last, first) < 0;
    })
  );
}
