import { parquetMetadata, parquetRead, type FileMetaData } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { FileReader, FileWish } from './report-messages.ts';
import { DamagedReport, type ReportRows } from './report-rows.ts';

/** A group of rows has to be in memory as a whole; writers make them of 128 MB at most. */
const maxGroupBytes = 256 * 1024 * 1024;
const maxGroupRows = 20_000_000;

interface Group {
  readonly firstRow: number;
  readonly rows: number;
  readonly startByte: number;
  readonly endByte: number;
}

/**
 * Reads one Parquet data file from the first byte to the last, so that its MD5 can be computed on the way. Its footer
 * was read before. A row group is decoded once complete, and then its bytes are released.
 */
export class ParquetReport implements FileReader {
  readonly #wish: FileWish;
  readonly #rows: ReportRows;
  readonly #metadata: FileMetaData;
  readonly #groups: Group[];
  #chunks: { readonly startByte: number; readonly bytes: Uint8Array<ArrayBuffer> }[] = [];
  #endByte = 0;

  constructor(wish: FileWish, rows: ReportRows) {
    this.#wish = wish;
    this.#rows = rows;
    this.#metadata = metadataOf(wish);
    this.#groups = groupsOf(this.#metadata, wish.sizeBytes);
  }

  async add(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#chunks.push({ startByte: this.#endByte, bytes });
    this.#endByte += bytes.byteLength;
    for (
      let next = this.#groups[0];
      next !== undefined && next.endByte <= this.#endByte;
      next = this.#groups[0]
    ) {
      this.#groups.shift();
      await this.#read(next);
      this.#forgetBefore(this.#groups[0]?.startByte ?? this.#endByte);
    }
    // Bytes between groups are of no use.
    this.#forgetBefore(this.#groups[0]?.startByte ?? this.#endByte);
  }

  /** Throws DamagedReport when rows are missing at the end. */
  finish(): Promise<void> {
    if (this.#groups.length > 0) throw new DamagedReport('a data file ends before its last rows');
    return Promise.resolve();
  }

  close(): void {
    this.#chunks = [];
  }

  async #read({ firstRow, rows }: Group): Promise<void> {
    const columns = this.#wish.columns;
    const names = Object.values(columns).filter((name): name is string => name !== null);
    const values = new Map<string, unknown[]>(names.map((name) => [name, []]));
    try {
      await parquetRead({
        file: {
          byteLength: this.#wish.sizeBytes,
          slice: (from, to = this.#wish.sizeBytes) => this.#slice(from, to),
        },
        metadata: this.#metadata,
        columns: names,
        rowStart: firstRow,
        rowEnd: firstRow + rows,
        compressors,
        onChunk: ({ columnName, columnData, rowStart }) => {
          const column = values.get(columnName);
          for (let at = 0; at < columnData.length; at += 1)
            if (column !== undefined) column[rowStart - firstRow + at] = columnData[at];
        },
      });
    } catch (thrown) {
      if (thrown instanceof DamagedReport) throw thrown;
      throw new DamagedReport(
        `rows cannot be read (${thrown instanceof Error ? thrown.message : String(thrown)})`,
      );
    }
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
    if (filled !== to - from) throw new DamagedReport('a data file describes bytes outside of its rows');
    return made.buffer;
  }

  #forgetBefore(byte: number): void {
    this.#chunks = this.#chunks.filter(({ startByte, bytes }) => startByte + bytes.byteLength > byte);
  }
}

function metadataOf({ tail, sizeBytes }: FileWish): FileMetaData {
  if (tail === null) throw new DamagedReport('a data file has no description');
  try {
    return parquetMetadata(tail.buffer.slice(tail.byteOffset, tail.byteOffset + tail.byteLength));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new DamagedReport(`a data file of ${sizeBytes} bytes is no Parquet (${why})`);
  }
}

function groupsOf(metadata: FileMetaData, sizeBytes: number): Group[] {
  let firstRow = 0;
  let before = 0;
  return metadata.row_groups.map((group) => {
    const rows = Number(group.num_rows);
    const starts: number[] = [];
    const ends: number[] = [];
    for (const { meta_data: chunk } of group.columns) {
      if (chunk === undefined) throw new DamagedReport('a column has no description');
      const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      starts.push(start);
      ends.push(start + Number(chunk.total_compressed_size));
    }
    const startByte = Math.min(...starts);
    const endByte = Math.max(...ends);
    const isSound =
      Number.isSafeInteger(rows) &&
      rows >= 0 &&
      rows <= maxGroupRows &&
      startByte >= before &&
      endByte >= startByte &&
      endByte <= sizeBytes;
    if (!isSound) throw new DamagedReport('a data file describes rows that cannot be');
    if (endByte - startByte > maxGroupBytes) throw new DamagedReport('a group of rows is too large');
    const made = { firstRow, rows, startByte, endByte };
    firstRow += rows;
    before = endByte;
    return made;
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function timeOf(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  // Without its logical type a time is a number of milliseconds.
  if (typeof value === 'bigint' || typeof value === 'number') {
    const date = new Date(Number(value));
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  }
  return textOf(value);
}
