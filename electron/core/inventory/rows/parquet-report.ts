import { parquetMetadata, parquetSchema, type FileMetaData } from 'hyparquet';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { isFlatColumn } from 'hyparquet/src/schema.js';
import type { ColumnMetaData, SchemaTree } from 'hyparquet/src/types.js';
import { readColumnPages } from './parquet-pages.ts';
import {
  type FileReader,
  type FileReadOptions,
  UnpackLimit,
  DamagedReport,
  type ReportRows,
} from './report-rows.ts';

/** The maximum size of a row group in bytes, because it must fit into memory. Writers use at most 128 MB. */
const maxGroupBytes = 256 * 1024 * 1024;
const maxGroupRows = 20_000_000;
/** Encodings can store any number of equal rows in a few bytes, but the keys of a real report differ. */
const maxRowsPerByte = 8;
/**
 * The number of rows that is always allowed, because keys of a small report may follow a pattern that compresses to almost
 * nothing.
 */
const alwaysAllowedRows = 1_000_000;

interface Group {
  readonly columns: ReadonlyMap<string, ColumnMetaData>;
  readonly rows: number;
  readonly startByte: number;
  readonly endByte: number;
}

/**
 * Reads one Parquet data file from first to last byte, so that its MD5 can be computed meanwhile. Its footer was read before.
 * Each row group is decoded once complete; then its bytes are released.
 */
export class ParquetReport implements FileReader {
  readonly #options: FileReadOptions;
  readonly #rows: ReportRows;
  readonly #schema: SchemaTree;
  readonly #groups: Group[];
  readonly #limit = new UnpackLimit();
  #chunks: { readonly startByte: number; readonly bytes: Uint8Array<ArrayBuffer> }[] = [];
  #endByte = 0;

  /** Parses the footer. Throws DamagedReport if the file is not Parquet. */
  constructor(options: FileReadOptions, rows: ReportRows) {
    this.#options = options;
    this.#rows = rows;
    const metadata = metadataOf(options);
    this.#schema = parquetSchema(metadata);
    this.#groups = groupsOf(metadata, options.sizeBytes);
  }

  /** Adds bytes and emits the rows of each complete row group. Throws DamagedReport for a row without a key. */
  add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#chunks.push({ startByte: this.#endByte, bytes });
    this.#endByte += bytes.byteLength;
    for (
      let next = this.#groups[0];
      next !== undefined && next.endByte <= this.#endByte;
      next = this.#groups[0]
    ) {
      this.#groups.shift();
      this.#read(next);
      this.#forgetBefore(this.#groups[0]?.startByte ?? this.#endByte);
    }
    // The bytes between groups are not needed.
    this.#forgetBefore(this.#groups[0]?.startByte ?? this.#endByte);
    return Promise.resolve();
  }

  /** Ends the file. Throws DamagedReport if rows are missing at the end. */
  finish(): Promise<void> {
    if (this.#groups.length > 0) throw new DamagedReport('a data file ends before its last rows');
    return Promise.resolve();
  }

  close(): void {
    this.#chunks = [];
  }

  #read(group: Group): void {
    const { columns } = this.#options;
    const { rows } = group;
    const names = Object.values(columns).filter((name): name is string => name !== null);
    const values = new Map(names.map((name) => [name, this.#column(group, name)]));
    const valueOf = (name: string | null, row: number): unknown =>
      name === null ? null : (values.get(name)?.[row] ?? null);
    for (let row = 0; row < rows; row += 1) {
      const size = valueOf(columns.size, row);
      const key = valueOf(columns.key, row);
      if (typeof key !== 'string') throw new DamagedReport('a row has no key');
      this.#rows.add({
        bucket: textOf(valueOf(columns.bucket, row)),
        key,
        sizeBytes: size === null ? null : Number(size),
        isLatest: columns.isLatest === null || valueOf(columns.isLatest, row) === true,
        isDeleteMarker: valueOf(columns.isDeleteMarker, row) === true,
        lastModified: timeOf(valueOf(columns.lastModified, row)),
        etag: textOf(valueOf(columns.etag, row)),
        storageClass: textOf(valueOf(columns.storageClass, row)),
        owner: textOf(valueOf(columns.owner, row)),
      });
    }
  }

  /** Returns the values of a column in all rows of a group; empty for an absent column. */
  #column({ columns, rows, endByte }: Group, name: string): readonly unknown[] {
    const chunk = columns.get(name);
    const node = this.#schema.children.find((child) => child.element.name === name);
    if (chunk === undefined || node === undefined) return [];
    const schemaPath = [this.#schema, node];
    if (!isFlatColumn(schemaPath) || node.element.type !== chunk.type)
      throw new DamagedReport(`the column "${name}" is not of a type that a report has`);
    const startByte = startOf(chunk);
    try {
      return readColumnPages(
        this.#slice(startByte, startByte + Number(chunk.total_compressed_size)),
        {
          pathInSchema: chunk.path_in_schema,
          type: chunk.type,
          element: node.element,
          schemaPath,
          codec: chunk.codec,
          parsers: DEFAULT_PARSERS,
        },
        rows,
        (unpackedBytes) => this.#limit.add(unpackedBytes, endByte),
      );
    } catch (thrown) {
      if (thrown instanceof DamagedReport) throw thrown;
      throw new DamagedReport(
        `rows cannot be read (${thrown instanceof Error ? thrown.message : String(thrown)})`,
      );
    }
  }

  #slice(from: number, to: number): ArrayBuffer {
    const made = new Uint8Array(to - from);
    let filled = 0;
    for (const { startByte, bytes } of this.#chunks) {
      const first = Math.max(from, startByte);
      const last = Math.min(to, startByte + bytes.byteLength);
      if (first >= last) continue;
      made.set(bytes.subarray(first - startByte, last - startByte), first - from);
      filled += last - first;
    }
    if (filled !== to - from) throw new DamagedReport('a data file refers to bytes outside its rows');
    return made.buffer;
  }

  #forgetBefore(byte: number): void {
    this.#chunks = this.#chunks.filter(({ startByte, bytes }) => startByte + bytes.byteLength > byte);
  }
}

