import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type {
  ScanEvent,
  UploadFilter,
  UploadRef,
  UploadRow,
  UploadRows,
  UploadSort,
  UploadSummary,
} from '../../../shared/models/stalled.ts';
import type { Clock, Random } from '../ports.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import type { BucketItem } from '../../../shared/models/objects.ts';
import { foreignOf, withForeign } from '../s3/listing/prefixes.ts';
import type { ListMultipartUploadsPage } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { forEachLimited, Recent, reporting } from '../flow/loops.ts';
import { summarizeParts } from '../multipart/parts/part-list.ts';
import {
  addUpload,
  countUnread,
  newUploadList,
  orderedRows,
  setParts,
  summaryOfList,
  updateVerdict,
  type ListedRow,
  type ScanInput,
  type UploadList,
} from './upload-list.ts';
import { lockKeyOf } from '../multipart/upload-job.ts';
import { permittedPages, type PermittedOptions, listAllParts } from '../multipart/list-uploads.ts';

export interface ScanDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  /**
   * Returns the buckets of a connection, including those that the user typed and that of its start folder. `recent` accepts the
   * list of the last minute.
   */
  readonly bucketsOf: (
    connectionId: string,
    signal: AbortSignal,
    age: 'current' | 'recent',
  ) => Promise<{
    readonly buckets: readonly Pick<BucketItem, 'name' | 'startPrefix'>[];
    readonly error: AppError | null;
  }>;
  readonly startOf: (connectionId: string) => StartPlace | null;
  readonly minPartBytes: number;
}

const bucketsAtOnce = 3;
const inspectionsAtOnce = 6;
const countLimitPages = 20;
/** The maximum number of unreadable entries to keep. */
const maxUnreadable = 100;

/** Lists stalled uploads. The rows stay in the core, and the window reads ranges of them. */
export class Scans {
  readonly #deps: ScanDeps;
  readonly #scans = new Recent<UploadList>(8);

  constructor(deps: ScanDeps) {
    this.#deps = deps;
  }

