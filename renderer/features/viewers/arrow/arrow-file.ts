import { BadFormat } from '../frame/bytes.ts';
import {
  type ColumnarFile,
  type ColumnPart,
  groupWith,
  plainDescription,
  type RowGroup,
} from '../columnar/columnar-file.ts';
import { decodedCache } from '../columnar/decoded-cache.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { type ArrowField, type ArrowType, typeName } from './arrow-type.ts';
import {
  type ArrowBatchPlace,
  batchStart,
  columnData,
  type ColumnData,
  dictionariesOf,
  placeBehind,
} from './column-data.ts';
import { type ArrowContents, contentsOf, type PlacedBatch } from './arrow-contents.ts';
import type { BatchHeader } from './message.ts';
import { valueAt } from './read-value.ts';

/** A range of rows of a column in a batch, in the form of a smaller batch. */
interface RowSlice {
  readonly header: BatchHeader;
  readonly place: ArrowBatchPlace;
  /** Counted from the start of the batch. */
  readonly firstRow: number;
}

const rowsPerSlice = 65_536;

/**
 * Returns the rows around `row`: a slice if the column's values are uncompressed and of fixed length, otherwise the whole
 * batch.
 */
function arrowRowsOf(type: ArrowType, header: BatchHeader, place: ArrowBatchPlace, row: number): RowSlice {
  const width = header.codec === null ? widthOf(type) : null;
  const validity = header.buffers[place.buffer];
  const values = header.buffers[place.buffer + 1];
  if (width === null || validity === undefined || values === undefined || header.rows <= rowsPerSlice)
    return { header, place, firstRow: 0 };
  const firstRow = row - (row % rowsPerSlice);
  const rows = Math.min(rowsPerSlice, header.rows - firstRow);
  const bits = { offset: validity.offset + firstRow / 8, length: Math.ceil(rows / 8) };
  const part = { offset: values.offset + firstRow * width, length: rows * width };
  const lacksBits = validity.length > 0 && firstRow / 8 + bits.length > validity.length;
  if (lacksBits || (firstRow + rows) * width > values.length)
    throw new BadFormat('A column has fewer values than announced.');
  return {
    header: { ...header, rows, nodes: [rows], buffers: [validity.length === 0 ? validity : bits, part] },
    place: batchStart,
    firstRow,
  };
}

/** Returns the number of bytes per value, or null if values vary in length or are not whole bytes. */
function widthOf(type: ArrowType): number | null {
  switch (type.kind) {
    case 'int':
    case 'float':
      return type.bits / 8;
    case 'decimal':
      return type.bytes;
    case 'date':
      return type.isDays ? 4 : 8;
    case 'time':
      return type.isLong ? 8 : 4;
    case 'timestamp':
    case 'duration':
      return 8;
    case 'interval':
      return { months: 4, days: 8, nanoseconds: 16 }[type.of];
    default:
      return null;
  }
}

/** Limit of a column in one batch, which is read whole unless its values have a fixed length. Larger columns are not shown. */
const maxColumnBytes = 64 * 1024 * 1024;
const maxCachedBytes = 200_000_000;
/** Estimated growth of compressed buffers, used to limit the cache. */
const growth = 4;
const rowsAtOnce = 128;

/** Reads the description of an Arrow file (Feather) or stream. Throws BadFormat, or RangeError for offsets outside the file. */
export async function openArrow(source: RangeSource, signal: AbortSignal): Promise<ColumnarFile> {
  const contents = await contentsOf(source, signal);
  const groups: RowGroup[] = [];
  let rowCount = 0;
  for (const { header, bodyBytes } of contents.batches) {
    groups.push({ firstRow: rowCount, rows: header.rows, packedBytes: bodyBytes });
    rowCount += header.rows;
    if (!Number.isSafeInteger(rowCount)) throw new BadFormat('There are impossibly many rows.');
  }
  const codecs = new Set(contents.batches.flatMap(({ header }) => header.codec?.toUpperCase() ?? []));
  const read = columnReader(source, contents);
  return {
    description: {
      ...plainDescription,
      columns: contents.fields.map(({ name, type }) => ({
        name,
        type: typeName(type),
        isNumeric: type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal',
      })),
      groups,
      rowCount,
      shownBytes: contents.shownBytes,
      codecs: [...codecs],
    },
    partAt: async (column, row, using) => {
      const at = groupWith(groups, row);
      const group = groups[at];
      const batch = contents.batches[at];
      const field = contents.fields[column];
      if (group === undefined || batch === undefined || field === undefined) return null;
      const part = await read(field, column, batch, row - group.firstRow, using);
      return part === null ? 'too-large' : { ...part, firstRow: group.firstRow + part.firstRow };
    },
  };
}

