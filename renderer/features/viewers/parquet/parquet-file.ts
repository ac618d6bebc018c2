import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import type { AsyncBuffer, ColumnDecoder, FileMetaData, SchemaTree } from 'hyparquet/src/types.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { getTreePath, isFlatColumn } from 'hyparquet/src/schema.js';
import { BadFormat } from '../archive/archive.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { codecs } from './codecs.ts';
import { columnPages, type ColumnPages, type ColumnPart } from './column-pages.ts';

/** A longer description is not read: it would be of more columns and groups than anybody looks at. */
const mostMetadataBytes = 32_000_000;
const footerBytes = 64 * 1024;
/** A column with lists or structures is read as a whole, in each row group; a larger one is not shown. */
const mostNestedBytes = 16_000_000;

export interface ParquetColumn {
  readonly name: string;
  readonly type: string;
  readonly isNumeric: boolean;
}

export interface ParquetGroup {
  readonly firstRow: number;
  readonly rows: number;
  /** As they lie in the file. */
  readonly packedBytes: number;
}

export interface ParquetFile {
  readonly columns: readonly ParquetColumn[];
  readonly groups: readonly ParquetGroup[];
  readonly rowCount: number;
  readonly createdBy: string | null;
  readonly codecs: readonly string[];
  /** Rows of a column around this one; null where the column is too large to be read. */
  readonly partAt: (column: number, row: number, signal: AbortSignal) => Promise<ColumnPart | null>;
}

/** Reads the description of a file from its end. Throws BadFormat, or what the parser throws. */
export async function openParquet(source: RangeSource, signal: AbortSignal): Promise<ParquetFile> {
  const metadata = await readMetadata(source, signal);
  const tree = parquetSchema(metadata);
  const groups: ParquetGroup[] = [];
  let rowCount = 0;
  const names = new Set<string>();
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (!Number.isSafeInteger(rows) || rows < 0 || !Number.isSafeInteger(rowCount + rows))
      throw new BadFormat('A row group has an impossible number of rows.');
    let packedBytes = 0;
    for (const { meta_data: chunk } of group.columns) {
      packedBytes += Number(chunk?.total_compressed_size ?? 0);
      if (chunk !== undefined) names.add(chunk.codec);
    }
    groups.push({ firstRow: rowCount, rows, packedBytes });
    rowCount += rows;
  }
  const opened = new Map<string, ColumnPages>();
  return {
    columns: tree.children.map(columnOf),
    groups,
    rowCount,
    createdBy: metadata.created_by ?? null,
    codecs: [...names],
    partAt: async (column, row, using) => {
      const at = groups.findIndex(({ firstRow, rows }) => row >= firstRow && row < firstRow + rows);
      const group = groups[at];
      const top = tree.children[column];
      if (group === undefined || top === undefined) return null;
      const id = `${String(at)}:${String(column)}`;
      let pages = opened.get(id);
      if (pages === undefined) {
        pages = pagesOf(source, metadata, tree, { at, top, group });
        opened.set(id, pages);
      }
      const part = await pages.partAt(row - group.firstRow, using);
      return part === null ? null : { firstRow: group.firstRow + part.firstRow, values: part.values };
    },
  };
}

async function readMetadata(source: RangeSource, signal: AbortSignal): Promise<FileMetaData> {
  const length = Math.min(source.sizeBytes, footerBytes);
  const tail = await source.read(source.sizeBytes - length, length, signal);
  const mark = new TextDecoder().decode(tail.subarray(-4));
  if (tail.length < 12 || mark !== 'PAR1')
    throw new BadFormat('This is no Parquet file, or an encrypted one.');
  const size = new DataView(tail.buffer, tail.byteOffset).getUint32(tail.length - 8, true) + 8;
  if (size > mostMetadataBytes || size > source.sizeBytes)
    throw new BadFormat('The description is too long.');
  const footer = size <= tail.length ? tail : await source.read(source.sizeBytes - size, size, signal);
  return parquetMetadata(footer.slice(), { geoparquet: false });
}

interface Chunk {
  readonly at: number;
  readonly top: SchemaTree;
  readonly group: ParquetGroup;
}

function pagesOf(
  source: RangeSource,
  metadata: FileMetaData,
  tree: SchemaTree,
  { at, top, group }: Chunk,
): ColumnPages {
  const { name } = top.element;
  const chunks = (metadata.row_groups[at]?.columns ?? []).flatMap(({ meta_data: chunk }) =>
    chunk?.path_in_schema[0] === name ? [chunk] : [],
  );
  const [only] = chunks;
  if (only === undefined) throw new BadFormat('A column is missing in a row group.');
  const schemaPath = getTreePath(tree, only.path_in_schema);
  if (isFlatColumn(schemaPath)) {
    const decoder: ColumnDecoder = {
      pathInSchema: only.path_in_schema,
      element: top.element,
      schemaPath,
      type: only.type,
      codec: only.codec,
      compressors: codecs,
      parsers: DEFAULT_PARSERS,
    };
    return columnPages(source, only, decoder);
  }
  const bytes = chunks.reduce((total, { total_uncompressed_size: size }) => total + Number(size), 0);
  let whole: Promise<ColumnPart> | null = null;
  return {
    partAt: async (_row, signal) => {
      if (bytes > mostNestedBytes || group.rows > 1_000_000) return null;
      const file: AsyncBuffer = {
        byteLength: source.sizeBytes,
        slice: async (start, end = source.sizeBytes) =>
          (await source.read(start, Math.min(end - start, mostNestedBytes), signal)).slice().buffer,
      };
      whole ??= parquetReadObjects({
        file,
        metadata,
        columns: [name],
        rowStart: group.firstRow,
        rowEnd: group.firstRow + group.rows,
        compressors: codecs,
        geoparquet: false,
      }).then((rows) => ({ firstRow: 0, values: rows.map((row): unknown => row[name]) }));
      whole.catch(() => {
        whole = null;
      });
      return await whole;
    },
  };
}

function columnOf({ element, children }: SchemaTree): ParquetColumn {
  const logical = element.logical_type?.type ?? element.converted_type;
  const type = children.length > 0 ? (logical ?? 'STRUCT') : (logical ?? element.type ?? '');
  const isNumber =
    element.type === 'DOUBLE' || element.type === 'FLOAT' || /^INT(?:32|64)$/.test(element.type ?? '');
  return {
    name: element.name,
    type: type.toLowerCase().replaceAll('_', ' '),
    isNumeric: children.length === 0 && isNumber && !/DATE|TIME/.test(logical ?? ''),
  };
}
