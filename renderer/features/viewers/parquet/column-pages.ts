import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert } from 'hyparquet/src/convert.js';
import type { ColumnDecoder, ColumnMetaData, DecodedArray } from 'hyparquet/src/types.js';
import { BadFormat } from '../archive/archive.ts';
import type { RangeSource } from '../frame/range-source.ts';

/** Writers make pages of a megabyte; larger ones are not believed, and would all have to be in memory. */
export const mostPageBytes = 64_000_000;
const mostPageValues = 4_000_000;
/** Headers are some dozens of bytes; with statistics of long strings they are longer. */
const headerBytes = 16 * 1024;
/** With the header as much of the page comes as the next request would cost anyway. */
const firstBytes = 64 * 1024;
const keptPages = 16;

/** Some rows of a column, one after the other. */
export interface ColumnPart {
  /** Within the row group. */
  readonly firstRow: number;
  readonly values: DecodedArray;
}

/** The pages of one column in one row group, found from the first on, as far as somebody has asked. */
export interface ColumnPages {
  /** The page with this row; null behind the last one. */
  readonly partAt: (row: number, signal: AbortSignal) => Promise<ColumnPart | null>;
}

interface Page {
  readonly offset: number;
  readonly bytes: number;
  readonly firstRow: number;
  readonly rows: number;
}

/** Only for columns without repetition and without structure: there a value is a row. */
export function columnPages(source: RangeSource, chunk: ColumnMetaData, decoder: ColumnDecoder): ColumnPages {
  const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
  const end = start + Number(chunk.total_compressed_size);
  const pages: Page[] = [];
  const kept = new Map<Page, Promise<ColumnPart>>();
  let dictionary: DecodedArray | undefined;
  let place = start;

  const decode = async (page: { readonly offset: number; readonly bytes: number }, signal: AbortSignal) => {
    const bytes = await source.read(page.offset, page.bytes, signal);
    if (bytes.length < page.bytes) throw new BadFormat('A page ends behind the file.');
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
    const header = parquetHeader(reader);
    return readPage(reader, header, decoder, dictionary, undefined, 0).data ?? [];
  };
  /** Looks at the next header; false: there is none. */
  const step = async (signal: AbortSignal): Promise<boolean> => {
    if (place >= end) return false;
    const { pageBytes, values, isDictionary } = await headerAt(source, place, end, signal);
    if (isDictionary)
      dictionary = convert(await decode({ offset: place, bytes: pageBytes }, signal), decoder);
    else if (values !== null) {
      const last = pages.at(-1);
      const firstRow = last === undefined ? 0 : last.firstRow + last.rows;
      pages.push({ offset: place, bytes: pageBytes, firstRow, rows: values });
    }
    place += pageBytes;
    return true;
  };
  let turn: Promise<unknown> = Promise.resolve();
  const find = async (row: number, signal: AbortSignal): Promise<Page | null> => {
    for (;;) {
      const found = pages.find((page) => row >= page.firstRow && row < page.firstRow + page.rows);
      if (found !== undefined) return found;
      if (!(await step(signal))) return null;
    }
  };
  return {
    partAt: async (row, signal) => {
      // One at a time: the place of a page is known from the one before.
      const look = async (): Promise<Page | null> => await find(row, signal);
      const found = turn.then(look, look);
      turn = found;
      const page = await found;
      if (page === null) return null;
      const before = kept.get(page);
      if (before !== undefined) return await before;
      const part = decode(page, signal).then((values) => ({ firstRow: page.firstRow, values }));
      kept.set(page, part);
      part.catch(() => kept.delete(page));
      for (const oldest of kept.keys()) {
        if (kept.size <= keptPages) break;
        kept.delete(oldest);
      }
      return await part;
    },
  };
}

interface Header {
  /** With the header. */
  readonly pageBytes: number;
  /** null: it holds none. */
  readonly values: number | null;
  readonly isDictionary: boolean;
}

async function headerAt(
  source: RangeSource,
  place: number,
  end: number,
  signal: AbortSignal,
): Promise<Header> {
  const bytes = await source.read(place, Math.min(firstBytes, end - place), signal);
  const reader = {
    view: new DataView(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, headerBytes)),
    offset: 0,
  };
  const header = parquetHeader(reader);
  const packed = header.compressed_page_size;
  const values = header.data_page_header?.num_values ?? header.data_page_header_v2?.num_values ?? null;
  const all = values ?? header.dictionary_page_header?.num_values ?? 0;
  if (!isSize(packed, mostPageBytes) || !isSize(header.uncompressed_page_size, mostPageBytes))
    throw new BadFormat('A page is too large.');
  if (!isSize(all, mostPageValues)) throw new BadFormat('A page has too many values.');
  const pageBytes = reader.offset + packed;
  if (place + pageBytes > end) throw new BadFormat('A page ends behind its column.');
  return { pageBytes, values, isDictionary: header.type === 'DICTIONARY_PAGE' };
}

function isSize(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}
