import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type {
  ScanEvent,
  UploadFilter,
  UploadRef,
  UploadRow,
  UploadRows,
  UploadSort,
  UploadSummary,
  UploadTotals,
} from '../../../shared/models/stalled.ts';
import type { Clock, Random } from '../ports.ts';
import type { StartPlace } from '../../../shared/models/connection.ts';
import type { BucketItem, Foreign } from '../../../shared/models/objects.ts';
import { foreignOf, noForeign, withForeign } from '../s3/listing/foreign.ts';
import type { UnreadableEntry } from '../s3/model/listing-types.ts';
import type { ListMultipartUploadsPage, MultipartUpload } from '../s3/model/multipart-types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { forEachLimited, Recent, reporting } from '../flow/limited.ts';
import { detachedText } from '../../../shared/detached-text.ts';
import { listAllParts } from '../multipart/parts/list-parts.ts';
import { summarizeParts } from '../multipart/parts/part-list.ts';
import { compareRows, matchesFilter } from './row-order.ts';
import { summaryOf } from './summary.ts';
import { verdictOf } from './verdict.ts';
import { permittedPages, type PermittedOptions } from './permitted-pages.ts';

export interface ScanDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  /** Returns the buckets of a connection, including those that the user typed and that of its start folder. */
  readonly bucketsOf: (
    connectionId: string,
    signal: AbortSignal,
  ) => Promise<{
    readonly buckets: readonly Pick<BucketItem, 'name' | 'startPrefix'>[];
    readonly error: AppError | null;
  }>;
  readonly startOf: (connectionId: string) => StartPlace | null;
  readonly minPartBytes: number;
}

export interface ScanInput {
  readonly connectionId: string;
  readonly bucket: string | null;
  readonly prefix: string;
}

/** A row of a list. It is changed in place, because a list may have 100,000 rows. Its verdict is updated before each use. */
type Row = { -readonly [Name in keyof UploadRow]: UploadRow[Name] };

interface Scan {
  readonly input: ScanInput;
  readonly rows: Row[];
  readonly unreadable: UnreadableEntry[];
  foreign: Foreign;
  /** Bucket, key and upload id of each row, for skipping repeated uploads. */
  readonly names: Set<string>;
  /** The texts of initiators and storage classes, for holding equal texts in memory only once. */
  readonly words: Map<string, string>;
  totals: UploadTotals;
  /** Incremented when parts are read, so that orders and filters that depend on them are computed again. */
  partsRevision: number;
  /** The order requested last. It contains the first `covered` rows. */
  order: { readonly mark: string; readonly covered: number; readonly rows: readonly Row[] } | null;
  summary: { readonly mark: string; readonly summary: UploadSummary } | null;
}

const bucketsAtOnce = 3;
const inspectionsAtOnce = 6;
const countLimitPages = 20;
/** The maximum number of unreadable entries to keep. */
const maxUnreadable = 100;

/** Lists stalled uploads. The rows stay in the core, and the window reads ranges of them. */
export class Scans {
  readonly #deps: ScanDeps;
  readonly #scans = new Recent<Scan>(8);

  constructor(deps: ScanDeps) {
    this.#deps = deps;
  }

