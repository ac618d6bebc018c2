import { compareKeys } from '../../../../shared/keys/paths.ts';
import { columnsOfBytes } from '../../../../shared/packed/column-bytes.ts';
import { keysPerBlock, unpackBlock, type PackedKeys } from '../../../../shared/packed/packed-keys.ts';
import {
  ColumnsWriter,
  etagAt,
  isFolderAt,
  storageClassAt,
  type RowColumns,
} from '../../../../shared/packed/row-columns.ts';
import type { FolderRow } from './folder-row.ts';

/** Caches the block read last, since rows are mostly read in sequence. */
let last: { readonly of: PackedKeys; readonly block: number; readonly keys: readonly string[] } | null = null;

/** The rows of a page in columns of bytes. Local files stay objects. */
export class PackedRows implements Iterable<FolderRow> {
  readonly length: number;
  /** True if each key is greater than its predecessor, so that no row occurs twice. */
  readonly isAscending: boolean;
  readonly #columns: RowColumns | null;
  readonly #rows: readonly FolderRow[];

  private constructor(columns: RowColumns | null, rows: readonly FolderRow[]) {
    this.length = columns?.keys.count ?? rows.length;
    this.isAscending =
      columns?.isAscending ??
      rows.every(({ key }, at) => at === 0 || compareKeys(rows[at - 1]?.key ?? '', key) < 0);
    this.#columns = columns;
    this.#rows = rows;
  }

  static of(rows: readonly FolderRow[]): PackedRows {
    if (rows.some(({ handle }) => handle !== undefined)) return new PackedRows(null, rows);
    const writer = new ColumnsWriter();
    for (const row of rows) writer.add(row.kind === 'folder', row);
    return new PackedRows(writer.finish(), []);
  }

  /** Returns the rows of a piece of a folder (`folderRestSchema`), which are columns already. */
  static ofBytes(bytes: Uint8Array<ArrayBuffer>): PackedRows {
    return bytes.length === 0 ? PackedRows.of([]) : new PackedRows(columnsOfBytes(bytes.buffer), []);
  }

  get firstKey(): string | null {
    return this.key(0) ?? null;
  }

  get lastKey(): string | null {
    return this.key(this.length - 1) ?? null;
  }

  /** False if the rows are objects. */
  get isPacked(): boolean {
    return this.#columns !== null;
  }

  row(at: number): FolderRow | undefined {
    const columns = this.#columns;
    if (columns === null || at < 0 || at >= this.length) return this.#rows[at];
    return {
      kind: this.isFolder(at) ? 'folder' : 'object',
      key: keyAt(columns.keys, at),
      sizeBytes: columns.sizes[at] ?? 0,
      modifiedMs: columns.times[at] ?? Number.NaN,
      storageClass: storageClassAt(columns, at),
      etag: etagAt(columns, at),
    };
  }

  key(at: number): string | undefined {
    const columns = this.#columns;
    return columns === null || at < 0 || at >= this.length ? this.#rows[at]?.key : keyAt(columns.keys, at);
  }

  isFolder(at: number): boolean {
    return this.#columns === null ? this.#rows[at]?.kind === 'folder' : isFolderAt(this.#columns, at);
  }

  sizeBytes(at: number): number {
    return (this.#columns === null ? this.#rows[at]?.sizeBytes : this.#columns.sizes[at]) ?? 0;
  }

  modifiedMs(at: number): number {
    return (this.#columns === null ? this.#rows[at]?.modifiedMs : this.#columns.times[at]) ?? Number.NaN;
  }

  /**
   * Returns 1 for each folder and 0 for each object. This, `numbers` and `keys` return copies, because the memory of a view would
   * be sent to a worker with the whole page.
   */
  folderFlags(from: number, to: number): Uint8Array<ArrayBuffer> {
    return Uint8Array.from({ length: to - from }, (_, at) => (this.isFolder(from + at) ? 1 : 0));
  }

  /** Returns the sizes or the times of these rows, with NaN for an unknown time. */
  numbers(column: 'size' | 'modified', from: number, to: number): Float64Array<ArrayBuffer> {
    const columns = this.#columns;
    if (columns !== null) return (column === 'size' ? columns.sizes : columns.times).slice(from, to);
    const value = (at: number): number => (column === 'size' ? this.sizeBytes(at) : this.modifiedMs(at));
    return Float64Array.from({ length: to - from }, (_, at) => value(from + at));
  }

  /** Returns the keys of these rows, packed if they are a whole page. */
  keys(from: number, to: number): PackedKeys | readonly string[] {
    const keys = this.#columns?.keys;
    if (keys !== undefined && from === 0 && to === this.length)
      return { ...keys, bytes: keys.bytes.slice(), starts: keys.starts.slice() };
    return Array.from({ length: to - from }, (_, at) => this.key(from + at) ?? '');
  }

  *[Symbol.iterator](): Iterator<FolderRow> {
    for (let at = 0; at < this.length; at += 1) {
      const row = this.row(at);
      if (row !== undefined) yield row;
    }
  }
}

function keyAt(keys: PackedKeys, at: number): string {
  const block = Math.floor(at / keysPerBlock);
  if (last === null || last.of !== keys || last.block !== block)
    last = { of: keys, block, keys: unpackBlock(keys, block) };
  return last.keys[at % keysPerBlock] ?? '';
}