  async *scan(input: ScanInput, signal: AbortSignal): AsyncGenerator<ScanEvent> {
    const scanId = this.#deps.random.id();
    const scan = newUploadList(input);
    this.#scans.set(scanId, scan);
    const state = { bucketsDone: 0, bucketsTotal: 1, errors: [] as ScanEvent['errors'] };
    const event = (finished: boolean): ScanEvent => ({
      scanId,
      found: scan.rows.length,
      bucketsDone: state.bucketsDone,
      bucketsTotal: state.bucketsTotal,
      errors: [...state.errors],
      unreadable: scan.unreadable.slice(0, maxUnreadable),
      foreign: scan.foreign,
      finished,
    });
    yield event(false);
    const steps = reporting<ScanEvent, void>(
      (both) => this.#deps.clock.sleep(250, both),
      signal,
      async (report, both) => {
        const places = await this.#placesFor(input, both, 'current', state);
        state.bucketsTotal = places.length;
        report(event(false));
        await forEachLimited(places, bucketsAtOnce, both, async (place) => {
          const failed = (error: AppError): void => void state.errors.push({ bucket: place.bucket, error });
          try {
            await this.#readPlace(scan, place, both, {
              onPage: () => report(event(false)),
              onDenied: failed,
            });
          } catch (thrown) {
            if (both.aborted) throw thrown;
            failed(toAppError(thrown));
          }
          state.bucketsDone += 1;
          report(event(false));
        });
      },
    );
    for await (const step of steps) if (step.kind === 'progress') yield step.progress;
    yield event(true);
  }

  /** Returns a range of the list's rows. Throws AppError('not-found') if the list was closed. */
  rows(input: {
    scanId: string;
    offset: number;
    limit: number;
    sort: UploadSort;
    filter: UploadFilter;
  }): UploadRows {
    const scan = this.#scan(input.scanId);
    const ordered = orderedRows(scan, input.sort, input.filter, this.#deps.clock.nowMs());
    return {
      rows: ordered.slice(input.offset, input.offset + input.limit).map((row) => this.#model(row)),
      total: ordered.length,
      unread: countUnread(ordered),
      found: scan.rows.length,
      totals: scan.totals,
    };
  }

  /** Returns a range of the uploads that pass the filter. Throws AppError('not-found') if the list was closed. */
  select(input: { scanId: string; filter: UploadFilter; offset: number; limit: number }): {
    refs: UploadRef[];
    total: number;
    storedBytes: number;
    unread: number;
  } {
    const scan = this.#scan(input.scanId);
    const byKey = { by: 'key', descending: false } as const;
    const chosen = orderedRows(scan, byKey, input.filter, this.#deps.clock.nowMs());
    const { connectionId } = scan.input;
    return {
      refs: chosen
        .slice(input.offset, input.offset + input.limit)
        .map(({ bucket, key, uploadId }) => ({ connectionId, bucket, key, uploadId })),
      total: chosen.length,
      storedBytes: chosen.reduce((sum, row) => sum + (row.parts?.storedBytes ?? 0), 0),
      unread: countUnread(chosen),
    };
  }

  /** Returns for each upload whether the list contains it. Throws `AppError('not-found')` if the list was closed. */
  has(scanId: string, refs: readonly UploadRef[]): boolean[] {
    const { names } = this.#scan(scanId);
    return refs.map((ref) => names.has(lockKeyOf(ref)));
  }

  /** Returns the sums over the list. Throws AppError('not-found') if the list was closed. */
  summary(scanId: string): UploadSummary {
    return summaryOfList(this.#scan(scanId), this.#deps.clock.nowMs());
  }

  /** Reads the parts of some uploads and returns their rows. Throws AppError('not-found') if the list was closed. */
  async inspect(scanId: string, rowIds: readonly number[], signal: AbortSignal): Promise<UploadRow[]> {
    const scan = this.#scan(scanId);
    const rows = rowIds.flatMap((id) => scan.rows[id] ?? []);
    const unread = rows.filter((row) => row.parts === null);
    await this.#read(scan, unread, signal);
    return rows.map((row) => this.#model(row));
  }

  /** Reads the parts of all uploads in the list and yields the progress. Throws AppError('not-found') if the list was closed. */
  async *inspectAll(
    scanId: string,
    signal: AbortSignal,
  ): AsyncGenerator<{ read: number; total: number; failed: number }> {
    const scan = this.#scan(scanId);
    const total = scan.rows.length;
    const progress = (): { read: number; total: number; failed: number } => ({
      read: scan.rows.reduce((sum, row) => sum + (row.parts === null ? 0 : 1), 0),
      failed: scan.rows.reduce((sum, row) => sum + (row.error === null ? 0 : 1), 0),
      total,
    });
    yield progress();
    const steps = reporting<null, void>(
      (both) => this.#deps.clock.sleep(250, both),
      signal,
      async (report, both) => {
        const unread = scan.rows.filter((row) => row.parts === null);
        await this.#read(scan, unread, both, () => report(null));
      },
    );
    for await (const step of steps) if (step.kind === 'progress') yield progress();
    yield progress();
  }

  /** Counts uploads on a limited number of pages, which is enough for the sidebar. */
  async count(input: ScanInput, signal: AbortSignal): Promise<{ count: number; isComplete: boolean }> {
    const places = await this.#placesFor(input, signal, 'recent', { errors: [] });
    let count = 0;
    let pages = 0;
    let isComplete = true;
    const onDenied = (): void => {
      isComplete = false;
    };
    for (const place of places) {
      try {
        for await (const page of await this.#pages(input.connectionId, place, signal, { onDenied })) {
          count += page.uploads.length;
          pages += 1;
          if (pages >= countLimitPages) return { count, isComplete: false };
        }
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        // A bucket that may not be read is not counted, so the count is incomplete.
        isComplete = false;
      }
    }
    return { count, isComplete };
  }

  #scan(scanId: string): UploadList {
    const scan = this.#scans.get(scanId);
    if (scan !== undefined) return scan;
    throw failure('not-found', 'This list no longer exists. Load it again.', { reason: 'scan-gone' });
  }

  async #placesFor(
    input: ScanInput,
    signal: AbortSignal,
    age: 'current' | 'recent',
    state: { errors: ScanEvent['errors'] },
  ): Promise<readonly StartPlace[]> {
    if (input.bucket !== null) return [{ bucket: input.bucket, prefix: input.prefix }];
    const { buckets, error } = await this.#deps.bucketsOf(input.connectionId, signal, age);
    if (error !== null) state.errors.push({ bucket: null, error });
    return buckets.map(({ name, startPrefix }) => ({ bucket: name, prefix: startPrefix }));
  }

  async #pages(
    connectionId: string,
    place: StartPlace,
    signal: AbortSignal,
    options: Pick<PermittedOptions, 'onDenied' | 'setsAside'>,
  ): Promise<AsyncGenerator<ListMultipartUploadsPage>> {
    const client = await this.#deps.clientOf(connectionId);
    return permittedPages(client, place, signal, { start: this.#deps.startOf(connectionId), ...options });
  }

  async #readPlace(
    scan: UploadList,
    place: StartPlace,
    signal: AbortSignal,
    { onPage, onDenied }: { readonly onPage: () => void; readonly onDenied: (error: AppError) => void },
  ): Promise<void> {
    const { bucket } = place;
    const options = { setsAside: true, onDenied };
    for await (const page of await this.#pages(scan.input.connectionId, place, signal, options)) {
      for (const { text, why } of page.unreadable)
        scan.unreadable.push({ text: `Bucket: ${bucket}\n${text}`, why });
      scan.foreign = withForeign(scan.foreign, foreignOf(page.foreign));
      for (const upload of page.uploads) addUpload(scan, bucket, upload);
      onPage();
    }
  }

  async #read(
    scan: UploadList,
    rows: readonly ListedRow[],
    signal: AbortSignal,
    onRow: () => void = () => undefined,
  ): Promise<void> {
    const client = await this.#deps.clientOf(scan.input.connectionId);
    await forEachLimited(rows, inspectionsAtOnce, signal, async (row) => {
      const outcome = await this.#partsOf(client, row, signal);
      setParts(scan, row, outcome);
      onRow();
    });
  }

  async #partsOf(
    client: S3Client,
    { bucket, key, uploadId }: ListedRow,
    signal: AbortSignal,
  ): Promise<Pick<ListedRow, 'error'> & Partial<Pick<ListedRow, 'parts'>>> {
    try {
      const listed = await listAllParts(client, { bucket, key, uploadId }, signal);
      return { parts: summarizeParts(listed.parts, this.#deps.minPartBytes), error: null };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return { error: toAppError(thrown) };
    }
  }

  #model(row: ListedRow): UploadRow {
    updateVerdict(row, this.#deps.clock.nowMs());
    return { ...row };
  }
}
