import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ColumnarFile } from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import { maxValueTextLength, valueText } from '../../../../renderer/features/viewers/columnar/value-text.ts';
import { openParquet } from '../../../../renderer/features/viewers/parquet/parquet-file.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { sampleOf } from '../../../support/sample.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const { signal } = new AbortController();

/** DuckDB expressions per column: the values for row `i`, and the expected text if it differs from a cast to VARCHAR. */
const columns: Readonly<Record<string, readonly [values: string, text?: string]>> = {
  bool: ['i % 3 = 0'],
  int8: ['(i % 256 - 128)::TINYINT'],
  uint8: ['(i % 256)::UTINYINT'],
  int16: ['(i * 31 - 32768)::SMALLINT'],
  uint16: ['(65535 - i)::USMALLINT'],
  int32: ['(i * 7919 - 2147483648)::INTEGER'],
  uint32: ['(4294967295 - i * 13)::UINTEGER'],
  int64: ['(9223372036854775807 - i * 1000003)::BIGINT'],
  uint64: ['(18446744073709551615 - i)::UBIGINT'],
  float: ['(1.1 + i / 8)::FLOAT'],
  float_tiny: ['(1.1e-20 * (i + 1))::FLOAT'],
  double: ['0.1 + i / 3.0'],
  decimal4: ['((i % 199) / 10 - 9.9)::DECIMAL(4,1)'],
  decimal9: ['(-1234567.89 + i)::DECIMAL(9,2)'],
  decimal18: ['(99999999999999999.9 - i)::DECIMAL(18,1)'],
  decimal38: ['(12345678901234567890.1234567890 - i * 2)::DECIMAL(38,10)'],
  decimal38_whole: ['(99999999999999999999999999999999999999 - i)::DECIMAL(38,0)'],
  text: ["'wörd ' || (i % 17)"],
  text_unique: ["'a\"b\\' || chr((65 + i % 26)::INTEGER) || i"],
  json: [`('{"id":12345678901234567890,"a":1.0,"b":1,"b":' || i || '}')::JSON`],
  blob: ["('\\xDE\\xAD'::BLOB || ('b' || i)::BLOB)", "'0x' || lower(hex(blob))"],
  uuid: ["('00000000-0000-4000-8000-' || lpad(i::VARCHAR, 12, '0'))::UUID"],
  enum: ["(['red', 'green', 'blue'])[1 + i % 3]::ENUM('red', 'green', 'blue')"],
  date: ["DATE '0001-01-01' + (i * 9999)::INTEGER"],
  time: ["TIME '07:08:09.123456' + to_microseconds(i)", "rpad(time::VARCHAR, 15, '0')"],
  timestamp: [
    "TIMESTAMP '1969-12-31 23:59:59.000001' + to_microseconds(i * 77777)",
    "strftime(timestamp, '%Y-%m-%dT%H:%M:%S.%f')",
  ],
  timestamp_old: [
    "TIMESTAMP '1582-10-04 00:00:00' - to_microseconds(i)",
    "strftime(timestamp_old, '%Y-%m-%dT%H:%M:%S.%f')",
  ],
  timestamp_ms: [
    'make_timestamp(i * 1000 - 500000)::TIMESTAMP_MS',
    "strftime(timestamp_ms, '%Y-%m-%dT%H:%M:%S.%g')",
  ],
  timestamp_ns: ['make_timestamp_ns(i - 200)', "strftime(timestamp_ns, '%Y-%m-%dT%H:%M:%S.%n')"],
  timestamp_utc: [
    'make_timestamptz(i * 3599999999)',
    "strftime(timestamp_utc::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%f') || 'Z'",
  ],
  list: ['[i, NULL, i + 1][:i % 4]', 'to_json(list)'],
  list_of_lists: ["[[i::VARCHAR], [], NULL, ['x', NULL]][:i % 5]", 'to_json(list_of_lists)'],
  list_of_decimals: [
    '[(i / 100)::DECIMAL(9,2), 0.10]',
    "'[' || list_of_decimals[1] || ',' || list_of_decimals[2] || ']'",
  ],
  structure: [
    `{'__proto__': i, 'a': CASE WHEN i % 2 = 0 THEN 'x' END, 'inner': CASE WHEN i % 3 > 0 THEN {'b': [i]} END}`,
    'to_json(structure)',
  ],
  list_of_structures: [
    "[{'k': i, 'v': [i][:i % 2]}, {'k': NULL, 'v': NULL}][:i % 3]",
    'to_json(list_of_structures)',
  ],
  map: ["MAP {'first': i, 'second': NULL}", 'to_json(map)'],
};

