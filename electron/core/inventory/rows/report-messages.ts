import type { AppError } from '../../../../shared/errors.ts';
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

export type ReportQuestion =
  | { readonly id: number; readonly kind: 'open'; readonly file: number; readonly options: FileReadOptions }
  | {
      readonly id: number;
      readonly kind: 'bytes';
      readonly file: number;
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  | { readonly id: number; readonly kind: 'end'; readonly file: number }
  | { readonly id: number; readonly kind: 'drop'; readonly file: number };

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

export type ReportResponse =
  | ({ readonly id: number; readonly kind: 'rows' } & FileResponse)
  | ({ readonly id: number; readonly kind: 'ended' } & FileEnd)
  | { readonly id: number; readonly kind: 'dropped' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
