import { mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { ColumnarFile } from '../../../../renderer/features/viewers/columnar/columnar-file.ts';
import { maxValueTextLength, valueText } from '../../../../renderer/features/viewers/columnar/value-text.ts';
import { chooseViewer, viewerFactsOf } from '../../../../renderer/features/viewers/frame/viewer.ts';
import { viewers } from '../../../../renderer/features/viewers/registry.ts';
import { openSqlite } from '../../../../renderer/features/viewers/sqlite/sqlite-file.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const engine = new Uint8Array(
  readFileSync(createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm-browser.wasm')),
);
const { signal } = new AbortController();

function databaseOf(sql: string): Uint8Array<ArrayBuffer> {
  const file = path.join(mkdtempSync(path.join(tempDir(), 'sqlite-')), 'made.db');
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return new Uint8Array(readFileSync(file));
}

async function opened(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<ColumnarFile> {
  const copy = (): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
  const { tables } = (await openSqlite(copy(), { table: null, engine })).description;
  return await openSqlite(copy(), { table: tables.indexOf(name), engine });
}

async function textsOf(file: ColumnarFile, row: number): Promise<readonly (string | null)[]> {
  return await Promise.all(
    file.description.columns.map(async (_, column) => {
      const part = await file.partAt(column, row, signal);
      if (part === null || typeof part === 'string') throw new Error('The row is not shown.');
      return valueText(part.valueAt(row - part.firstRow, maxValueTextLength));
    }),
  );
}

test('each SQLite value is read by its stored type, whatever the column declares', async () => {
  const file = await opened(
    databaseOf(`CREATE TABLE tides (height INTEGER, place TEXT, "a ""b""" BLOB, level DOUBLE);
      INSERT INTO tides VALUES (9223372036854775807, 'Zoë', x'00ff', 0.1), (-1, 'a' || char(0) || 'b', NULL, 1e300),
        ('text', 12, 'blob', 9007199254740993)`),
    'tides',
  );
  const { columns, rowCount } = file.description;
  expect(columns).toEqual([
    { name: 'height', type: 'integer', isNumeric: true },
    { name: 'place', type: 'text', isNumeric: false },
    { name: 'a "b"', type: 'blob', isNumeric: false },
    { name: 'level', type: 'double', isNumeric: true },
  ]);
  expect(rowCount).toBe(3);
  expect(await textsOf(file, 0)).toEqual(['9223372036854775807', 'Zoë', '0x00ff', '0.1']);
  expect(await textsOf(file, 1)).toEqual(['-1', 'a\0b', null, '1e+300']);
  // The affinity of the columns turned 12 into text, and the last number into a double.
  expect(await textsOf(file, 2)).toEqual(['text', '12', 'blob', '9007199254740992']);
});

test.each(['UTF-8', 'UTF-16le', 'UTF-16be'])(
  'text of a SQLite database in %s is decoded',
  async (encoding) => {
    const file = await opened(
      databaseOf(`PRAGMA encoding = '${encoding}'; CREATE TABLE t (a); INSERT INTO t VALUES ('Ødegård 潮')`),
      't',
    );
    expect(await textsOf(file, 0)).toEqual(['Ødegård 潮']);
  },
);

test('SQLite tables and views are listed without internal ones, and rows beyond the first page are read', async () => {
  const bytes = databaseOf(`CREATE TABLE "a table" (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
    CREATE VIEW big AS SELECT id * 1000 AS large, name FROM "a table";
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
    INSERT INTO "a table" SELECT i, 'row ' || i FROM n`);
  const { tables } = (await openSqlite(new Uint8Array(bytes), { table: null, engine })).description;
  expect(tables).toEqual(['a table', 'big']);
  expect(await textsOf(await opened(bytes, 'a table'), 999)).toEqual(['1000', 'row 1000']);
  const view = await opened(bytes, 'big');
  expect(view.description.rowCount).toBe(1000);
  expect(await textsOf(view, 130)).toEqual(['131000', 'row 131']);
});

test('a SQLite database with a write-ahead log is read without it, with a note', async () => {
  const bytes = databaseOf('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  expect(bytes[18]).toBe(2);
  const file = await opened(bytes, 't');
  expect(file.description.usesLog).toBe(true);
  expect(await textsOf(file, 0)).toEqual(['1']);
});

test('a SQLite view that attaches, loads or needs endless memory returns no row', async () => {
  for (const select of [
    "load_extension('/tmp/evil.so')",
    "readfile('/etc/passwd')",
    "replace(hex(zeroblob(400000000)), '0', '0123456789')",
  ]) {
    const file = await openFirst(
      databaseOf(`CREATE TABLE t (a); INSERT INTO t VALUES (1);
      CREATE VIEW evil AS SELECT ${select} AS a FROM t`),
    ).catch((thrown: unknown) => thrown);
    if (file instanceof Error) continue;
    await expect((file as ColumnarFile).partAt(0, 0, signal)).rejects.toThrow(Error);
  }
});

/** Opens the second table of the file, which is the view `evil`. */
async function openFirst(bytes: Uint8Array<ArrayBuffer>): Promise<ColumnarFile> {
  return await openSqlite(bytes, { table: 1, engine });
}

test('bytes that are not a SQLite database, or a damaged one, are refused', async () => {
  const bytes = databaseOf('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  await expect(openSqlite(new Uint8Array(5000), { table: null, engine })).rejects.toThrow(Error);
  await expect(openSqlite(bytes.fill(0xff, 100), { table: null, engine })).rejects.toThrow(Error);
});

test('a SQLite database is recognised by its name and by its first bytes', () => {
  const head = databaseOf('CREATE TABLE t (a)').subarray(0, 4096);
  expect(chooseViewer(viewers, viewerFactsOf('tides.sqlite', null, null))?.id).toBe('sqlite');
  expect(chooseViewer(viewers, { ...viewerFactsOf('tides.db', null, null), head })?.id).toBe('sqlite');
});
