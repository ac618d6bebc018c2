// oxlint-disable-next-line typescript/triple-slash-reference -- modules that are declared cannot be imported
/// <reference path="../packed/decoders.d.ts" />
import { decompress } from 'fzstd';
import type { Compressors } from 'hyparquet';
import { gunzip } from 'hyparquet-compressors/src/gzip.js';
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js';
import { unpackBrotli } from '../packed/brotli.ts';

/**
 * Codecs of pages besides Snappy. Each writes into a buffer of the size in the page's header, which is limited
 * (`maxPageBytes`).
 */
export const codecs: Compressors = {
  GZIP: (input, length) => gunzip(input, new Uint8Array(length)),
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
  BROTLI: (input, length) => unpackBrotli(input, length).bytes,
  LZ4: decompressLz4,
  LZ4_RAW: decompressLz4Raw,
};
