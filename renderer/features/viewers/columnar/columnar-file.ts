import type { RangeSource } from '../frame/range-source.ts';

/** Formats that keep a table column by column. */
export type ColumnarFormat = 'parquet' | 'arrow';

export interface ColumnarColumn {
  readonly name: string;
  readonly type: string;
  readonly isNumeric: boolean;
  /** Moments are among its values, not days alone: a midnight has its hour, as all others have. */
  readonly hasTimes: boolean;
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

/** Some rows of a column, one after the other. */
export interface ColumnPart {
  readonly firstRow: number;
  readonly values: ArrayLike<unknown>;
}

/** A file of columns that is open, beside the decoder. */
export interface ColumnarFile {
  readonly description: TableDescription;
  /** Rows of a column around this one; null where the column is too large to be read. */
  readonly partAt: (column: number, row: number, signal: AbortSignal) => Promise<ColumnPart | null>;
}

export type OpenColumnar = (source: RangeSource, signal: AbortSignal) => Promise<ColumnarFile>;

/** A column's texts in the window, cut to what it can show. null: no value. */
export interface TextPart {
  readonly firstRow: number;
  readonly texts: readonly (string | null)[];
}