type ReadColumn = (
  field: ArrowField,
  column: number,
  batch: PlacedBatch,
  row: number,
  signal: AbortSignal,
) => Promise<ColumnPart | null>;

function columnReader(source: RangeSource, contents: ArrowContents): ReadColumn {
  const cache = decodedCache(maxCachedBytes);

  const dictionary = async (
    id: number,
    type: ArrowType,
    before: number,
    inner: ReadonlyMap<number, readonly ColumnData[]>,
    signal: AbortSignal,
  ): Promise<readonly ColumnData[]> => {
    const all = (await contents.dictionaries(signal)).slice(0, before).filter((placed) => placed.id === id);
    const first = all.findLastIndex(({ isMore }) => !isMore);
    const parts = all.slice(Math.max(0, first));
    const bytes = parts.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
    if (bytes > maxColumnBytes) throw new BadFormat('A dictionary is too large.');
    const made: ColumnData[] = [];
    for (const part of parts) {
      const data = await cache.get(`dictionary ${String(part.bodyAt)}`, part.bodyBytes * growth, async () =>
        columnData(type, batchStart, {
          header: part.header,
          bytes: await source.read(part.bodyAt, part.bodyBytes, signal),
          start: 0,
          maxBytes: maxColumnBytes,
          dictionary: (dictionaryId) => inner.get(dictionaryId) ?? [],
        }),
      );
      made.push(data);
    }
    return made;
  };
  const dictionaries = async (type: ArrowType, before: number, signal: AbortSignal) => {
    const made = new Map<number, readonly ColumnData[]>();
    // A dictionary may refer to later dictionaries in the list, so the list is read from its end.
    for (const [id, values] of [...dictionariesOf(type)].toReversed())
      made.set(id, await dictionary(id, values, before, made, signal));
    return made;
  };
  const dataOf = async (
    type: ArrowType,
    { header, place }: RowSlice,
    buffers: BatchHeader['buffers'],
    batch: PlacedBatch,
    signal: AbortSignal,
  ): Promise<ColumnData | null> => {
    const regions = buffers.filter(({ length }) => length > 0);
    const start = Math.min(...regions.map(({ offset }) => offset));
    const end = Math.max(...regions.map(({ offset, length }) => offset + length));
    if (end - start > maxColumnBytes) return null;
    const found = await dictionaries(type, batch.dictionariesBefore, signal);
    const bytes =
      regions.length === 0 ? new Uint8Array() : await source.read(batch.bodyAt + start, end - start, signal);
    return columnData(type, place, {
      header,
      bytes,
      start: regions.length === 0 ? 0 : start,
      maxBytes: maxColumnBytes,
      dictionary: (id) => found.get(id) ?? [],
    });
  };
  return async (field, column, batch, row, signal) => {
    let place = batchStart;
    for (const { type } of contents.fields.slice(0, column)) place = placeBehind(type, place, batch.header);
    const slice = arrowRowsOf(field.type, batch.header, place, row);
    const { header, firstRow } = slice;
    const endPlace = placeBehind(field.type, slice.place, header);
    const buffers = header.buffers.slice(slice.place.buffer, endPlace.buffer);
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    const cost = bytes * (batch.header.codec === null ? 1 : growth);
    const cacheKey = [batch.bodyAt, column, firstRow].join(' ');
    const data = await cache.get(cacheKey, cost, async () =>
      dataOf(field.type, slice, buffers, batch, signal),
    );
    if (data === null) return null;
    const within = row - firstRow;
    const first = within - (within % rowsAtOnce);
    return {
      firstRow: firstRow + first,
      rowCount: Math.min(rowsAtOnce, header.rows - first),
      valueAt: (at, maxChars) => valueAt(data, first + at, maxChars),
    };
  };
}
