import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { openParquet, type ParquetFile } from '../../../../renderer/features/viewers/parquet/parquet-file.ts';
import { valueText } from '../../../../renderer/features/viewers/parquet/value-text.ts';
import { cachedSource, memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { readSparse } from '../../../support/sparse-file.ts';
import { sparseParquet, sparseRows } from '../../../support/sparse-parquet.ts';

const { signal } = new AbortController();
const rows = 2500;
const numbers = Array.from({ length: rows }, (_, row) => row * 3);
const words = numbers.map((value) => (value % 7 === 0 ? null : `word ${String(value % 10)}`));
const lists = numbers.map((value) => [value, value + 1]);
const days = numbers.map((value) => new Date(Date.UTC(2026, 0, 1) + value * 60_000));

type Codec = 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'ZSTD' | 'BROTLI';

function written(codec: Codec, rowGroupSize = 1000): Uint8Array<ArrayBuffer> {
  const compressors = {
    GZIP: (bytes: Uint8Array) => new Uint8Array(gzipSync(bytes)),
    ZSTD: (bytes: Uint8Array) => new Uint8Array(zstdCompressSync(bytes)),
    BROTLI: (bytes: Uint8Array) => new Uint8Array(brotliCompressSync(bytes)),
  };
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'number', data: numbers, type: 'INT32' },
      { name: 'word', data: words, type: 'STRING', nullable: true },
      { name: 'list', data: lists },
      { name: 'day', data: days, type: 'TIMESTAMP' },
    ],
    codec,
    compressors,
    rowGroupSize,
    pageSize: 700,
  });
  return new Uint8Array(buffer);
}

async function valuesOf(file: ParquetFile, column: number): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  while (values.length < file.rowCount) {
    const part = await file.partAt(column, values.length, signal);
    if (part === null) throw new Error('The column could not be read.');
    values.push(...Array.from(part.values as ArrayLike<unknown>).slice(values.length - part.firstRow));
  }
  return values;
}

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'] as const)(
  'every value of a file packed with %s is read, page by page',
  async (codec) => {
    const file = await openParquet(memorySource(written(codec)), signal);
    expect(file.rowCount).toBe(rows);
    expect(file.groups.map((group) => group.rows)).toEqual([1000, 1000, 500]);
    expect(file.columns.map(({ name }) => name)).toEqual(['number', 'word', 'list', 'day']);
    expect(await valuesOf(file, 0)).toEqual(numbers);
    expect((await valuesOf(file, 1)).map(valueText)).toEqual(words);
    expect(await valuesOf(file, 2)).toEqual(lists);
    expect(await valuesOf(file, 3)).toEqual(days);
  },
);

test('of a gigabyte, the first rows and a row far down cost a few requests', async () => {
  const sparse = sparseParquet();
  const source = cachedSource({
    sizeBytes: sparse.sizeBytes,
    etag: null,
    fetch: async (offset, length) =>
      await Promise.resolve(new Uint8Array(readSparse(sparse, offset, length))),
    stream: async () => await Promise.reject(new Error('Nothing is streamed.')),
  });
  const file = await openParquet(source, signal);
  expect(file.rowCount).toBe(sparseRows);
  for (const column of [0, 1, 2, 3]) expect((await file.partAt(column, 0, signal))?.values[0]).toBe(column);
  const far = await file.partAt(0, 30_000, signal);
  expect(far?.values[30_000 - far.firstRow]).toBe(300_000);
  expect(source.asked.requests).toBeLessThan(10);
  expect(source.asked.bytes).toBeLessThan(2_000_000);
});

test.each([
  ['nothing', ''],
  ['no mark', 'x'.repeat(100)],
  ['a description longer than the file', `${'x'.repeat(40)}\xff\xff\xff\x7fPAR1`],
  ['an encrypted file', `PARE${'x'.repeat(40)}PARE`],
] as const)('%s is refused', async (_, text) => {
  const bytes = new Uint8Array(Buffer.from(text, 'latin1'));
  await expect(openParquet(memorySource(bytes), signal)).rejects.toThrow(/Parquet|description/);
});

test('a file that is cut off or changed anywhere ends in values or in an error, and does not hang', async () => {
  const whole = written('SNAPPY', 2500);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.nat(3),
      async (changes, column) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const end = await openParquet(memorySource(bytes), signal)
          .then(async (file) => await file.partAt(column, 0, signal))
          .catch((thrown: unknown) => thrown);
        expect(end === null || typeof end === 'object').toBe(true);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test.each([
  [10n, '10'],
  [null, null],
  [new Date(Date.UTC(2026, 0, 2)), '2026-01-02'],
  [new Uint8Array([1, 255]), '0x01ff'],
  [{ a: [1n, null] }, '{"a":["1",null]}'],
  ['=HYPERLINK("x")', '=HYPERLINK("x")'],
] as const)('%o is shown as %j', (value, text) => {
  expect(valueText(value)).toBe(text);
});

test.each([
  ['repeated', [0xfe, 0xff, 0xff, 0xff, 0x0f]],
  ['packed', [0xff, 0xff, 0xff, 0x7f]],
])('a %s run that claims more values than its page has ends with the page', (_kind, header) => {
  const bytes = Uint8Array.from([...header, 1, ...Array<number>(40).fill(0)]);
  let writes = 0;
  const output = new Proxy(
    Array.from({ length: 8 }, () => 0),
    {
      set: (values, name, value) => {
        writes += 1;
        if (writes > 100) throw new Error('It goes on behind the end.');
        return Reflect.set(values, name, value);
      },
    },
  );
  readRleBitPackedHybrid({ view: new DataView(bytes.buffer), offset: 0 }, 1, output, bytes.length);
  expect(writes).toBe(8);
});
