import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  Binary,
  Decimal,
  Field,
  Float32,
  Int32,
  List,
  Table,
  TimeMicrosecond,
  TimestampMicrosecond,
  vectorFromArray,
} from 'apache-arrow';
import { expect, test } from 'vitest';
import { openArrow } from '../../../../renderer/features/viewers/arrow/arrow-file.ts';
import type { ColumnarFile } from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import { maxValueTextLength, valueText } from '../../../../renderer/features/viewers/columnar/value-text.ts';
import { memorySource } from '../../../../renderer/features/viewers/frame/range-source.ts';
import { openParquet } from '../../../../renderer/features/viewers/parquet/parquet-file.ts';
import { csvCutter } from '../../../../renderer/features/viewers/table/csv.ts';
import { arrowBytes } from '../../../support/files/arrow-files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const { signal } = new AbortController();

async function firstRow(file: ColumnarFile): Promise<readonly (string | null)[]> {
  return await Promise.all(
    file.description.columns.map(async (_, column) => {
      const part = await file.partAt(column, 0, signal);
      if (part === null || typeof part === 'string') throw new Error('The column could not be read.');
      return valueText(part.valueAt(0, maxValueTextLength));
    }),
  );
}

test('a value reads the same from Parquet, Arrow, CSV and JSON', async () => {
  const target = path.join(tempDir(), 'row');
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  await connection.run(`CREATE TABLE one AS SELECT 19.99::DECIMAL(10,2) AS price, 1.1::FLOAT AS float, 7::INTEGER AS number,
    [1, NULL]::INTEGER[] AS list, TIMESTAMP '2024-05-06 07:08:09.123456' AS moment, TIME '07:08:09.123456' AS time,
    '\\x01\\xFF'::BLOB AS bytes`);
  await connection.run(`COPY one TO '${target}.parquet' (FORMAT parquet)`);
  await connection.run(
    `COPY (SELECT price, float, number FROM one) TO '${target}.csv' (FORMAT csv, HEADER false)`,
  );
  await connection.run(`COPY (SELECT price, number, list FROM one) TO '${target}.json' (FORMAT json)`);
  connection.closeSync();
  const table = new Table({
    price: vectorFromArray([Uint32Array.of(1999, 0, 0, 0)], new Decimal(2, 10)),
    float: vectorFromArray([1.1], new Float32()),
    number: vectorFromArray([7], new Int32()),
    list: vectorFromArray([[1, null]], new List(new Field('item', new Int32(), true))),
    moment: vectorFromArray([1_714_979_289_123.456], new TimestampMicrosecond()),
    time: vectorFromArray([25_689_123_456n], new TimeMicrosecond()),
    bytes: vectorFromArray([Uint8Array.of(1, 255)], new Binary()),
  });
  const texts = ['19.99', '1.1', '7', '[1,null]', '2024-05-06T07:08:09.123456', '07:08:09.123456', '0x01ff'];
  const parquet = memorySource(new Uint8Array(await readFile(`${target}.parquet`)));
  expect(await firstRow(await openParquet(parquet, signal))).toEqual(texts);
  expect(await firstRow(await openArrow(memorySource(arrowBytes(table, 'file')), signal))).toEqual(texts);
  const cutter = csvCutter(',');
  const rows = [...cutter.push(await readFile(`${target}.csv`, 'utf8')), ...cutter.end()];
  expect(rows).toEqual([texts.slice(0, 3)]);
  expect(await readFile(`${target}.json`, 'utf8')).toContain('"price":19.99,"number":7,"list":[1,null]');
});