  async *scan(input: ScanInput, signal: AbortSignal): AsyncGenerator<ScanEvent> {
    const scanId = this.#deps.random.id();
    const scan: Scan = {
      input,
      rows: [],
      unreadable: [],
      foreign: noForeign,
      names: new Set(),
      words: new Map(),
      totals: { storedBytes: 0, unread: 0, oldestAt: null },
      partsRevision: 0,
      order: null,
      summary: null,
    };
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
        const places = await this.#placesFor(input, both, state);
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
    const ordered = this.#ordered(scan, input.sort, input.filter);
    return {
      rows: ordered.slice(input.offset, input.offset + input.limit).map((row) => this.#model(row)),
      total: ordered.length,
      unread: ordered.reduce((sum, row) => sum + (isUnread(row) ? 1 : 0), 0),
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
    const chosen = this.#ordered(scan, { by: 'key', descending: false }, input.filter);
    const { connectionId } = scan.input;
    return {
      refs: chosen
        .slice(input.offset, input.offset + input.limit)
        .map(({ bucket, key, uploadId }) => ({ connectionId, bucket, key, uploadId })),
      total: chosen.length,
      storedBytes: chosen.reduce((sum, row) => sum + (row.parts?.storedBytes ?? 0), 0),
      unread: chosen.reduce((sum, row) => sum + (isUnread(row) ? 1 : 0), 0),
    };
  }

  /** Returns for each upload whether the list contains it. Throws `AppError('not-found')` if the list was closed. */
  has(scanId: string, refs: readonly UploadRef[]): boolean[] {
    const { names } = this.#scan(scanId);
    return refs.map((ref) => names.has(nameOf(ref)));
  }

  /** Returns the sums over the list. Throws AppError('not-found') if the list was closed. */
  summary(scanId: string): UploadSummary {
    const scan = this.#scan(scanId);
    const nowMs = this.#deps.clock.nowMs();
    const mark = JSON.stringify([scan.rows.length, scan.partsRevision, Math.floor(nowMs / 60_000)]);
    if (scan.summary?.mark !== mark) scan.summary = { mark, summary: summaryOf(scan.rows, nowMs) };
    return scan.summary.summary;
  }

  /** Reads the parts of some uploads and returns their rows. Throws AppError('not-found') if the list was closed. */
  async inspect(scanId: string, rowIds: readonly number[], signal: AbortSignal): Promise<UploadRow[]> {
    const scan = this.#scan(scanId);
    const rows = rowIds.flatMap((id) => scan.rows[id] ?? []);
    await this.#read(
      scan,
      rows.filter((row) => row.parts === null),
      signal,
      () => undefined,
    );
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
        await this.#read(
          scan,
          scan.rows.filter((row) => row.parts === null),
          both,
          () => report(null),
        );
      },
    );
    for await (const step of steps) {
      if (step.kind === 'progress') yield progress();
    }
    yield progress();
  }

  /** Counts uploads on a limited number of pages, which is enough for the sidebar. */
  async count(input: ScanInput, signal: AbortSignal): Promise<{ count: number; isComplete: boolean }> {
    const places = await this.#placesFor(input, signal, { errors: [] });
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

  #scan(scanId: string): Scan {
    const scan = this.#scans.get(scanId);
    if (scan !== undefined) return scan;
    throw failure('not-found', 'This list is not there any more. Load it again.', { reason: 'scan-gone' });
  }

  async #placesFor(
    input: ScanInput,
    signal: AbortSignal,
    state: { errors: ScanEvent['errors'] },
  ): Promise<readonly StartPlace[]> {
    if (input.bucket !== null) return [{ bucket: input.bucket, prefix: input.prefix }];
    const { buckets, error } = await this.#deps.bucketsOf(input.connectionId, signal);
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
    scan: Scan,
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
      for (const upload of page.uploads) {
        // Services may list an upload on two pages, by mistake or because it moved between the requests.
        const name = nameOf({ bucket, ...upload });
        if (scan.names.has(name)) continue;
        scan.names.add(name);
        const row = rowOf(scan.rows.length, bucket, upload, scan.words);
        scan.rows.push(row);
        scan.totals = withRow(scan.totals, row);
      }
      onPage();
    }
  }

  async #read(scan: Scan, rows: readonly Row[], signal: AbortSignal, onRow: () => void): Promise<void> {
    const client = await this.#deps.clientOf(scan.input.connectionId);
    await forEachLimited(rows, inspectionsAtOnce, signal, async (row) => {
      const outcome = await this.#partsOf(client, row, signal);
      // Must not await after this line, so that a row that two calls read concurrently counts once.
      const { storedBytes, unread } = scan.totals;
      const before = { storedBytes: row.parts?.storedBytes ?? 0, unread: isUnread(row) ? 1 : 0 };
      Object.assign(row, outcome);
      scan.totals = {
        ...scan.totals,
        storedBytes: storedBytes - before.storedBytes + (row.parts?.storedBytes ?? 0),
        unread: unread - before.unread,
      };
      scan.partsRevision += 1;
      onRow();
    });
  }

  async #partsOf(
    client: S3Client,
    { bucket, key, uploadId }: Row,
    signal: AbortSignal,
  ): Promise<Pick<Row, 'error'> & Partial<Pick<Row, 'parts'>>> {
    try {
      const listed = await listAllParts(client, { bucket, key, uploadId }, signal);
      return { parts: summarizeParts(listed.parts, this.#deps.minPartBytes), error: null };
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return { error: toAppError(thrown) };
    }
  }

  #ordered(scan: Scan, sort: UploadSort, filter: UploadFilter): readonly Row[] {
    const nowMs = this.#deps.clock.nowMs();
    // Verdicts and ages change with time, so an order by them is reused for at most a minute.
    const minute = Math.floor(nowMs / 60_000);
    const needs = needsOf(sort, filter);
    const mark = JSON.stringify([
      sort,
      filter,
      needs.parts ? scan.partsRevision : 0,
      needs.time ? minute : 0,
    ]);
    const known = scan.order?.mark === mark ? scan.order : null;
    if (known?.covered === scan.rows.length) return known.rows;
    // New rows are merged in. Sorting an array that is mostly sorted takes a single pass.
    const fresh = scan.rows.slice(known?.covered ?? 0).filter((row) => {
      if (needs.verdict) judge(row, nowMs);
      return matchesFilter(row, filter, nowMs);
    });
    const rows = [...(known?.rows ?? []), ...fresh].toSorted((left, right) => compareRows(left, right, sort));
    scan.order = { mark, covered: scan.rows.length, rows };
    return rows;
  }

  #model(row: Row): UploadRow {
    judge(row, this.#deps.clock.nowMs());
    return { ...row };
  }
}

