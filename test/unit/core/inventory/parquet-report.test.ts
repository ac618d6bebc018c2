import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetMetadata } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { ParquetReport } from '../../../../electron/core/inventory/rows/parquet-report.ts';
import { checkRuns } from '../../../../electron/core/inventory/rows/parquet-pages.ts';
import { DamagedReport, ReportRows } from '../../../../electron/core/inventory/rows/report-rows.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const columns = {
  bucket: 'bucket',
  key: 'key',
  size: 'size',
  isLatest: 'is_latest',
  isDeleteMarker: null,
  lastModified: null,
  etag: null,
  storageClass: null,
  owner: null,
};

async function read(bytes: Uint8Array): Promise<ReportRows> {
  const copy = Uint8Array.from(bytes);
  const rows = new ReportRows('b', '');
  const reader = new ParquetReport(
    {
      format: 'Parquet',
      isPacked: false,
      sourceBucket: 'b',
      prefix: '',
      fields: [],
      columns,
      sizeBytes: copy.byteLength,
      tail: copy,
    },
    rows,
  );
  for (let at = 0; at < copy.byteLength; at += 64 * 1024) await reader.add(copy.slice(at, at + 64 * 1024));
  await reader.finish();
  return rows;
}

type Encoding = 'PLAIN' | 'RLE_DICTIONARY' | 'DELTA_BYTE_ARRAY' | 'DELTA_LENGTH_BYTE_ARRAY';

const compressors = {
  GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
  ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)),
  BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliCompressSync(bytes)),
};

function written(
  keys: readonly string[],
  encoding: Encoding,
  codec: keyof typeof compressors | 'SNAPPY' | 'UNCOMPRESSED',
): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: 'bucket', data: keys.map(() => 'b'), type: 'STRING' },
        { name: 'key', data: [...keys], type: 'STRING', encoding },
        { name: 'size', data: keys.map(() => 3n), type: 'INT64' },
        { name: 'is_latest', data: keys.map(() => true), type: 'BOOLEAN', encoding: 'RLE' },
      ],
      codec,
      compressors,
      statistics: false,
      pageSize: 1e9,
    }),
  );
}

async function byDuckDb(rows: string, options: string): Promise<Uint8Array> {
  const file = path.join(tempDir(), 'data.parquet');
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(`COPY (${rows}) TO '${file}' (FORMAT parquet, ${options})`);
  connection.closeSync();
  return await readFile(file);
}

const rowsOf = (count: number, key: string, size = '7::BIGINT'): string =>
  `SELECT 'b' AS bucket, ${key} AS key, ${size} AS size, TRUE AS is_latest FROM range(${count}) t(i)`;

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'] as const)(
  'a Parquet report compressed by %s is read in every encoding of its keys',
  async (codec) => {
    const keys = Array.from({ length: 500 }, (_, at) => `photos/${at % 9}/${at}-ä.jpg`);
    for (const encoding of [
      'PLAIN',
      'RLE_DICTIONARY',
      'DELTA_BYTE_ARRAY',
      'DELTA_LENGTH_BYTE_ARRAY',
    ] as const)
      expect((await read(written(keys, encoding, codec))).counts).toMatchObject({
        keys: 500,
        sizeBytes: 1500,
      });
  },
);

test.each(['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'])(
  'a Parquet report written by DuckDB with %s is read, including rows without a size',
  async (codec) => {
    for (const version of ['V1', 'V2']) {
      const rows = rowsOf(3000, "'a/' || i", 'CASE WHEN i < 3000 THEN i END');
      const bytes = await byDuckDb(rows, `COMPRESSION ${codec}, PARQUET_VERSION ${version}`);
      expect((await read(bytes)).counts).toMatchObject({ keys: 3000, sizeBytes: (2999 * 3000) / 2 });
    }
  },
);

test('a small Parquet file of millions of equal rows is refused before a row is read', async () => {
  const bytes = await byDuckDb(rowsOf(3_000_000, "'same'"), 'COMPRESSION zstd, ROW_GROUP_SIZE 3000000');
  expect(bytes.byteLength).toBeLessThan(300_000);
  await expect(read(bytes)).rejects.toThrow(DamagedReport);
  await expect(read(bytes)).rejects.toThrow(/compressed bytes contain 3000000 rows/);
});

test.each(['ZSTD', 'GZIP', 'BROTLI'] as const)(
  'Parquet pages that %s expands far beyond a real report are refused before decompression',
  async (codec) => {
    const keys = Array.from({ length: 20 }, (_, at) => `${'a'.repeat(1024 * 1024)}${at}`);
    await expect(read(written(keys, 'PLAIN', codec))).rejects.toThrow(/expand to more than \d+/);
  },
);

test('Parquet keys that each repeat a long key before them are refused before they are expanded', async () => {
  const keys = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(1024 * 1024)}${at}`);
  const bytes = written(keys, 'DELTA_BYTE_ARRAY', 'UNCOMPRESSED');
  expect(bytes.byteLength).toBeLessThan(2 * 1024 * 1024);
  const packed = written(keys, 'DELTA_BYTE_ARRAY', 'ZSTD');
  await expect(read(packed)).rejects.toThrow(/expand to more than \d+/);
});

test.each([
  ['a level', 0],
  ['a value', 7],
])('a Parquet run that repeats %s more often than its page has rows is refused', async (_what, at) => {
  const keys = Array.from({ length: 100 }, (_, at) => `k${at}`);
  const bytes = written(keys, 'PLAIN', 'UNCOMPRESSED');
  const chunk = parquetMetadata(bytes.buffer as ArrayBuffer).row_groups[0]?.columns[3]?.meta_data;
  const reader = { view: new DataView(bytes.buffer), offset: Number(chunk?.data_page_offset) };
  parquetHeader(reader);
  // The definition levels (100 times 1), the length of the values, then the values (100 times true).
  expect([...bytes.subarray(reader.offset, reader.offset + 10)]).toEqual([200, 1, 1, 3, 0, 0, 0, 200, 1, 1]);
  reader.view.setUint8(reader.offset + at + 1, 0x7f);
  await expect(read(bytes)).rejects.toThrow('a page repeats a value too often');
});

const view = (...bytes: number[]): DataView => new DataView(Uint8Array.from(bytes).buffer);

test('Parquet runs are counted up to the values of their page, with a padded last group', () => {
  // Eight bit-packed values of one bit, then two equal ones.
  expect(() => checkRuns(view(0b11, 0xff, 4, 1), 0, 4, 1, 10)).not.toThrow();
  expect(() => checkRuns(view(0b11, 0xff), 0, 2, 1, 3)).not.toThrow();
  expect(() => checkRuns(view(6, 1), 0, 2, 1, 2)).toThrow(DamagedReport);
  expect(() => checkRuns(view(0xfe, 0xff, 0xff, 0xff, 0x0f, 1), 0, 6, 1, 2)).toThrow(DamagedReport);
});

test('a very regular Parquet report is read despite its dense rows', async () => {
  const bytes = await byDuckDb(rowsOf(400_000, "'backup/' || lpad(i::VARCHAR, 12, '0')"), 'COMPRESSION zstd');
  expect((await read(bytes)).counts.keys).toBe(400_000);
});
