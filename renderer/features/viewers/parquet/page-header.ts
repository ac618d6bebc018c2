import { parquetHeader } from 'hyparquet/src/column.js';
import type { PageHeader as ParsedHeader } from 'hyparquet/src/types.js';
import { BadFormat } from '../frame/bytes.ts';

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
    throw new BadFormat('The counts of a page contradict each other.');
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

/** Limit of nesting. Valid Parquet metadata is some eight levels deep. */
const deepest = 32;
const longestNumberBytes = 10;

/**
 * Skips a structure in Thrift's compact protocol and returns its end. Throws BadFormat if a list claims more elements than bytes
 * remain, since the decoder would allocate the list before reading it.
 */
export function structEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new BadFormat('A structure ends too early.');
    at += 1;
    return value;
  };
  const number = (): number => {
    let value = 0;
    for (let length = 0; length < longestNumberBytes; length += 1) {
      const next = byte();
      value += (next & 0x7f) * 2 ** (7 * length);
      if (next < 0x80) return value;
    }
    throw new BadFormat('A number is too long.');
  };
  const skip = (length: number): void => {
    if (length > bytes.length - at) throw new BadFormat('A structure has fewer bytes than announced.');
    at += length;
  };
  const element = (type: number, depth: number, isInList: boolean): void => {
    if (depth > deepest) throw new BadFormat('A structure is nested too deeply.');
    switch (type) {
      case 1:
      case 2:
        // A boolean takes a byte in a list. In a structure, its type is its value.
        if (isInList) skip(1);
        break;
      case 3:
        skip(1);
        break;
      case 4:
      case 5:
      case 6:
        number();
        break;
      case 7:
        skip(8);
        break;
      case 8:
        skip(number());
        break;
      case 9: {
        const head = byte();
        const size = head >> 4 === 15 ? number() : head >> 4;
        if (size > bytes.length - at) throw new BadFormat('A list has fewer elements than announced.');
        for (let index = 0; index < size; index += 1) element(head & 15, depth + 1, true);
        break;
      }
      case 12:
        struct(depth + 1);
        break;
      default:
        throw new BadFormat('A structure has a field of an unknown kind.');
    }
  };
  const struct = (depth: number): void => {
    for (;;) {
      const head = byte();
      if ((head & 15) === 0) return;
      if (head >> 4 === 0) number();
      element(head & 15, depth, false);
    }
  };
  struct(0);
  return at;
}