const codecs = ['uncompressed', 'snappy', 'gzip', 'zstd', 'brotli', 'lz4_raw'] as const;
/** Parquet encodings and DuckDB's options for them. Version 2 adds delta, length and byte-stream encodings. */
const encodings = [
  ['dictionaries', 'PARQUET_VERSION v1'],
  ['plain values', 'PARQUET_VERSION v1, DICTIONARY_SIZE_LIMIT 0'],
  ['deltas and split streams', 'PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 0'],
] as const;
const forms = codecs.flatMap((codec) => encodings.map(([name, options]) => ({ codec, name, options })));

let connection: DuckDBConnection;

beforeAll(async () => {
  const database = await DuckDBInstance.create(':memory:');
  connection = await database.connect();
  const names = Object.entries(columns).map(([name, [values]]) => `${values} AS "${name}"`);
  await connection.run(`CREATE TABLE stored AS SELECT ${names.join(', ')} FROM range(400) AS rows(i)`);
  // Sets nulls in every column, in different rows.
  for (const [at, name] of Object.keys(columns).entries())
    await connection.run(`UPDATE stored SET "${name}" = NULL WHERE rowid % 7 = ${String(at % 7)}`);
});

afterAll(() => {
  connection.closeSync();
});

async function textsOf(file: ColumnarFile, column: number): Promise<readonly (string | null)[]> {
  const texts: (string | null)[] = [];
  while (texts.length < file.description.rowCount) {
    const part = await file.partAt(column, texts.length, signal);
    if (part === null || typeof part === 'string') throw new Error(`Not read: ${String(part)}.`);
    for (let at = texts.length - part.firstRow; at < part.rowCount; at += 1)
      texts.push(valueText(part.valueAt(at, maxValueTextLength)));
  }
  return texts;
}

test.each(sampleOf(forms, 6))(
  'the viewer shows every type as DuckDB reads it in $name, compressed with $codec',
  async ({ codec, options }) => {
    const target = path.join(tempDir(), 'stored.parquet');
    await connection.run(`COPY stored TO '${target}' (FORMAT parquet, CODEC '${codec}', ${options})`);
    const file = await openParquet(memorySource(new Uint8Array(await readFile(target))), signal);
    const names = Object.keys(columns);
    const texts = Object.entries(columns).map(([name, [, text = `"${name}"`]]) => `(${text})::VARCHAR`);
    const reader = await connection.runAndReadAll(`SELECT ${texts.join(', ')} FROM '${target}'`);
    const expected = reader.getColumns();
    expect(file.description.columns.map(({ name }) => name)).toEqual(names);
    for (const [column, name] of names.entries())
      expect({ name, texts: await textsOf(file, column) }).toEqual({ name, texts: expected[column] });
  },
);

test('the viewer shows intervals with separate months, days and microseconds', async () => {
  const target = path.join(tempDir(), 'intervals.parquet');
  await connection.run(`COPY (
    SELECT unnest([INTERVAL 14 MONTH, INTERVAL 3 DAY, INTERVAL 1500 MILLISECOND, INTERVAL 0 DAY, NULL,
      INTERVAL 1 MONTH + INTERVAL 2 DAY + INTERVAL 3600 SECOND]) AS length
  ) TO '${target}' (FORMAT parquet)`);
  const file = await openParquet(memorySource(new Uint8Array(await readFile(target))), signal);
  expect(await textsOf(file, 0)).toEqual(['P14M', 'P3D', 'PT1.5S', 'PT0S', null, 'P1M2DT3600S']);
});

test('the viewer shows variants with all digits, stored as bytes or in columns', async () => {
  const target = path.join(tempDir(), 'variants.parquet');
  await connection.run(`COPY (
    SELECT {'id': 9007199254740993, 'price': 19.99::DECIMAL(9,2), 'tags': ['a', NULL]}::VARIANT AS same,
      unnest([42::VARIANT, 'text'::VARIANT, 9876543210.123456789::DECIMAL(38,9)::VARIANT, NULL,
        TIMESTAMP '1969-12-31 23:59:59.999999'::VARIANT, true::VARIANT]) AS mixed
  ) TO '${target}' (FORMAT parquet)`);
  const file = await openParquet(memorySource(new Uint8Array(await readFile(target))), signal);
  expect(new Set(await textsOf(file, 0))).toEqual(
    new Set(['{"id":9007199254740993,"price":19.99,"tags":["a",null]}']),
  );
  expect(await textsOf(file, 1)).toEqual([
    '42',
    'text',
    '9876543210.123456789',
    null,
    '1969-12-31T23:59:59.999999',
    'true',
  ]);
});
