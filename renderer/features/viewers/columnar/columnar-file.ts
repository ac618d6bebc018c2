import type { RangeSource } from '../frame/range-source.ts';
import type { Value } from './value.ts';

/** Formats whose tables a worker decodes. */
export type ColumnarFormat = 'parquet' | 'arrow' | 'sqlite';

/** The reason why values are not shown: too large for a viewer, encrypted, or unreadable (damaged or in an unknown format). */
export type ColumnProblem = 'too-large' | 'encrypted' | 'unreadable';

export interface ColumnarColumn {
  readonly name: string;
  readonly type: string;
  readonly isNumeric: boolean;
}

/** Rows stored together in the file. */
export interface RowGroup {
  readonly firstRow: number;
  readonly rows: number;
  /** Size in the file, in bytes. */
  readonly packedBytes: number;
}

export interface TableDescription {
  readonly columns: readonly ColumnarColumn[];
  readonly groups: readonly RowGroup[];
  readonly rowCount: number;
  /** The offset in the file at which the shown rows end, or null if all are shown. */
  readonly shownBytes: number | null;
  readonly createdBy: string | null;
  readonly codecs: readonly string[];
  /** The tables of a database; empty for a file that is one table. */
  readonly tables: readonly string[];
  /** True for a database whose latest changes may be in a write-ahead log, which is another file. */
  readonly usesLog: boolean;
}

/** Consecutive rows of a column. */
export interface ColumnPart {
  readonly firstRow: number;
  readonly rowCount: number;
  /**
   * Returns the value in a row, counted from the first row of the part. Reads at least `maxChars` characters. Throws BadFormat.
   */
  readonly valueAt: (index: number, maxChars: number) => Value;
}

/** An open columnar file in the decoder worker. */
export interface ColumnarFile {
  readonly description: TableDescription;
  /**
   * Reads the values of a column around a row, or returns why they are not shown. Returns null if there is no such row. Throws
   * BadFormat if the bytes violate the format.
   */
  readonly partAt: (
    column: number,
    row: number,
    signal: AbortSignal,
  ) => Promise<ColumnPart | ColumnProblem | null>;
}

export type OpenColumnar = (source: RangeSource, signal: AbortSignal) => Promise<ColumnarFile>;

/** Texts of consecutive rows of a column, for the window. */
export interface TextPart {
  readonly firstRow: number;
  readonly rowCount: number;
  /** A text for each row. Null means no value; undefined or missing means that the value is not shown. */
  readonly texts: readonly (string | null | undefined)[];
  /** The reason why some values are not shown, or null if all are shown. */
  readonly problem: ColumnProblem | null;
}

/** The full (untruncated) text of a value, or undefined if the value cannot be shown. */
export type WholeValue = string | null | undefined;

/** The reason why a valid file cannot be shown. */
export type FileProblem = 'encrypted' | 'big-endian';

/** Thrown for a valid file of an unsupported form. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(`The file is ${problem}.`);
    this.problem = problem;
  }
}
