import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress as unpackZstd } from 'fzstd';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert } from 'hyparquet/src/convert.js';
import { getMaxDefinitionLevel } from 'hyparquet/src/schema.js';
import type { ColumnDecoder, Compressors, DecodedArray, PageHeader } from 'hyparquet/src/types.js';
import { compressors } from 'hyparquet-compressors';
import { deltaBinaryUnpack } from 'hyparquet/src/delta.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { DamagedReport } from './report-rows.ts';

/** Codecs that write at most the number of bytes in the page's header. Some codecs of the library ignore that limit. */
const codecs: Compressors = {
  ...compressors,
  GZIP: (input, length) => plain(gunzipSync(input, { maxOutputLength: Math.max(1, length) })),
  BROTLI: (input, length) => plain(brotliDecompressSync(input, { maxOutputLength: Math.max(1, length) })),
  ZSTD: (input, length) => unpackZstd(input, new Uint8Array(length)),
};

/** Converts a Buffer to a plain array, because the library expects that `slice` copies, but a Buffer's shares memory. */
function plain(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}

interface PageCounts {
  readonly isDictionary: boolean;
  readonly values: number;
  /** The number of nulls that the header of a version 2 page states; otherwise 0. */
  readonly nulls: number;
  readonly encoding: string;
}

/**
 * Reads a column of one row group. Checks each page before it is decompressed, and its runs before they are expanded, because a
 * few bytes may announce gigabytes. `count` gets the number of bytes before decompression and throws above a limit.
 */
export function readColumnPages(
  bytes: ArrayBuffer,
  column: Omit<ColumnDecoder, 'compressors'>,
  rows: number,
  count: (unpackedBytes: number) => void,
): unknown[] {
  const reader = { view: new DataView(bytes), offset: 0 };
  const values: unknown[] = [];
  let dictionary: DecodedArray | undefined;
  while (values.length < rows) {
    const header = parquetHeader(reader);
    const page = countsOf(header);
    const packedBytes = header.compressed_page_size;
    if (page === null) {
      reader.offset += packedBytes;
      continue;
    }
    checkPage(header, page, column, bytes.byteLength - reader.offset);
    if (!page.isDictionary && page.values > rows - values.length)
      throw new DamagedReport('a page has more values than rows');
    // The library looks for values even in a page that has none.
    if (page.nulls === page.values) {
      reader.offset += packedBytes;
      for (let at = 0; at < page.values; at += 1) values.push(null);
      continue;
    }
    count(header.uncompressed_page_size);
    count(page.values * (column.element.type_length ?? 1));
    const check = (body: Uint8Array): void => checkBody(body, header, page, column, count);
    const packed = new Uint8Array(bytes, reader.offset, packedBytes);
    if (getMaxDefinitionLevel(column.schemaPath) > 0)
      checkRuns(new DataView(bytes, reader.offset), 0, levelBytes(header), 1, page.values);
    const { data } = readPage(
      reader,
      header,
      { ...column, compressors: checkedCodecs(packed, header, column, check) },
      dictionary,
      undefined,
      0,
    );
    if (data?.length !== page.values) throw new DamagedReport('a page has fewer values than announced');
    if (page.isDictionary) dictionary = convert(data, column);
    else for (let at = 0; at < data.length; at += 1) values.push(data[at]);
  }
  return values;
}

/** Returns the numbers of values in a page; null for a page without values, such as an index. */
function countsOf({
  type,
  data_page_header: first,
  data_page_header_v2: second,
  dictionary_page_header: dictionary,
}: PageHeader): PageCounts | null {
  const isDictionary = type === 'DICTIONARY_PAGE';
  if (!isDictionary && type !== 'DATA_PAGE' && type !== 'DATA_PAGE_V2') return null;
  const typeHeader = isDictionary ? dictionary : type === 'DATA_PAGE' ? first : second;
  if (typeHeader === undefined) throw new DamagedReport('a page has no header of its kind');
  return {
    isDictionary,
    values: typeHeader.num_values,
    nulls: type === 'DATA_PAGE_V2' ? (second?.num_nulls ?? 0) : 0,
    encoding: typeHeader.encoding,
  };
}

function isCount(value: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= max;
}

