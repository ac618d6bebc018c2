import { failure, toAppError, type AppError } from '../../../shared/errors.ts';
import type {
  PartsSummary,
  ScanEvent,
  UploadFilter,
  UploadRef,
  UploadRow,
  UploadRows,
  UploadSort,
  UploadTotals,
} from '../../../shared/models/uploads.ts';
import type { Clock, Random } from '../ports.ts';
import type { Foreign } from '../../../shared/models/objects.ts';
import { foreignOf, noForeign, withForeign } from '../s3/listing/foreign.ts';
import type { UnreadableEntry, MultipartUpload } from '../s3/model/types.ts';
import type { S3Client } from '../s3/model/s3-client.ts';
import { forEachLimited, Recent, reporting } from '../flow/limited.ts';
import { listAllParts } from '../multipart/look.ts';
import { summarizeParts } from '../multipart/part-list.ts';
import { compareRows, passes } from './row-order.ts';
import { verdictOf } from './verdict.ts';
import { uploadPages } from '../multipart/list-uploads.ts';

export interface ScanDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly clientOf: (connectionId: string) => Promise<S3Client>;
  /** All buckets of a connection, those that were typed included. */
  readonly bucketsOf: (
    connectionId: string,
    signal: AbortSignal,
  ) => Promise<{ readonly buckets: readonly string[]; readonly error: AppError | null }>;
  readonly minPartBytes: number;
}

export interface ScanInput {
  readonly connectionId: string;
  readonly bucket: string | null;
  readonly prefix: string;
}

interface Row {
  readonly id: number;
  readonly bucket: string;
  readonly upload: MultipartUpload;
  parts: PartsSummary | null;
  error: AppError | null;
}

interface Scan {
  readonly input: ScanInput;
  readonly rows: Row[];
  readonly unreadable: UnreadableEntry[];
  foreign: Foreign;
  /** Moves on with each change, so that a sorted order is made once. */
  revision: number;
  order: { readonly mark: string; readonly rows: readonly Row[] } | null;
}

const bucketsAtOnce = 3;
const inspectionsAtOnce = 6;
const countLimitPages = 20;
/** More of them say nothing new. */
const mostUnreadable = 100;

/** The tables of unfinished uploads: rows stay here, the window reads ranges of them. */
export class Scans {
  readonly #deps: ScanDeps;
  readonly #scans = new Recent<Scan>(8);

  constructor(deps: ScanDeps) {
    this.#deps = deps;
  }