/** Returns which changes invalidate an order by this sort and filter. */
function needsOf(
  { by }: UploadSort,
  { verdicts, age }: UploadFilter,
): { readonly parts: boolean; readonly time: boolean; readonly verdict: boolean } {
  const verdict = by === 'verdict' || verdicts !== null;
  return {
    verdict,
    parts: verdict || by === 'parts' || by === 'bytes' || by === 'last-part',
    time: verdict || (age ?? null) !== null,
  };
}

function judge(row: Row, nowMs: number): void {
  row.verdict = verdictOf(
    row.parts === null
      ? { kind: row.error === null ? 'unread' : 'failed' }
      : { kind: 'read', parts: row.parts },
    nowMs,
  );
}

function rowOf(id: number, bucket: string, upload: MultipartUpload, words: Map<string, string>): Row {
  const owner = upload.initiator ?? upload.owner;
  const initiator = owner?.displayName ?? owner?.id ?? null;
  return {
    id,
    bucket,
    key: detachedText(upload.key),
    uploadId: detachedText(upload.uploadId),
    initiatedAt: upload.initiatedAt === null ? null : detachedText(upload.initiatedAt),
    initiator: initiator === null ? null : heldOnce(initiator, words),
    storageClass: upload.storageClass === null ? null : heldOnce(upload.storageClass, words),
    verdict: 'unread',
    parts: null,
    error: null,
  };
}

function heldOnce(text: string, words: Map<string, string>): string {
  const known = words.get(text);
  if (known !== undefined) return known;
  const plainText = detachedText(text);
  words.set(plainText, plainText);
  return plainText;
}

function nameOf({ bucket, key, uploadId }: Pick<UploadRef, 'bucket' | 'key' | 'uploadId'>): string {
  return JSON.stringify([bucket, key, uploadId]);
}

function withRow({ storedBytes, unread, oldestAt }: UploadTotals, { initiatedAt }: Row): UploadTotals {
  // Times in ISO 8601 and UTC can be compared as texts.
  const isOlder = initiatedAt !== null && (oldestAt === null || initiatedAt < oldestAt);
  return { storedBytes, unread: unread + 1, oldestAt: isOlder ? initiatedAt : oldestAt };
}

function isUnread(row: Row): boolean {
  return row.parts === null && row.error === null;
}
