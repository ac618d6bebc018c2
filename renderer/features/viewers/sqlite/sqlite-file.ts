// oxlint-disable-next-line typescript/triple-slash-reference -- ambient module declarations cannot be imported
/// <reference path="../libraries.d.ts" />
import load, { type Database, type SqlValue } from 'sql.js/dist/sql-wasm-browser.js';
import { BadFormat } from '../frame/bytes.ts';
import {
  type Value,
  type ColumnarFile,
  type ColumnPart,
  plainDescription,
  type TableDescription,
} from '../columnar/columnar-file.ts';
import { withMemoryLimit } from '../frame/wasm.ts';

/** Limits the engine's memory to 256 MiB, not including the file. */
const maxMemoryPages = 4096;
const rowsPerPage = 128;
const maxCachedPages = 4;
const maxTables = 1000;

/** Offsets in a database's header of the format versions for writing and reading. Both are 2 with a write-ahead log. */
const formatVersions = [18, 19] as const;
const withLog = 2;
const withoutLog = 1;

export interface SqliteChoice {
  /** The index of a table or view in the list of names. With null, only the names are read. */
  readonly table: number | null;
  /** The engine's WebAssembly. */
  readonly engine: Uint8Array;
}

/**
 * Opens a table of a database in memory, without ever writing. The schema cannot call functions with side effects, and the engine
 * has neither extensions nor a file system. Throws if the bytes are not a database.
 */
export async function openSqlite(
  bytes: Uint8Array<ArrayBuffer>,
  { table, engine }: SqliteChoice,
): Promise<ColumnarFile> {
  const usesLog = formatVersions.some((at) => bytes[at] === withLog);
  // Clears the mark for a write-ahead log, which this engine cannot open. Reads the main file without the log.
  if (usesLog) for (const at of formatVersions) bytes[at] = withoutLog;
  const library = await load({
    wasmBinary: withMemoryLimit(engine, maxMemoryPages),
    print: drop,
    printErr: drop,
  });
  const database = new library.Database(bytes);
  database.run('PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON');
  const tables = rowsOf(
    database,
    `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
     ORDER BY type, name LIMIT ${String(maxTables)}`,
  ).map(([name]) => String(name));
  const listed: TableDescription = { ...plainDescription, tables, usesLog };
  const name = table === null ? undefined : tables[table];
  if (name === undefined) return { description: listed, partAt: async () => await Promise.resolve(null) };
  const columns = columnsOf(database, name);
  const [[rowCount] = []] = rowsOf(database, `SELECT count(*) FROM ${quoted(name)}`);
  const read = pageReader(database, name, columns.length);
  return {
    description: { ...listed, columns, rowCount: Number(rowCount) },
    partAt: async (column, row) =>
      await Promise.resolve(column < columns.length && row < Number(rowCount) ? read(column, row) : null),
  };
}

function columnsOf(database: Database, name: string): TableDescription['columns'] {
  const statement = database.prepare(`SELECT * FROM ${quoted(name)} LIMIT 0`);
  const names = statement.getColumnNames();
  statement.free();
  const types = new Map(
    rowsOf(database, 'SELECT name, type FROM pragma_table_xinfo(?)', [name]).map(([column, type]) => [
      String(column),
      String(type).toLowerCase(),
    ]),
  );
  return names.map((column) => {
    const type = types.get(column) ?? '';
    // The rules for numeric affinity. Source: Datatypes In SQLite, section 3.1.
    return { name: column, type, isNumeric: /int|real|floa|doub|num|dec/.test(type) };
  });
}

/** Reads rows in pages and caches the last pages. */
function pageReader(database: Database, name: string, columnCount: number) {
  const [[encoding] = []] = rowsOf(database, 'PRAGMA encoding');
  const decoder = new TextDecoder(String(encoding).toLowerCase(), { fatal: true, ignoreBOM: true });
  const pages = new Map<number, readonly (readonly SqlValue[])[]>();
  const names = Array.from({ length: columnCount }, (_, at) => `c${String(at)}`);
  // Reads texts as bytes, since the engine would cut a text at a zero byte.
  const values = names.map(
    (each) =>
      `CASE typeof(${each}) WHEN 'text' THEN CAST(${each} AS BLOB) ELSE ${each} END, typeof(${each}) = 'text'`,
  );
  const sql = `WITH rows(${names.join(', ')}) AS (SELECT * FROM ${quoted(name)})
    SELECT ${values.join(', ')} FROM rows LIMIT ${String(rowsPerPage)} OFFSET ?`;
  const valueOf = (stored: SqlValue | undefined, isText: boolean): Value => {
    if (!isText || !(stored instanceof Uint8Array)) return stored ?? null;
    try {
      return decoder.decode(stored);
    } catch {
      return stored;
    }
  };
  return (column: number, row: number): ColumnPart => {
    const firstRow = row - (row % rowsPerPage);
    const page = pages.get(firstRow) ?? rowsOf(database, sql, [firstRow]);
    pages.delete(firstRow);
    pages.set(firstRow, page);
    for (const oldest of pages.keys()) {
      if (pages.size <= maxCachedPages) break;
      pages.delete(oldest);
    }
    if (page.length === 0) throw new BadFormat('The rows are missing.');
    return {
      firstRow,
      rowCount: page.length,
      valueAt: (index) => {
        const stored = page[index];
        return valueOf(stored?.[column * 2], stored?.[column * 2 + 1] === 1n);
      },
    };
  };
}

function rowsOf(
  database: Database,
  sql: string,
  parameters: readonly SqlValue[] = [],
): readonly (readonly SqlValue[])[] {
  const statement = database.prepare(sql);
  try {
    statement.bind(parameters);
    const rows: (readonly SqlValue[])[] = [];
    while (statement.step()) rows.push(statement.get(null, { useBigInt: true }));
    return rows;
  } finally {
    statement.free();
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Discards the engine's messages about damaged files. */
function drop(_line: string): void {}
