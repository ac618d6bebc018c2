import { parquetHeader } from 'hyparquet/src/column.js';
import type { PageHeader as ParsedHeader } from 'hyparquet/src/types.js';
import { BadFormat } from '../frame/bytes.ts';
import { structEnd } from './thrift-check.ts';

/** Limit of a page, which has to fit in memory. Writers usually make pages of a megabyte. */
const maxPageBytes = 64_000_000;
const maxPageValues = 4_000_000;
/** Limit of a header. Headers usually take some dozens of bytes, and more with statistics of long strings. */
const longestHeaderBytes = 16 * 1024;

/** The header of a page, with plausible sizes. */
export interface PageHeader {
  readonly kind: 'data' | 'dictionary' | 'other';
  readonly headerBytes: number;
  /** Size of the page, including its header. */
  readonly pageBytes: number;
  readonly unpackedBytes: number;
  readonly values: number;
  readonly parsed: ParsedHeader;
}

/** Reads the page header at `at`, in a column with `leftBytes` left. Throws BadFormat for implausible values. */
export function pageHeader(
  bytes: Uint8Array<ArrayBuffer>,
  at: number,
  leftBytes: number,
  typeBytes: number,
): PageHeader {
  const part = bytes.subarray(at, at + longestHeaderBytes);
  const headerBytes = structEnd(part, 0);
  const view = new DataView(part.buffer, part.byteOffset, headerBytes);
  const parsed = parquetHeader({ view, offset: 0 });
  const { compressed_page_size: packed, uncompressed_page_size: unpackedBytes } = parsed;
  if (!isUpTo(packed, maxPageBytes) || !isUpTo(unpackedBytes, maxPageBytes))
    throw new BadFormat('A page is too large.');
  const pageBytes = headerBytes + packed;
  if (pageBytes > leftBytes) throw new BadFormat('A page ends after its column.');
  const second = parsed.data_page_header_v2;
  const isData = parsed.type === 'DATA_PAGE' || parsed.type === 'DATA_PAGE_V2';
  const isDictionary = parsed.type === 'DICTIONARY_PAGE';
  const values =
    parsed.type === 'DATA_PAGE'
      ? parsed.data_page_header?.num_values
      : isDictionary
        ? parsed.dictionary_page_header?.num_values
        : isData
          ? second?.num_values
          : 0;
  if (values === undefined || !isUpTo(values, maxPageValues))
    throw new BadFormat('A page has too many values.');
  if (typeBytes > 1 && !isUpTo(values * typeBytes, maxPageBytes))
    throw new BadFormat('The values of a page are too long.');
  if (second !== undefined && !fitsSecond(second, values, unpackedBytes))
    throw new BadFormat('The numbers of a page contradict each other.');
  return {
    kind: isData ? 'data' : isDictionary ? 'dictionary' : 'other',
    headerBytes,
    pageBytes,
    unpackedBytes,
    values,
    parsed,
  };
}

type SecondHeader = NonNullable<ParsedHeader['data_page_header_v2']>;

function fitsSecond(header: SecondHeader, values: number, unpackedBytes: number): boolean {
  const { repetition_levels_byte_length: repetition, definition_levels_byte_length: definition } = header;
  return (
    isUpTo(header.num_nulls, values) &&
    isUpTo(header.num_rows, values) &&
    isUpTo(repetition, unpackedBytes) &&
    isUpTo(definition, unpackedBytes - repetition)
  );
}

function isUpTo(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}
