import { deltaByteArray } from 'hyparquet/src/delta.js';
import { readRleBitPackedHybrid } from 'hyparquet/src/encoding.js';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import type {
  ColumnarFile,
  ColumnPart,
} from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import { maxValueTextLength, valueText } from '../../../../renderer/features/viewers/columnar/value-text.ts';
import { decodedCache } from '../../../../renderer/features/viewers/columnar/decoded-cache.ts';
import { openParquet } from '../../../../renderer/features/viewers/parquet/parquet-file.ts';
import { structEnd } from '../../../../renderer/features/viewers/parquet/page-header.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { countedSource } from '../../../support/counted-source.ts';
import { readSparse } from '../../../support/files/sparse-file.ts';
import { sparseParquet, sparseRows } from '../../../support/files/sparse-parquet.ts';

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

async function textsOf(file: ColumnarFile, column: number): Promise<readonly (string | null)[]> {
  const texts: (string | null)[] = [];
  while (texts.length < file.description.rowCount) {
    const { firstRow, rowCount, valueAt } = await rowsAt(file, column, texts.length);
    for (let at = texts.length - firstRow; at < rowCount; at += 1)
      texts.push(valueText(valueAt(at, maxValueTextLength)));
  }
  return texts;
}

async function rowsAt(file: ColumnarFile, column: number, row: number): Promise<ColumnPart> {
  const part = await file.partAt(column, row, signal);
  if (part === null || typeof part === 'string')
    throw new Error(`The column could not be read: ${String(part)}.`);
  return part;
}

async function textAt(file: ColumnarFile, column: number, row: number): Promise<string | null> {
  const { firstRow, valueAt } = await rowsAt(file, column, row);
  return valueText(valueAt(row - firstRow, maxValueTextLength));
}

test.each(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'BROTLI'] as const)(
  'every value of a Parquet file compressed with %s is read page by page',
  async (codec) => {
    const file = await openParquet(memorySource(written(codec)), signal);
    const { description } = file;
    expect(description.rowCount).toBe(rows);
    expect(description.groups.map((group) => group.rows)).toEqual([1000, 1000, 500]);
    expect(description.columns.map(({ name }) => name)).toEqual(['number', 'word', 'list', 'day']);
    expect(await textsOf(file, 0)).toEqual(numbers.map(String));
    expect(await textsOf(file, 1)).toEqual(words);
    expect(await textsOf(file, 2)).toEqual(lists.map((list) => JSON.stringify(list)));
    expect(await textsOf(file, 3)).toEqual(days.map((day) => day.toISOString()));
  },
);

function nestedFile(rowCount: number): Uint8Array<ArrayBuffer> {
  const data = Array.from({ length: rowCount }, (_, row) =>
    row % 3 === 0 ? null : [row, row + 1, null].slice(0, row % 4),
  );
  const people = data.map((_, row) => ({ name: `p${String(row)}`, age: row }));
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'numbers', data },
      { name: 'person', data: people },
    ],
    schema: [
      { name: 'root', num_children: 2 },
      { name: 'numbers', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', type: 'INT32', repetition_type: 'OPTIONAL' },
      { name: 'person', repetition_type: 'REQUIRED', num_children: 2 },
      { name: 'name', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'age', type: 'INT32', repetition_type: 'REQUIRED' },
    ],
    rowGroupSize: 50,
    pageSize: 200,
  });
  return new Uint8Array(buffer);
}

test('Parquet lists and structs are read in every row group', async () => {
  const file = await openParquet(memorySource(nestedFile(120)), signal);
  const { columns } = file.description;
  expect(columns.map(({ name, type }) => `${name}: ${type}`)).toEqual(['numbers: list', 'person: struct']);
  const texts = await textsOf(file, 0);
  expect(texts.slice(0, 8)).toEqual([null, '[1]', '[2,3]', null, '[]', '[5]', null, '[7,8,null]']);
  expect(texts[119]).toBe('[119,120,null]');
  expect((await textsOf(file, 1))[77]).toBe('{"name":"p77","age":77}');
});

test('a Parquet list column whose pages exceed its size is refused', async () => {
  const bytes = nestedFile(120);
  // The header of the first page: its kind, then its size unpacked, a number of two bytes.
  expect([bytes[4], bytes[6]]).toEqual([0x15, 0x15]);
  const huge = Buffer.concat([
    bytes.subarray(0, 7),
    Uint8Array.from([0xfe, 0xff, 0xff, 0x7f]),
    bytes.subarray(9),
  ]);
  const file = await openParquet(memorySource(new Uint8Array(huge)), signal);
  await expect(file.partAt(0, 1, signal)).rejects.toThrow('A page is too large.');
});