function checkPage(
  { compressed_page_size: packed, uncompressed_page_size: unpacked, data_page_header_v2: second }: PageHeader,
  { values }: PageCounts,
  { codec }: Pick<ColumnDecoder, 'codec'>,
  leftBytes: number,
): void {
  const fitsSecond =
    second === undefined ||
    (isCount(second.num_nulls, values) &&
      isCount(second.repetition_levels_byte_length, 0) &&
      isCount(second.definition_levels_byte_length, Math.min(packed, unpacked)));
  const isSound =
    isCount(packed, leftBytes) &&
    isCount(unpacked, Number.MAX_SAFE_INTEGER) &&
    isCount(values, Number.MAX_SAFE_INTEGER) &&
    (codec !== 'UNCOMPRESSED' || packed === unpacked) &&
    fitsSecond;
  if (!isSound) throw new DamagedReport('the counts of a page contradict each other');
}

/** Returns the column's codec, extended by a check of the page body between decompression and decoding. */
function checkedCodecs(
  packed: Uint8Array,
  header: PageHeader,
  { codec }: Pick<ColumnDecoder, 'codec'>,
  check: (body: Uint8Array) => void,
): Compressors {
  const unpack = codecs[codec];
  const isPacked = codec !== 'UNCOMPRESSED' && header.data_page_header_v2?.is_compressed !== false;
  if (!isPacked) {
    check(packed.subarray(levelBytes(header)));
    return {};
  }
  if (unpack === undefined) return {};
  return {
    [codec]: (input: Uint8Array, length: number) => {
      const body = unpack(input, length);
      check(body);
      return body;
    },
  };
}

/** Returns the number of bytes for the levels that a version 2 page stores before its body. */
function levelBytes({ data_page_header_v2: second }: PageHeader): number {
  return second?.definition_levels_byte_length ?? 0;
}

function checkBody(
  body: Uint8Array,
  header: PageHeader,
  { isDictionary, values, nulls, encoding }: PageCounts,
  { schemaPath, type }: Pick<ColumnDecoder, 'schemaPath' | 'type'>,
  count: (unpackedBytes: number) => void,
): void {
  if (isDictionary) return;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  let defined = values - nulls;
  if (header.type === 'DATA_PAGE' && getMaxDefinitionLevel(schemaPath) > 0) {
    at = 4 + view.getUint32(0, true);
    checkRuns(view, 4, at, 1, values);
    defined = definedCount(view, values);
  }
  if (encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY')
    checkRuns(view, at + 1, body.byteLength, body[at] ?? 0, values);
  else if (encoding === 'RLE') checkRuns(view, at + (type === 'BOOLEAN' ? 4 : 0), body.byteLength, 1, values);
  else if (encoding === 'DELTA_BYTE_ARRAY') checkDeltas(view, at, defined, count);
}

/**
 * Throws DamagedReport if the runs between `from` and `to` expand to more values than the page has. The library expands runs
 * without checking their length. Source: Parquet's Encodings, "Run Length Encoding / Bit-Packing Hybrid".
 */
export function checkRuns(view: DataView, from: number, to: number, bitWidth: number, values: number): void {
  const reader = { view, offset: from };
  let valueCount = 0;
  while (valueCount < values && reader.offset < to) {
    const header = readVarInt(reader);
    const length = header >>> 1;
    if ((header & 1) === 1) {
      // Bit-packed values come in groups of eight; the last group is padded.
      valueCount += length * 8;
      reader.offset += length * bitWidth;
    } else {
      if (length > values - valueCount) throw new DamagedReport('a page repeats a value too often');
      valueCount += length;
      reader.offset += (bitWidth + 7) >> 3;
    }
  }
}

/** Returns how many values the definition levels at the start of a page define. Their runs have been checked. */
function definedCount(view: DataView, values: number): number {
  const levels = new Uint8Array(values);
  readRleBitPackedHybrid({ view, offset: 0 }, 1, levels);
  return levels.reduce((sum, level) => sum + level, 0);
}

/**
 * Counts the bytes of values that are stored as the difference from the previous value. Throws DamagedReport if a value repeats
 * more bytes than the previous one has.
 */
function checkDeltas(
  view: DataView,
  from: number,
  values: number,
  count: (unpackedBytes: number) => void,
): void {
  const reader = { view, offset: from };
  const sharedLengths = new Int32Array(values);
  deltaBinaryUnpack(reader, values, sharedLengths);
  const addedLengths = new Int32Array(values);
  deltaBinaryUnpack(reader, values, addedLengths);
  let previousLength = 0;
  for (let at = 0; at < values; at += 1) {
    const sharedBytes = sharedLengths[at] ?? 0;
    const length = sharedBytes + (addedLengths[at] ?? 0);
    if (sharedBytes < 0 || sharedBytes > previousLength || length < sharedBytes)
      throw new DamagedReport('a value shares more bytes with the previous value than that has');
    count(length);
    previousLength = length;
  }
}