  async *scan(input: ScanInput, signal: AbortSignal): AsyncGenerator<ScanEvent> {
    const scanId = this.#deps.random.id();
    const scan: Scan = { input, rows: [], unreadable: [], foreign: noForeign, revision: 0, order: null };
    this.#scans.set(scanId, scan);
    const state = { bucketsDone: 0, bucketsTotal: 1, errors: [] as ScanEvent['errors'] };
    const event = (finished: boolean): ScanEvent => ({
      scanId,
      found: scan.rows.length,
      bucketsDone: state.bucketsDone,
      bucketsTotal: state.bucketsTotal,
      errors: [...state.errors],
      unreadable: scan.unreadable.slice(0, mostUnreadable),
      foreign: scan.foreign,
      finished,
    });
    yield event(false);
    const steps = reporting<ScanEvent, void>(
      (both) => this.#deps.clock.sleep(250, both),
      signal,
      async (report, both) => {
        const buckets = await this.#bucketsFor(input, both, state);
        state.bucketsTotal = buckets.length;
        report(event(false));
        const client = await this.#deps.clientOf(input.connectionId);
        await forEachLimited(buckets, bucketsAtOnce, both, async (bucket) => {
          try {
            await this.#readBucket(client, scan, bucket, both, () => report(event(false)));
          } catch (thrown) {
            if (both.aborted) throw thrown;
            state.errors.push({ bucket, error: toAppError(thrown) });
          }
          state.bucketsDone += 1;
          report(event(false));
        });
      },
    );
    for await (const step of steps) if (step.kind === 'progress') yield step.progress;
    yield event(true);
  }

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
      totals: totalsOf(scan.rows),
    };
  }

  select(scanId: string, filter: UploadFilter): { refs: UploadRef[]; storedBytes: number; unread: number } {
    const scan = this.#scan(scanId);
    const chosen = this.#ordered(scan, { by: 'key', descending: false }, filter);
    const { connectionId } = scan.input;
    return {
      refs: chosen.map(({ bucket, upload }) => ({
        connectionId,
        bucket,
        key: upload.key,
        uploadId: upload.uploadId,
      })),
      storedBytes: chosen.reduce((sum, row) => sum + (row.parts?.storedBytes ?? 0), 0),
      unread: chosen.filter(isUnread).length,
    };
  }

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

  /** Counts until a limit of pages: the sidebar needs no more. */
  async count(input: ScanInput, signal: AbortSignal): Promise<{ count: number; isComplete: boolean }> {
    const buckets = await this.#bucketsFor(input, signal, { errors: [] });
    const client = await this.#deps.clientOf(input.connectionId);
    let count = 0;
    let pages = 0;
    let isComplete = true;
    for (const bucket of buckets) {
      try {
        for await (const page of uploadPages(client, bucket, input.prefix, signal)) {
          count += page.uploads.length;
          pages += 1;
          if (pages >= countLimitPages) return { count, isComplete: false };
        }
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        // A bucket that may not be read is missing from the count, and the count says so.
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

  async #bucketsFor(
    input: ScanInput,
    signal: AbortSignal,
    state: { errors: ScanEvent['errors'] },
  ): Promise<readonly string[]> {
    if (input.bucket !== null) return [input.bucket];
    const { buckets, error } = await this.#deps.bucketsOf(input.connectionId, signal);
    if (error !== null) state.errors.push({ bucket: null, error });
    return buckets;
  }

  async #readBucket(
    client: S3Client,
    scan: Scan,
    bucket: string,
    signal: AbortSignal,
    onPage: () => void,
  ): Promise<void> {
    // Services list an upload on two pages, by mistake or because it moved between two requests.
    const seen = new Set<string>();
    for await (const page of uploadPages(client, bucket, scan.input.prefix, signal, { setsAside: true })) {
      for (const { text, why } of page.unreadable)
        scan.unreadable.push({ text: `Bucket: ${bucket}\n${text}`, why });
      scan.foreign = withForeign(scan.foreign, foreignOf(page.foreign));
      for (const upload of page.uploads) {
        const name = JSON.stringify([upload.key, upload.uploadId]);
        if (seen.has(name)) continue;
        seen.add(name);
        scan.rows.push({ id: scan.rows.length, bucket, upload, parts: null, error: null });
      }
      scan.revision += 1;
      onPage();
    }
  }

  async #read(scan: Scan, rows: readonly Row[], signal: AbortSignal, onRow: () => void): Promise<void> {
    const client = await this.#deps.clientOf(scan.input.connectionId);
    await forEachLimited(rows, inspectionsAtOnce, signal, async (row) => {
      try {
        const { key, uploadId } = row.upload;
        const listed = await listAllParts(client, { bucket: row.bucket, key, uploadId }, signal);
        row.parts = summarizeParts(listed.parts, this.#deps.minPartBytes);
        row.error = null;
      } catch (thrown) {
        if (signal.aborted) throw thrown;
        row.error = toAppError(thrown);
      }
      scan.revision += 1;
      onRow();
    });
  }

  #ordered(scan: Scan, sort: UploadSort, filter: UploadFilter): readonly Row[] {
    // Verdicts change with time alone: an order lives for a minute at most.
    const minute = Math.floor(this.#deps.clock.nowMs() / 60_000);
    const mark = JSON.stringify([sort, filter, scan.revision, minute]);
    if (scan.order?.mark === mark) return scan.order.rows;
    const keyed = scan.rows.map((row) => ({ row, model: this.#model(row) }));
    const rows = keyed
      .filter(({ model }) => passes(model, filter))
      .toSorted((left, right) => compareRows(left.model, right.model, sort))
      .map(({ row }) => row);
    scan.order = { mark, rows };
    return rows;
  }

  #model(row: Row): UploadRow {
    const { upload } = row;
    const owner = upload.initiator ?? upload.owner;
    const read =
      row.parts === null
        ? ({ kind: row.error === null ? 'unread' : 'failed' } as const)
        : ({ kind: 'read', parts: row.parts } as const);
    return {
      id: row.id,
      bucket: row.bucket,
      key: upload.key,
      uploadId: upload.uploadId,
      initiatedAt: upload.initiatedAt,
      initiator: owner?.displayName ?? owner?.id ?? null,
      storageClass: upload.storageClass,
      verdict: verdictOf(read, this.#deps.clock.nowMs()),
      parts: row.parts,
      error: row.error,
    };
  }
}

function totalsOf(rows: readonly Row[]): UploadTotals {
  let storedBytes = 0;
  let unread = 0;
  let oldestAt: string | null = null;
  for (const row of rows) {
    storedBytes += row.parts?.storedBytes ?? 0;
    if (isUnread(row)) unread += 1;
    const { initiatedAt } = row.upload;
    // ISO 8601 in UTC: the order of the texts is the order of the times.
    if (initiatedAt !== null && (oldestAt === null || initiatedAt < oldestAt)) oldestAt = initiatedAt;
  }
  return { storedBytes, unread, oldestAt };
}

function isUnread(row: Row): boolean {
  return row.parts === null && row.error === null;
}
