// oxlint-disable-next-line typescript/triple-slash-reference -- modules that are declared cannot be imported
/// <reference path="../libraries.d.ts" />
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { ColumnDecoder, ColumnMetaData, DecodedArray } from 'hyparquet/src/types.js';
import { decompress } from 'fzstd';
import type { Compressors } from 'hyparquet';
import { gunzip } from 'hyparquet-compressors/src/gzip.js';
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js';
import { BadFormat, viewOf } from '../frame/bytes.ts';
import type { RangeSource } from '../frame/range-source.ts';
import { unpackBrotli } from '../packed/brotli.ts';
import type { PageHeader } from './page-header.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * Codecs of pages besides Snappy. Each writes into a buffer of the size in the page's header, which is limited
 * (`maxPageBytes`).
 */
const codecs: Compressors = {
  GZIP: (input, length) => gunzip(input, new Uint8Array(length)),
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
  BROTLI: (input, length) => unpackBrotli(input, length).bytes,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};

/** The stored values of a page, before any conversion. */
export interface PageValues {
  /** The number of values, including nulls. */
  readonly count: number;
  /** Empty if every value is defined. */
  readonly definitions: ArrayLike<number>;
  /** Empty if every value begins a row. */
  readonly repetitions: ArrayLike<number>;
  /** Returns the stored value at a position among the defined values. Throws BadFormat if the position is out of range. */
  readonly rawAt: (position: number) => unknown;
}

/** A leaf in one row group. */
export interface LeafChunk {
  readonly source: RangeSource;
  readonly leaf: SchemaNode;
  readonly chunk: ColumnMetaData;
  /** The name and version of the program that wrote the file. */
  readonly createdBy: string | undefined;
}

/** The decoder of a leaf, with a known deviation of the program that wrote the file. */
export interface LeafDecoder extends ColumnDecoder {
  /** True if version 2 pages are compressed although their header says otherwise. */
  readonly isAlwaysCompressed: boolean;
}

const int96Bytes = 12;

/** Creates the decoder of a leaf. Hides the type's annotation from hyparquet, whose conversions lose digits. */
export function decoderOf({ leaf, chunk, createdBy }: LeafChunk): LeafDecoder {
  const { name } = leaf.element;
  if (leaf.element.type === undefined || leaf.element.type !== chunk.type)
    throw new BadFormat('A column is of another type than its schema.');
  // Reads the 96 bits as bytes, since hyparquet (1.31) loses the upper bits if the lower 64 are negative.
  const isInt96 = chunk.type === 'INT96';
  const type = isInt96 ? 'FIXED_LEN_BYTE_ARRAY' : chunk.type;
  const length = isInt96 ? int96Bytes : leaf.element.type_length;
  return {
    pathInSchema: chunk.path_in_schema,
    element: length === undefined ? { name, type } : { name, type, type_length: length },
    schemaPath: [...leaf.path],
    type,
    codec: chunk.codec,
    compressors: codecs,
    parsers: noParsers,
    // These versions mark compressed pages as uncompressed (apache/arrow ARROW-17100).
    isAlwaysCompressed: /^parquet-cpp(?:-arrow)? version [012]\./.test(createdBy ?? ''),
  };
}

const asStored = (value: unknown): unknown => value;

/** Conversions that change nothing. */
export const noParsers: ColumnDecoder['parsers'] = {
  timestampFromMilliseconds: asStored,
  timestampFromMicroseconds: asStored,
  timestampFromNanoseconds: asStored,
  dateFromDays: asStored,
  stringFromBytes: asStored,
  jsonFromBytes: asStored,
  geometryFromBytes: asStored,
  geographyFromBytes: asStored,
  uuidFromBytes: asStored,
};

/** Decodes a dictionary page. `bytes` are the bytes after its header. */
export function dictionaryOf(
  { parsed }: PageHeader,
  bytes: Uint8Array,
  decoder: ColumnDecoder,
): DecodedArray {
  const page = decompressPage(bytes, parsed.uncompressed_page_size, decoder.codec, decoder.compressors);
  const reader = { view: viewOf(page), offset: 0 };
  const count = parsed.dictionary_page_header?.num_values ?? 0;
  return readPlain(reader, decoder.type, count, decoder.element.type_length);
}

/** Decodes a data page. `bytes` are the bytes after its header. Throws BadFormat or the decoder's errors. */
export function pageValues(
  header: PageHeader,
  bytes: Uint8Array,
  decoder: LeafDecoder,
  dictionary: DecodedArray | null,
): PageValues {
  const { parsed, values: count } = header;
  const { definitionLevels, repetitionLevels, dataPage } = decoded(header, bytes, decoder);
  const encoding = (parsed.data_page_header ?? parsed.data_page_header_v2)?.encoding ?? 'PLAIN';
  const isCoded = encoding === 'PLAIN_DICTIONARY' || encoding === 'RLE_DICTIONARY';
  if (isCoded && dictionary === null && dataPage.length > 0)
    throw new BadFormat('A column lacks its dictionary.');
  return {
    count,
    definitions: definitionLevels ?? [],
    repetitions: repetitionLevels,
    rawAt: (position) => {
      const stored: unknown = dataPage[position];
      const raw: unknown = isCoded ? dictionary?.[Number(stored)] : stored;
      if (raw === undefined) throw new BadFormat('A page has fewer values than announced.');
      return raw;
    },
  };
}

function decoded({ parsed, unpackedBytes }: PageHeader, bytes: Uint8Array, decoder: LeafDecoder) {
  const { data_page_header: first, data_page_header_v2: second } = parsed;
  if (first !== undefined) {
    const page = decompressPage(bytes, unpackedBytes, decoder.codec, decoder.compressors);
    return readDataPage(page, first, decoder);
  }
  if (second === undefined) throw new BadFormat('A page has no header of its kind.');
  // A page of nulls stores only levels. Without this change, the decoder would look for values.
  const header =
    second.num_nulls === second.num_values
      ? { ...second, encoding: 'PLAIN' as const, is_compressed: false }
      : { ...second, is_compressed: second.is_compressed || decoder.isAlwaysCompressed };
  return readDataPageV2(bytes, { ...parsed, data_page_header_v2: header }, decoder);
}
