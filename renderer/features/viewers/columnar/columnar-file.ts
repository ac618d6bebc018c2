import type { RangeSource } from '../frame/range-source.ts';
import type { Value } from './value.ts';

/** Formats that keep a table column by column. */
export type ColumnarFormat = 'parquet' | 'arrow';

/** Why values are not shown: more than a viewer reads at once, encrypted, or damaged or of an unknown form. */
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
  /** In the order of the file. */
  readonly packedBytes: number;
}

export interface TableDescription {
  readonly columns: readonly ColumnarColumn[];
  readonly groups: readonly RowGroup[];
  readonly rowCount: number;
  /** How far into the file the rows go that are shown; null: to the end. */
  readonly shownBytes: number | null;
  readonly createdBy: string | null;
  readonly codecs: readonly string[];
}

/** Consecutive rows of a column. */
export interface ColumnPart {
  readonly firstRow: number;
  readonly rowCount: number;
  /** The value of a row of this part, counted from its first. Throws BadFormat. */
  readonly valueAt: (index: number) => Value;
}

/** An open file of columns, in the worker of the decoder. */
export interface ColumnarFile {
  readonly description: TableDescription;
  /**
   * Reads the rows of a column around this one, or says why they are not shown. null: there is no such row. Throws BadFormat where
   * the bytes are not what the format demands.
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
  /** null: no value; undefined or missing: it is not shown. */
  readonly texts: readonly (string | null | undefined)[];
  /** Why values are not shown; null: all are. */
  readonly problem: ColumnProblem | null;
}

/** Why a whole file is not shown, where it is not damaged. */
export type FileProblem = 'encrypted' | 'big-endian';

/** The file is sound, but of a form that is not read. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(`The file is ${problem}.`);
    this.problem = problem;
  }
}