test('the first and a distant row of a large Parquet file need a few requests', async () => {
  const sparse = sparseParquet();
  const { source, counts } = countedSource(sparse.sizeBytes, (offset, length) =>
    readSparse(sparse, offset, length),
  );
  const file = await openParquet(source, signal);
  expect(file.description.rowCount).toBe(sparseRows);
  for (const column of [0, 1, 2, 3]) expect(await textAt(file, column, 0)).toBe(String(column));
  expect(await textAt(file, 0, 30_000)).toBe('300000');
  expect(counts.requests).toBeLessThan(10);
  expect(counts.bytes).toBeLessThan(2_000_000);
});

test.each([
  ['nothing', ''],
  ['no magic bytes', 'x'.repeat(100)],
  ['metadata longer than the file', `${'x'.repeat(40)}\xff\xff\xff\x7fPAR1`],
] as const)('a Parquet file with %s is refused', async (_, text) => {
  const bytes = new Uint8Array(Buffer.from(text, 'latin1'));
  await expect(openParquet(memorySource(bytes), signal)).rejects.toThrow(/Parquet|description/);
});

test('an encrypted Parquet file is reported as encrypted', async () => {
  const bytes = new Uint8Array(Buffer.from(`PARE${'x'.repeat(40)}PARE`));
  await expect(openParquet(memorySource(bytes), signal)).rejects.toMatchObject({ problem: 'encrypted' });
});

test('a truncated or altered Parquet file ends in values or an error and does not hang', async () => {
  const whole = written('SNAPPY', 2500);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      fc.nat(3),
      async (changes, column) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const end = await openParquet(memorySource(bytes), signal)
          .then(async (file) => await textAt(file, column, 0))
          .catch((thrown: unknown) => thrown);
        expect(end === null || typeof end === 'string' || end instanceof Error).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test.each([
  ['repeated', [0xfe, 0xff, 0xff, 0xff, 0x0f]],
  ['packed', [0xff, 0xff, 0xff, 0x7f]],
])('a %s run longer than its page ends with the page', (_kind, header) => {
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

test.each([
  ['a list longer than the data', [0x19, 0xfc, 0xff, 0xff, 0xff, 0x0f, 0], 'fewer elements than announced'],
  ['endlessly nested lists', [0x19, ...Array<number>(60).fill(0x19), 0, 0], 'nested too deeply'],
  ['endlessly nested structs', [...Array<number>(60).fill(0x1c), 0], 'nested too deeply'],
  ['an endless number', [0x15, ...Array<number>(60).fill(0xff), 0], 'A number is too long'],
  ['text longer than the file', [0x18, 0xff, 0xff, 0x03, 0], 'fewer bytes than announced'],
  ['an unknown type', [0x1b, 0], 'a field of an unknown kind'],
  ['no end', [0x15, 2], 'ends too early'],
])('Parquet metadata with %s is refused before decoding', (_, bytes, message) => {
  expect(() => structEnd(Uint8Array.from(bytes), 0)).toThrow(message);
});

test('Parquet metadata ends where the decoder stops reading it', () => {
  const bytes = Uint8Array.from([0x15, 2, 0x19, 0x25, 2, 4, 0x1c, 0x11, 0, 0x28, 1, 65, 0, 99]);
  expect(structEnd(bytes, 0)).toBe(13);
});

test('decoded values are cached up to a size with LRU eviction, and failures are retried', async () => {
  const cache = decodedCache(100);
  const made: number[] = [];
  const get = async (name: number): Promise<number> =>
    await cache.get(String(name), 40, async () => {
      made.push(name);
      return await Promise.resolve(name);
    });
  for (const name of [1, 2, 1, 3, 1, 2]) expect(await get(name)).toBe(name);
  expect(made).toEqual([1, 2, 3, 2]);
  await expect(cache.get('9', 1, async () => await Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  );
  expect(await cache.get('9', 1, async () => await Promise.resolve('well'))).toBe('well');
});

test('a page of endlessly repeated prefixes is refused', () => {
  // Blocks of 128 numbers in four miniblocks. The prefix of each value is 100,000 bytes longer than the previous one, and no
  // suffix is added.
  const count = 100;
  const block = [0x80, 0x01, 4, count, 0];
  const growing = [0xc0, 0x9a, 0x0c, 0, 0, 0, 0];
  const bytes = Uint8Array.from([...block, ...growing, ...block, 0, 0, 0, 0, 0]);
  const output: Uint8Array[] = [];
  expect(() => {
    deltaByteArray({ view: new DataView(bytes.buffer), offset: 0 }, count, output);
  }).toThrow('too large');
});
