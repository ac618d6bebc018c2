import type { RangeSource } from '../frame/range-source.ts';

/** Units of time. Each unit is a thousandth of the unit before it. */
export const timeUnits = ['s', 'ms', 'µs', 'ns'] as const;
export type TimeUnit = (typeof timeUnits)[number];

/** A stored value of a table, in the same form for every format. Text is a string; bytes are binary. */
export type Value = null | boolean | number | bigint | string | Uint8Array | TypedValue;

export type TypedValue =
  /** A float of 16 or 32 bits, converted to a double. */
  | { readonly kind: 'float'; readonly bits: 16 | 32; readonly value: number }
  | { readonly kind: 'decimal'; readonly unscaled: bigint; readonly scale: number }
  /** Days since 1970-01-01. */
  | { readonly kind: 'date'; readonly days: number }
  /** A time since midnight. */
  | { readonly kind: 'time'; readonly count: bigint; readonly unit: TimeUnit }
  /** A time since 1970-01-01T00:00:00, in UTC or without a time zone. */
  | { readonly kind: 'timestamp'; readonly count: bigint; readonly unit: TimeUnit; readonly isUtc: boolean }
  | {
      readonly kind: 'interval';
      readonly months: number;
      readonly days: number;
      readonly nanoseconds: bigint;
    }
  /** A geometry as well-known binary. */
  | { readonly kind: 'geometry'; readonly bytes: Uint8Array }
  /** A JSON text, unparsed. */
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'struct'; readonly members: readonly (readonly [name: string, value: Value])[] }
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: Value, value: Value])[] };

const perSecond: Readonly<Record<TimeUnit, bigint>> = {
  s: 1n,
  ms: 1000n,
  µs: 1_000_000n,
  ns: 1_000_000_000n,
};

/** Returns the number of units per second. */
export function countPerSecond(unit: TimeUnit): bigint {
  return perSecond[unit];
}

/** Converts a duration to nanoseconds. */
export function nanosecondsOf(count: bigint, unit: TimeUnit): bigint {
  return count * (perSecond.ns / perSecond[unit]);
}

/** Reads a big-endian signed integer of any length. */
export function bigEndianInteger(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** Reads a little-endian signed integer of any length. */
export function littleEndianInteger(bytes: Uint8Array): bigint {
  return bigEndianInteger(bytes.toReversed());
}

/** Formats the 16 bytes of a UUID. */
export function uuidText(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

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

/** The description of a table about which its format says nothing more than columns and rows. */
export const plainDescription: TableDescription = {
  columns: [],
  groups: [],
  rowCount: 0,
  shownBytes: null,
  createdBy: null,
  codecs: [],
  tables: [],
  usesLog: false,
};

/** Returns the index of the row group with this row, or -1. */
export function groupWith(groups: readonly RowGroup[], row: number): number {
  return groups.findIndex(({ firstRow, rows }) => row >= firstRow && row < firstRow + rows);
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
