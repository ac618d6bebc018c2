import type { AppError } from '../../../../shared/errors.ts';
import type { ObjectEntry } from '../../../../shared/models/objects.ts';
import type { Holding, SmallestSize } from '../../../../shared/models/prices.ts';
import type { WalkChildren, WalkRows, WalkSort } from '../../../../shared/models/walks.ts';
import type { RowFormat } from './export-text.ts';
import type { ChildSum } from '../pages/page-messages.ts';

export interface ChildSort {
  readonly by: 'prefix' | 'size' | 'keys';
  readonly descending: boolean;
}

/** The last row that was read: its value in the sort column and its number. */
export type Cursor = readonly [value: string | number, id: number];

export interface Batch {
  readonly rows: readonly ObjectEntry[];
  /** The position from which to read the next batch; null if no further row exists at present. */
  readonly next: Cursor | null;
}

export interface ExportChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly next: Cursor | null;
}

/**
 * A change that a job of this program made to a key of a bucket. `moved`: the key no longer exists, and the new key has its object.
 * `back`: an undo brought the object back. `written`: a new object, or one with other properties; null means that the keys are unknown.
 */
export type KeyChange =
  | { readonly kind: 'removed'; readonly key: string }
  | { readonly kind: 'back'; readonly key: string }
  | { readonly kind: 'moved'; readonly key: string; readonly newKey: string }
  | { readonly kind: 'written'; readonly key: string | null };

/** A change of a row. A key that was written may have no row yet, so the table cannot apply it. */
export type RowChange = Exclude<KeyChange, { kind: 'written' }>;

/** The calls that the table thread answers, with their input and output. */
export interface TableCalls {
  open: { input: { file: string }; output: null };
  add: { input: { rows: Uint8Array<ArrayBuffer> | null; children: readonly ChildSum[] }; output: null };
  /** Prepares for a repeated listing: deletes all rows, or with `keepRows` keeps them and skips repeated keys. */
  restart: { input: { keepRows: boolean }; output: null };
  /**
   * Applies changes of keys to the rows. Returns the sums of rows that left and came back, and how many changes concern no known
   * row.
   */
  change: {
    input: { changes: readonly RowChange[] };
    output: { rows: number; sizeBytes: number; unknown: number };
  };
  /** Returns those of these keys that have a row. */
  present: { input: { keys: readonly string[] }; output: readonly string[] };
  read: { input: { offset: number; limit: number; sort: WalkSort }; output: WalkRows };
  children: { input: { offset: number; limit: number; sort: ChildSort }; output: WalkChildren };
  /** Returns the rows after a key, in key order. */
  after: { input: { key: string | null; limit: number }; output: readonly ObjectEntry[] };
  /** Returns rows in the order in which they were found. */
  found: {
    input: { afterId: number; limit: number };
    output: { rows: readonly ObjectEntry[]; lastId: number };
  };
  export: {
    input: {
      format: RowFormat;
      bucket: string;
      hasEtags: boolean;
      sort: WalkSort;
      from: Cursor | null;
      limit: number;
    };
    output: ExportChunk;
  };
  /**
   * Returns the sums of all rows by storage class and month. Each object counts with at least the minimum size billed for its
   * class.
   */
  holdings: { input: { smallest: readonly SmallestSize[] }; output: readonly Holding[] };
  drop: { input: null; output: null };
}

export type TableCall = keyof TableCalls;

export interface TableQuestion<C extends TableCall = TableCall> {
  readonly id: number;
  readonly walkId: string;
  readonly call: C;
  readonly input: TableCalls[C]['input'];
}

export type TableResponse =
  | { readonly id: number; readonly kind: 'done'; readonly output: TableCalls[TableCall]['output'] }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
