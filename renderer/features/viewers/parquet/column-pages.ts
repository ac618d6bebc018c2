import { readPage } from 'hyparquet/src/column.js';
import { convert } from 'hyparquet/src/convert.js';
import type { ColumnDecoder, ColumnMetaData, DecodedArray } from 'hyparquet/src/types.js';
import { BadFormat } from '../archive/archive.ts';
import type { ColumnPart } from '../columnar/columnar-file.ts';
import type { RangeSource } from '../frame/range-source.ts';
import type { DecodedCache } from '../columnar/decoded-cache.ts';
import { pageHeader, type PageHeader } from './page-header.ts';

/** With the header as much of the page comes as the next request would cost anyway. */
const firstBytes = 64 * 1024;
/** A value in memory, beside its bytes. */
const valueBytes = 16;

/** The pages of one column in one row group, found from the first on, as far as somebody has asked. */
export interface ColumnPages {
  /** The page with this row of the row group; null behind the last one. */
  readonly partAt: (row: number, signal: AbortSignal) => Promise<ColumnPart | null>;
}

interface Page {
  readonly offset: number;
  readonly header: PageHeader;
  readonly firstRow: number;
}

/** Only for columns without repetition and without structure: there a value is a row. */
export function columnPages(
  source: RangeSource,
  chunk: ColumnMetaData,
  decoder: ColumnDecoder,
  cache: DecodedCache,
): ColumnPages {
  const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
  const end = start + Number(chunk.total_compressed_size);
  const typeBytes = decoder.element.type_length ?? 1;
  const owner = {};
  const pages: Page[] = [];
  let dictionaryPage: Page | null = null;
  let place = start;
  let rows = 0;

  const decode = async (
    { offset, header }: Page,
    dictionary: DecodedArray | undefined,
    signal: AbortSignal,
  ) => {
    const bytes = await source.read(offset, header.pageBytes, signal);
    if (bytes.length < header.pageBytes) throw new BadFormat('A page ends behind the file.');
    const reader = {
      view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      offset: header.headerBytes,
    };
    return readPage(reader, header.parsed, decoder, dictionary, undefined, 0).data ?? [];
  };
  const kept = async <T>(page: Page, make: () => Promise<T>): Promise<T> =>
    await cache.get(owner, page.offset, page.header.unpackedBytes + page.header.values * valueBytes, make);
  const dictionaryOf = async (signal: AbortSignal): Promise<DecodedArray | undefined> => {
    const page = dictionaryPage;
    if (page === null) return undefined;
    return await kept(page, async () => convert(await decode(page, undefined, signal), decoder));
  };
  /** Looks at the next header; false: there is none. */
  const step = async (signal: AbortSignal): Promise<boolean> => {
    if (place >= end) return false;
    const bytes = await source.read(place, Math.min(firstBytes, end - place), signal);
    const header = pageHeader(bytes, 0, end - place, typeBytes);
    const page = { offset: place, header, firstRow: rows };
    if (header.kind === 'dictionary') dictionaryPage = page;
    else if (header.kind === 'data' && header.values > 0) {
      pages.push(page);
      rows += header.values;
    }
    place += header.pageBytes;
    return true;
  };
  const find = async (row: number, signal: AbortSignal): Promise<Page | null> => {
    for (;;) {
      if (row < rows) break;
      if (!(await step(signal))) return null;
    }
    return pages.findLast(({ firstRow }) => firstRow <= row) ?? null;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    partAt: async (row, signal) => {
      // One at a time: the place of a page is known from the one before.
      const look = async (): Promise<Page | null> => await find(row, signal);
      const found = turn.then(look, look);
      turn = found;
      const page = await found;
      if (page === null) return null;
      const dictionary = await dictionaryOf(signal);
      const values = await kept(page, async () => await decode(page, dictionary, signal));
      return { firstRow: page.firstRow, values };
    },
  };
}
