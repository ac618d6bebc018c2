import type { ColumnarFormat, FileProblem, TableDescription, TextPart, WholeValue } from './columnar-file.ts';

/** The table to open. `sqlite` is set only for a database. */
export interface TableChoice {
  readonly format: ColumnarFormat;
  readonly sqlite: {
    /** The index of the table in the list of names. With null, only the names are read. */
    readonly table: number | null;
    /** The address of the engine. */
    readonly engine: string;
  } | null;
}

export type ColumnarRequest =
  | ({ readonly kind: 'open'; readonly sizeBytes: number } & TableChoice)
  | { readonly kind: 'part'; readonly column: number; readonly row: number }
  /** Requests the full (untruncated) values of a row. */
  | { readonly kind: 'row'; readonly columns: readonly number[]; readonly row: number };

/** Messages to the decoder: a request, or the result of a read that it asked for. */
export type ToDecoder =
  | { readonly kind: 'ask'; readonly id: number; readonly question: ColumnarRequest }
  | { readonly kind: 'bytes'; readonly read: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'unread'; readonly read: number };

export type ColumnarResponse =
  | { readonly description: TableDescription }
  | { readonly part: TextPart | null }
  | { readonly values: readonly WholeValue[] };

/** Messages from the decoder: a read, or the result of a request. */
export type FromDecoder =
  | { readonly kind: 'read'; readonly read: number; readonly offset: number; readonly length: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: ColumnarResponse }
  /** The window could not read the requested bytes. */
  | { readonly kind: 'unread'; readonly id: number; readonly read: number }
  /** Code of the decoder could not be loaded. */
  | { readonly kind: 'unloaded'; readonly id: number }
  /** The bytes violate the format, or have an unsupported form. */
  | { readonly kind: 'refused'; readonly id: number; readonly problem: FileProblem | null };

/** Limit of one read by the decoder, in bytes. */
export const maxReadBytes = 64 * 1024 * 1024;
