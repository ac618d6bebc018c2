import { parquetMetadata, parquetSchema } from 'hyparquet';
import type { ColumnChunk, FileMetaData } from 'hyparquet/src/types.js';
import { BadFormat } from '../frame/bytes.ts';
import {
  groupWith,
  plainDescription,
  UnreadableFile,
  type ColumnarColumn,
  type ColumnarFile,
  type ColumnProblem,
  type RowGroup,
} from '../columnar/columnar-file.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { rowAssembler } from './assemble-row.ts';
import { columnPages, type ColumnPages } from './column-pages.ts';
import { decodedCache, type DecodedCache } from '../columnar/decoded-cache.ts';
import { leafType } from './leaf-type.ts';
import { leafValues, maxNestedBytes } from './nested-column.ts';
import { noParsers } from './page-values.ts';
import { columnNodes, type SchemaNode } from './schema-node.ts';
import { structEnd } from './page-header.ts';

/** Limit of the metadata. Longer metadata describes more columns and row groups than a table can show. */
const maxMetadataBytes = 32_000_000;
const footerBytes = 64 * 1024;
const maxNestedRows = 1_000_000;
/** Limit of cached decoded values, estimated. */
const maxCachedBytes = 200_000_000;
/** Number of column chunks whose page positions are cached. */
const maxCachedChunks = 1000;

/** Opens a file from the metadata at its end. Throws BadFormat, UnreadableFile, or the parser's errors. */
export async function openParquet(source: RangeSource, signal: AbortSignal): Promise<ColumnarFile> {
  const metadata = await readMetadata(source, signal);
  const nodes = columnNodes(parquetSchema(metadata));
  const groups: RowGroup[] = [];
  let rowCount = 0;
  const codecNames = new Set<string>();
  for (const group of metadata.row_groups) {
    const rows = Number(group.num_rows);
    if (!Number.isSafeInteger(rows) || rows < 0 || !Number.isSafeInteger(rowCount + rows))
      throw new BadFormat('A row group has an impossible number of rows.');
    let packedBytes = 0;
    for (const { meta_data: chunk } of group.columns) {
      packedBytes += Number(chunk?.total_compressed_size ?? 0);
      if (chunk !== undefined) codecNames.add(chunk.codec);
    }
    groups.push({ firstRow: rowCount, rows, packedBytes });
    rowCount += rows;
  }
  const opened = new Map<string, ColumnPages | ColumnProblem>();
  const cache = decodedCache(maxCachedBytes);
  return {
    description: {
      ...plainDescription,
      columns: nodes.map((node) => ({ name: node.name, ...typeOf(node) })),
      groups,
      rowCount,
      createdBy: metadata.created_by ?? null,
      codecs: [...codecNames],
    },
    partAt: async (column, row, using) => {
      const at = groupWith(groups, row);
      const group = groups[at];
      const node = nodes[column];
      if (group === undefined || node === undefined) return null;
      const id = `${String(at)}:${String(column)}`;
      let pages = opened.get(id);
      if (pages === undefined) {
        const chunks = metadata.row_groups[at]?.columns.slice(
          node.firstLeaf,
          node.firstLeaf + node.leafCount,
        );
        pages = pagesOf(source, chunks ?? [], { id, node, group, cache, createdBy: metadata.created_by });
        opened.set(id, pages);
        for (const oldest of opened.keys()) {
          if (opened.size <= maxCachedChunks) break;
          opened.delete(oldest);
        }
      }
      if (typeof pages === 'string') return pages;
      const part = await pages.partAt(row - group.firstRow, using);
      if (part === null) throw new BadFormat('A column has too few rows.');
      return { ...part, firstRow: group.firstRow + part.firstRow };
    },
  };
}

async function readMetadata(source: RangeSource, signal: AbortSignal): Promise<FileMetaData> {
  const length = Math.min(source.sizeBytes, footerBytes);
  const tail = await source.read(source.sizeBytes - length, length, signal);
  const magic = new TextDecoder().decode(tail.subarray(-4));
  if (magic === 'PARE') throw new UnreadableFile('encrypted');
  if (tail.length < 12 || magic !== 'PAR1') throw new BadFormat('This is no Parquet file.');
  const size = new DataView(tail.buffer, tail.byteOffset).getUint32(tail.length - 8, true) + 8;
  if (size > maxMetadataBytes || size > source.sizeBytes) throw new BadFormat('The description is too long.');
  const footer = size <= tail.length ? tail : await source.read(source.sizeBytes - size, size, signal);
  if (structEnd(footer, footer.length - size) > footer.length - 8)
    throw new BadFormat('The description is longer than announced.');
  return parquetMetadata(footer, { geoparquet: false, parsers: noParsers });
}

interface Chunk {
  /** Identifies the chunk in the cache. */
  readonly id: string;
  readonly node: SchemaNode;
  readonly group: RowGroup;
  readonly cache: DecodedCache;
  readonly createdBy: string | undefined;
}

function pagesOf(
  source: RangeSource,
  chunks: readonly ColumnChunk[],
  { id, node, group, cache, createdBy }: Chunk,
): ColumnPages | ColumnProblem {
  if (chunks.some(({ crypto_metadata: crypto }) => crypto !== undefined)) return 'encrypted';
  // Leaves out columns that are stored in another file, since its location is unknown.
  const columns = chunks.flatMap(({ meta_data: chunk, file_path: filePath }) =>
    chunk === undefined || (filePath !== undefined && filePath !== '') ? [] : [chunk],
  );
  const [only] = columns;
  if (only === undefined || columns.length < node.leafCount) return 'unreadable';
  if (node.shape === 'leaf' && node.repetition !== 'REPEATED')
    return columnPages({ source, leaf: node, chunk: only, createdBy }, cache, id);
  const unpackedBytes = sumOf(columns.map((chunk) => chunk.total_uncompressed_size));
  const packedBytes = sumOf(columns.map((chunk) => chunk.total_compressed_size));
  if (!(unpackedBytes <= maxNestedBytes && packedBytes <= maxNestedBytes) || group.rows > maxNestedRows)
    return 'too-large';
  const leaves = leavesOf(node);
  return {
    partAt: async (_row, signal) =>
      await cache.get(id, unpackedBytes * 4, async () => {
        const values = [];
        for (const [at, leaf] of leaves.entries()) {
          const chunk = columns[at];
          if (chunk === undefined) throw new BadFormat('A column is missing in a row group.');
          values.push(await leafValues({ source, leaf, chunk, createdBy }, signal));
        }
        return { firstRow: 0, rowCount: group.rows, valueAt: rowAssembler(node, values) };
      }),
  };
}

function leavesOf(node: SchemaNode): readonly SchemaNode[] {
  return node.children.length === 0 ? [node] : node.children.flatMap(leavesOf);
}

function typeOf(node: SchemaNode): Pick<ColumnarColumn, 'type' | 'isNumeric'> {
  if (node.repetition === 'REPEATED') return { type: 'list', isNumeric: false };
  if (node.shape !== 'leaf') return { type: node.shape, isNumeric: false };
  try {
    const { text, isNumeric } = leafType(node.element);
    return { type: text, isNumeric };
  } catch {
    // Shows the column, although each of its row groups reports that it cannot be read.
    return { type: '?', isNumeric: false };
  }
}

function sumOf(sizes: readonly bigint[]): number {
  return sizes.reduce((total, size) => total + Number(size), 0);
}