function metadataOf({ tail, sizeBytes }: FileReadOptions): FileMetaData {
  if (tail === null) throw new DamagedReport('a data file has no description');
  try {
    return parquetMetadata(tail.buffer.slice(tail.byteOffset, tail.byteOffset + tail.byteLength));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new DamagedReport(`a data file of ${sizeBytes} bytes is not a Parquet file (${why})`);
  }
}

/** Returns the offset of a column's first page. Some writers store 0 as the offset of an absent dictionary. */
function startOf({ dictionary_page_offset: dictionary, data_page_offset: data }: ColumnMetaData): number {
  const dictionaryAt = Number(dictionary ?? 0);
  return dictionaryAt > 0 && dictionaryAt < Number(data) ? dictionaryAt : Number(data);
}

/** Checks the row groups that the footer describes before any of them is read. */
function groupsOf(metadata: FileMetaData, sizeBytes: number): Group[] {
  let before = 0;
  let rowsBefore = 0;
  return metadata.row_groups.map((group) => {
    const rows = Number(group.num_rows);
    const columns = new Map<string, ColumnMetaData>();
    for (const { meta_data: chunk } of group.columns) {
      if (chunk === undefined) throw new DamagedReport('a column has no description');
      columns.set(chunk.path_in_schema.join('.'), chunk);
    }
    const chunks = [...columns.values()];
    const startByte = Math.min(...chunks.map(startOf));
    const endByte = Math.max(...chunks.map((chunk) => startOf(chunk) + Number(chunk.total_compressed_size)));
    const isSound =
      Number.isSafeInteger(rows) &&
      rows >= 0 &&
      rows <= maxGroupRows &&
      startByte >= before &&
      endByte >= startByte &&
      endByte <= sizeBytes;
    if (!isSound) throw new DamagedReport('a data file describes impossible rows');
    if (endByte - startByte > maxGroupBytes) throw new DamagedReport('a group of rows is too large');
    rowsBefore += rows;
    if (rowsBefore > Math.max(alwaysAllowedRows, endByte * maxRowsPerByte))
      throw new DamagedReport(
        `its ${endByte} compressed bytes contain ${rowsBefore} rows, more than any real report`,
      );
    before = endByte;
    return { columns, rows, startByte, endByte };
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function timeOf(value: unknown): string | null {
  // Without a logical type, a time is a number of milliseconds.
  const isTime = value instanceof Date || typeof value === 'bigint' || typeof value === 'number';
  if (!isTime) return textOf(value);
  const date = new Date(Number(value));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
