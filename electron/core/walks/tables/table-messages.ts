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

/** The position of an export or a reader: the value of the sort column and the row's number. */
export type Cursor = readonly [value: string | number, id: number];

export interface Batch {
  readonly rows: readonly ObjectEntry[];
  /** null if nothing follows yet. */
  readonly next: Cursor | null;
}

export interface ExportChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rows: number;
  readonly next: Cursor | null;
}

/** The questions to the table thread, and its answers. */
export interface TableCalls {
  open: { input: { file: string }; output: null };
  add: { input: { rows: Uint8Array<ArrayBuffer> | null; children: readonly ChildSum[] }; output: null };
  /** Restarts the table. `keepRows`: rows already read stay, and repeated rows are skipped. */
  restart: { input: { keepRows: boolean }; output: null };
  read: { input: { offset: number; limit: number; sort: WalkSort }; output: WalkRows };
  children: { input: { offset: number; limit: number; sort: ChildSort }; output: WalkChildren };
  /** Rows after a key, in key order. */
  after: { input: { key: string | null; limit: number }; output: readonly ObjectEntry[] };
  /** Rows in the order in which they were found. */
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
  /** All rows by class and month, each object with at least its class's smallest billed size. */
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

export type TableAnswer =
  | { readonly id: number; readonly kind: 'done'; readonly output: TableCalls[TableCall]['output'] }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };
