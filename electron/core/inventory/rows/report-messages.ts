import type { ReportColumns } from '../manifest/report-manifest.ts';
import type { RowCounts } from './report-rows.ts';

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
