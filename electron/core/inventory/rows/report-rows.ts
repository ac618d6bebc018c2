import { compareKeys } from '../../../../shared/keys/paths.ts';
import { KeyPageWriter } from '../../walks/map/key-page.ts';
import type { ReportColumns } from '../manifest/report-manifest.ts';

/** The row counts of a data file: objects in the map, and the older versions and delete markers that the map leaves out. */
export interface RowCounts {
  readonly keys: number;
  readonly sizeBytes: number;
  readonly olderVersions: number;
  readonly olderBytes: number;
  readonly deleteMarkers: number;
}

/** A row of a report. */
export interface ReportRow {
  /** The bucket; null if the report has no such column. */
  readonly bucket: string | null;
  readonly key: string;
  /** The size in bytes; null for a delete marker. */
  readonly sizeBytes: number | null;
  readonly isLatest: boolean;
  readonly isDeleteMarker: boolean;
  readonly lastModified: string | null;
  readonly etag: string | null;
  readonly storageClass: string | null;
  readonly owner: string | null;
}

/** Thrown for content that is not a report, or that is about another bucket. The worker redacts and shortens the message. */
export class DamagedReport extends Error {}

/** The number of objects in a page, and so in a block of a catalogue. It is the same as in a page of a listing. */
const rowsPerPage = 1000;

/** Builds key pages from the rows of one file. Only current objects count: latest versions that are not delete markers. */
export class ReportRows {
  readonly #bucket: string;
  readonly #prefix: string;
  #writer = new KeyPageWriter();
  #inPage = 0;
  #pages: Uint8Array<ArrayBuffer>[] = [];
  readonly #counts = { keys: 0, sizeBytes: 0, olderVersions: 0, olderBytes: 0, deleteMarkers: 0 };
  #isOrdered = true;
  #first: string | null = null;
  #last: string | null = null;

  constructor(bucket: string, prefix: string) {
    this.#bucket = bucket;
    this.#prefix = prefix;
  }

  /** Adds a row. Throws DamagedReport for a row of another bucket or prefix, and for one without key or size. */
  add({ bucket, key, sizeBytes, isLatest, isDeleteMarker, ...about }: ReportRow): void {
    if (bucket !== null && bucket !== this.#bucket)
      throw new DamagedReport(`a row belongs to the bucket "${bucket}"`);
    if (key === '') throw new DamagedReport('a row has no key');
    if (!key.startsWith(this.#prefix))
      throw new DamagedReport(`the key "${key}" does not begin with "${this.#prefix}"`);
    if (isDeleteMarker) {
      this.#counts.deleteMarkers += 1;
      return;
    }
    if (sizeBytes === null || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
      throw new DamagedReport(`the object "${key}" has no size`);
    if (!isLatest) {
      this.#counts.olderVersions += 1;
      this.#counts.olderBytes += sizeBytes;
      return;
    }
    if (this.#last !== null && this.#isOrdered) this.#isOrdered = compareKeys(this.#last, key) < 0;
    this.#first ??= key;
    this.#last = key;
    this.#counts.keys += 1;
    this.#counts.sizeBytes += sizeBytes;
    const { lastModified, etag, storageClass, owner } = about;
    this.#writer.add(key, sizeBytes, lastModified, etag, storageClass, owner);
    this.#inPage += 1;
    if (this.#inPage === rowsPerPage) this.#endPage();
  }

  /** Removes and returns the full pages. */
  take(): Uint8Array<ArrayBuffer>[] {
    const pages = this.#pages;
    this.#pages = [];
    return pages;
  }

  /** Completes the last page. No row may follow. */
  finish(): void {
    this.#endPage();
  }

  get counts(): RowCounts {
    return { ...this.#counts };
  }

  /** Returns the first and last key, and whether all keys are in ascending order. */
  get order(): { readonly isOrdered: boolean; readonly first: string | null; readonly last: string | null } {
    return { isOrdered: this.#isOrdered, first: this.#first, last: this.#last };
  }

  #endPage(): void {
    const page = this.#writer.finish();
    if (page !== null) this.#pages.push(page);
    this.#writer = new KeyPageWriter();
    this.#inPage = 0;
  }
}

/**
 * The maximum ratio of decompressed to compressed size. Rows of a real report expand 10 to 50 times; gzip allows 1000, and
 * Parquet's encodings far more. The rows of one message are in memory at once, so this limits memory too.
 */
const maxTimesPacked = 250;
/** The decompressed size in bytes that is always allowed, because a small report may be very regular. */
const alwaysAllowedBytes = 16 * 1024 * 1024;

/** Limits the decompressed size of a data file relative to the compressed bytes read so far. */
export class UnpackLimit {
  #unpackedBytes = 0;

  /** Adds decompressed bytes. Throws DamagedReport above the limit. */
  add(unpackedBytes: number, packedBytes: number): void {
    this.#unpackedBytes += unpackedBytes;
    const allowed = Math.max(alwaysAllowedBytes, packedBytes * maxTimesPacked);
    if (!(this.#unpackedBytes <= allowed))
      throw new DamagedReport(
        `its ${packedBytes} compressed bytes expand to more than ${allowed}, more than any real report`,
      );
  }
}

/** Receives the bytes of one data file, in order. */
export interface FileReader {
  add(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  finish(): Promise<void>;
  close(): void;
}

/** The properties of a data file and of the rows to read from it. */
export interface FileReadOptions {
  readonly format: 'CSV' | 'Parquet';
  /** True if the whole file is compressed with gzip. */
  readonly isPacked: boolean;
  readonly sourceBucket: string;
  /** The common prefix of all keys. */
  readonly prefix: string;
  readonly fields: readonly string[];
  readonly columns: ReportColumns;
  readonly sizeBytes: number;
  /** The end of a Parquet file, with its footer. */
  readonly tail: Uint8Array<ArrayBuffer> | null;
}

/** The intermediate result of a file. `pages` are those completed since the last message. */
export interface FileResponse {
  readonly pages: readonly Uint8Array<ArrayBuffer>[];
  readonly counts: RowCounts;
}

export interface FileEnd extends FileResponse {
  /** The MD5 of all received bytes, in hex. */
  readonly md5: string;
  readonly isOrdered: boolean;
  readonly first: string | null;
  readonly last: string | null;
}

/** The calls that the thread answers for each data file. */
export interface ReportFileCalls {
  open(options: FileReadOptions): FileResponse;
  add(input: { readonly bytes: Uint8Array<ArrayBuffer> }): FileResponse;
  end(): FileEnd;
  /** Releases the file before its end. */
  drop(): void;
}
