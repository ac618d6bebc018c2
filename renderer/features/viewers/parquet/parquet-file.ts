import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import type {
  AsyncBuffer,
  ColumnDecoder,
  ColumnMetaData,
  FileMetaData,
  SchemaTree,
} from 'hyparquet/src/types.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { getTreePath, isFlatColumn } from 'hyparquet/src/schema.js';
import { BadFormat } from '../archive/archive.ts';
import type { ColumnarColumn, ColumnarFile, ColumnPart, RowGroup } from '../columnar/columnar-file.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { codecs } from './codecs.ts';
import { columnPages, type ColumnPages } from './column-pages.ts';
import { decodedCache, type DecodedCache } from '../columnar/decoded-cache.ts';
import { pageHeader } from './page-header.ts';
import { structEnd } from './thrift-check.ts';

/** A longer description is not read: it would be of more columns and groups than anybody looks at. */
const mostMetadataBytes = 32_000_000;
const footerBytes = 64 * 1024;
/** A column with lists or structures is read as a whole, in each row group; a larger one is not shown. */
const mostNestedBytes = 16_000_000;

const mostNestedRows = 1_000_000;
const mostNestedValues = 2_000_000;
/** As much decoded is kept, by an estimate. */
const keptBytes = 200_000_000;
/** As many chunks of columns keep the places of their pages. */
const keptChunks = 1000;

/** Reads the description of a file from its end. Throws BadFormat, or what the parser throws. */
export async function openParquet(source: RangeSource, signal: AbortSignal): Promise<ColumnarFile> {
  const metadata = await readMetadata(source, signal);
  const tree = parquetSchema(metadata);
  const groups: RowGroup[] = [];
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
  const cache = decodedCache(keptBytes);
  return {
    description: {
      columns: tree.children.map(columnOf),
      groups,
      rowCount,
      shownBytes: null,
      createdBy: metadata.created_by ?? null,
      codecs: [...names],
    },
    partAt: async (column, row, using) => {
      const at = groups.findIndex(({ firstRow, rows }) => row >= firstRow && row < firstRow + rows);
      const group = groups[at];
      const top = tree.children[column];
      if (group === undefined || top === undefined) return null;
      const id = `${String(at)}:${String(column)}`;
      let pages = opened.get(id);
      if (pages === undefined) {
        pages = pagesOf(source, metadata, tree, { at, top, group, cache });
        opened.set(id, pages);
        for (const oldest of opened.keys()) {
          if (opened.size <= keptChunks) break;
          opened.delete(oldest);
        }
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
  if (structEnd(footer, footer.length - size) > footer.length - 8)
    throw new BadFormat('The description is longer than it says.');
  return parquetMetadata(footer, { geoparquet: false });
}

interface Chunk {
  readonly at: number;
  readonly top: SchemaTree;
  readonly group: RowGroup;
  readonly cache: DecodedCache;
}

function pagesOf(
  source: RangeSource,
  metadata: FileMetaData,
  tree: SchemaTree,
  { at, top, group, cache }: Chunk,
): ColumnPages {
  const chunks = (metadata.row_groups[at]?.columns ?? []).flatMap(({ meta_data: chunk }) =>
    chunk?.path_in_schema[0] === top.element.name ? [chunk] : [],
  );
  const [only] = chunks;
  if (only === undefined) throw new BadFormat('A column is missing in a row group.');
  const schemaPath = getTreePath(tree, only.path_in_schema);
  if (!isFlatColumn(schemaPath)) return nestedPages(source, metadata, chunks, { at, top, group, cache });
  const decoder: ColumnDecoder = {
    pathInSchema: only.path_in_schema,
    element: top.element,
    schemaPath,
    type: only.type,
    codec: only.codec,
    compressors: codecs,
    parsers: DEFAULT_PARSERS,
  };
  return columnPages(source, only, decoder, cache);
}

/** A column of lists or structures, as one part. */
function nestedPages(
  source: RangeSource,
  metadata: FileMetaData,
  chunks: readonly ColumnMetaData[],
  { at, top, group, cache }: Chunk,
): ColumnPages {
  const { name } = top.element;
  const owner = {};
  const unpackedBytes = chunks.reduce((total, chunk) => total + Number(chunk.total_uncompressed_size), 0);
  const packedBytes = chunks.reduce((total, chunk) => total + Number(chunk.total_compressed_size), 0);
  const isTooLarge =
    !(unpackedBytes <= mostNestedBytes && packedBytes <= mostNestedBytes) || group.rows > mostNestedRows;
  const read = async (signal: AbortSignal): Promise<ColumnPart> => {
    for (const chunk of chunks) await checkPages(source, chunk, signal);
    const file: AsyncBuffer = {
      byteLength: source.sizeBytes,
      slice: async (start, end = source.sizeBytes) =>
        (await source.read(start, Math.min(end - start, mostNestedBytes), signal)).slice().buffer,
    };
    const groupOnly = metadata.row_groups[at];
    const rows = await parquetReadObjects({
      file,
      metadata: { ...metadata, row_groups: groupOnly === undefined ? [] : [groupOnly] },
      columns: [name],
      rowStart: 0,
      rowEnd: group.rows,
      compressors: codecs,
      geoparquet: false,
    });
    return { firstRow: 0, values: rows.map((row): unknown => row[name]) };
  };
  return {
    partAt: async (_row, signal) =>
      isTooLarge ? null : await cache.get(owner, 0, unpackedBytes * 4, async () => await read(signal)),
  };
}

/** The decoder reads these pages by itself, whatever they claim: so their headers are looked at before. */
async function checkPages(source: RangeSource, chunk: ColumnMetaData, signal: AbortSignal): Promise<void> {
  const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
  const bytes = await source.read(start, Number(chunk.total_compressed_size), signal);
  let unpackedBytes = 0;
  let values = 0;
  // It leaves the last byte alone as well.
  for (let at = 0; at < bytes.length - 1;) {
    const header = pageHeader(bytes, at, bytes.length - at, 1);
    at += header.pageBytes;
    unpackedBytes += header.unpackedBytes;
    values += header.values;
    if (unpackedBytes > mostNestedBytes || values > mostNestedValues)
      throw new BadFormat('A column holds more than it says.');
  }
}

function columnOf({ element, children }: SchemaTree): ColumnarColumn {
  const logical = element.logical_type?.type ?? element.converted_type;
  const type = children.length > 0 ? (logical ?? 'STRUCT') : (logical ?? element.type ?? '');
  const isNumber =
    element.type === 'DOUBLE' || element.type === 'FLOAT' || /^INT(?:32|64)$/.test(element.type ?? '');
  return {
    name: element.name,
    type: type.toLowerCase().replaceAll('_', ' '),
    isNumeric: children.length === 0 && isNumber && !/DATE|TIME/.test(logical ?? ''),
    hasTimes: hasTimes({ element, children }),
  };
}

/** INT96 holds nothing but times. */
function hasTimes({ element, children }: Pick<SchemaTree, 'element' | 'children'>): boolean {
  const logical = element.logical_type?.type ?? element.converted_type ?? element.type ?? '';
  return children.length > 0 ? children.some(hasTimes) : /^TIMESTAMP|^INT96$/.test(logical);
}
