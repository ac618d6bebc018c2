import type { ColumnMetaData, DecodedArray } from 'hyparquet/src/types.js';
import { BadFormat } from '../frame/bytes.ts';
import type { ColumnPart } from '../columnar/columnar-file.ts';
import type { DecodedCache } from '../columnar/decoded-cache.ts';
import { leafType } from './leaf-type.ts';
import { pageHeader, type PageHeader } from './page-header.ts';
import { decoderOf, dictionaryOf, pageValues, type LeafChunk, type PageValues } from './page-values.ts';

/** Bytes read together with a header, since a smaller request would cost as much. */
const firstBytes = 64 * 1024;
/** Estimated memory for a value in addition to its bytes. */
const valueBytes = 16;

/** The pages of a column in a row group. Each page is located when it is first needed, in order. */
export interface ColumnPages {
  /** Returns the page with this row of the row group, or null after the last row. */
  readonly partAt: (row: number, signal: AbortSignal) => Promise<ColumnPart | null>;
}

interface Page {
  readonly offset: number;
  readonly header: PageHeader;
  readonly firstRow: number;
}

/** Returns where the pages of a column chunk begin. Without a dictionary, some writers store 0 as its offset. */
export function chunkStart({
  dictionary_page_offset: dictionary,
  data_page_offset: data,
}: ColumnMetaData): number {
  const dataAt = Number(data);
  const dictionaryAt = Number(dictionary ?? 0);
  return dictionaryAt > 0 && dictionaryAt < dataAt ? dictionaryAt : dataAt;
}

/** Bytes allowed beyond a chunk's size, since old writers did not count the dictionary's header (PARQUET-816). */
const uncountedBytes = 100;

/** Returns the highest number of bytes that may belong to a column chunk, from its start. */
export function chunkBytes({ source, chunk }: LeafChunk): number {
  const rest = Math.max(0, source.sizeBytes - chunkStart(chunk));
  return Math.min(Number(chunk.total_compressed_size) + uncountedBytes, rest);
}

/** Reads a column without repetition or structure. Each value is a row. `id`: of the column chunk, in the cache. */
export function columnPages(from: LeafChunk, cache: DecodedCache, id: string): ColumnPages {
  const { source, leaf, chunk } = from;
  const start = chunkStart(chunk);
  const end = start + chunkBytes(from);
  const rowCount = Number(chunk.num_values);
  const decoder = decoderOf(from);
  const { valueOf } = leafType(leaf.element);
  const typeBytes = leaf.element.type_length ?? 1;
  const pages: Page[] = [];
  let dictionaryPage: Page | null = null;
  let nextOffset = start;
  let rows = 0;
  let head: { readonly offset: number; readonly bytes: Uint8Array<ArrayBuffer> } | null = null;

  const bodyOf = async ({ offset, header }: Page, signal: AbortSignal): Promise<Uint8Array> => {
    const bytes = await source.read(offset, header.pageBytes, signal);
    if (bytes.length < header.pageBytes) throw new BadFormat('A page ends after the file.');
    return bytes.subarray(header.headerBytes);
  };
  const readCached = async <T>(page: Page, make: () => Promise<T>): Promise<T> =>
    await cache.get(
      `${id} ${String(page.offset)}`,
      page.header.unpackedBytes + page.header.values * valueBytes,
      make,
    );
  const dictionary = async (signal: AbortSignal): Promise<DecodedArray | null> => {
    const page = dictionaryPage;
    if (page === null) return null;
    return await readCached(page, async () => dictionaryOf(page.header, await bodyOf(page, signal), decoder));
  };
  /** Returns bytes at `nextOffset`. Reuses the last read if a header fits into its rest. */
  const headBytes = async (signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> => {
    const readLength = Math.min(firstBytes, end - nextOffset);
    const left = head === null ? undefined : head.bytes.subarray(nextOffset - head.offset);
    if (left !== undefined && left.length >= Math.min(readLength, firstBytes / 4)) return left;
    const bytes = await source.read(nextOffset, readLength, signal);
    head = { offset: nextOffset, bytes };
    return bytes;
  };
  /** Reads the next header. Returns false at the end. */
  const step = async (signal: AbortSignal): Promise<boolean> => {
    if (nextOffset >= end || rows >= rowCount) return false;
    const header = pageHeader(await headBytes(signal), 0, end - nextOffset, typeBytes);
    const page = { offset: nextOffset, header, firstRow: rows };
    if (header.kind === 'dictionary') dictionaryPage = page;
    else if (header.kind === 'data' && header.values > 0) {
      pages.push(page);
      rows += header.values;
    }
    nextOffset += header.pageBytes;
    return true;
  };
  const find = async (row: number, signal: AbortSignal): Promise<Page | null> => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- step changes it
    while (row >= rows) if (!(await step(signal))) return null;
    return pages.findLast(({ firstRow }) => firstRow <= row) ?? null;
  };
  let lastSearch: Promise<unknown> = Promise.resolve();
  return {
    partAt: async (row, signal) => {
      // Searches one at a time, since a page begins where the previous page ends.
      const search = async (): Promise<Page | null> => await find(row, signal);
      const found = lastSearch.then(search, search);
      lastSearch = found;
      const page = await found;
      if (page === null) return null;
      const dictionaryValues = await dictionary(signal);
      const { values, positions } = await readCached(page, async () => {
        const decoded = pageValues(page.header, await bodyOf(page, signal), decoder, dictionaryValues);
        return { values: decoded, positions: positionsOf(decoded) };
      });
      return {
        firstRow: page.firstRow,
        rowCount: values.count,
        valueAt: (index) => {
          const position = positions === null ? index : (positions[index] ?? -1);
          return position < 0 ? null : valueOf(values.rawAt(position));
        },
      };
    },
  };
}

/** Returns the index of each row's value among the defined values, or -1 for null. Returns null if every row has a value. */
function positionsOf({ count, definitions }: PageValues): Int32Array | null {
  if (definitions.length === 0) return null;
  const positions = new Int32Array(count);
  let defined = 0;
  for (let row = 0; row < count; row += 1) {
    const isDefined = definitions[row] === 1;
    positions[row] = isDefined ? defined : -1;
    if (isDefined) defined += 1;
  }
  return positions;
}
