import path from 'node:path';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { tableFromIPC } from 'apache-arrow';
import { openArrow } from '../../renderer/features/viewers/arrow/arrow-file.ts';
import type { ColumnarFile } from '../../renderer/features/viewers/columnar/columnar-file.ts';
import { valueText } from '../../renderer/features/viewers/columnar/value-text.ts';
import { memorySource } from '../../renderer/features/viewers/frame/range-source.ts';
import { openParquet } from '../../renderer/features/viewers/parquet/parquet-file.ts';

/** The number of rows of each column to read and compare. */
const maxRows = 2000;
const maxChars = 100_000;
const { signal } = new AbortController();

interface ShownTable {
  readonly columns: readonly (readonly [name: string, texts: readonly (string | null | undefined)[]])[];
  readonly rowCount: number;
  /** The reasons why columns are not shown. */
  readonly problems: readonly string[];
}

/** Reads a Parquet file as its viewer does, and compares its values with those of DuckDB. */
export async function readParquet(file: string, bytes: Uint8Array<ArrayBuffer>) {
  const shown = await shownTable(await openParquet(memorySource(bytes), signal));
  return { ...shown, differences: await differencesFromDuckDb(file, shown) };
}

/** Reads an Arrow file as its viewer does, and compares its numbers of rows and of nulls with those of the reference reader. */
export async function readArrow(bytes: Uint8Array<ArrayBuffer>) {
  const shown = await shownTable(await openArrow(memorySource(bytes), signal));
  return { ...shown, differences: differencesFromArrow(bytes, shown) };
}

async function shownTable(file: ColumnarFile): Promise<ShownTable> {
  const { columns, rowCount } = file.description;
  const problems: string[] = [];
  const read: (readonly [string, readonly (string | null | undefined)[]])[] = [];
  for (const [column, { name }] of columns.entries()) {
    const texts: (string | null | undefined)[] = [];
    while (texts.length < Math.min(rowCount, maxRows)) {
      const part = await file.partAt(column, texts.length, signal).catch((thrown: unknown) => String(thrown));
      if (part === null || typeof part === 'string') {
        problems.push(`${name}: ${part ?? 'no rows'}`);
        break;
      }
      for (let at = texts.length - part.firstRow; at < part.rowCount; at += 1)
        try {
          texts.push(valueText(part.valueAt(at, maxChars), maxChars));
        } catch (thrown) {
          texts.push(undefined);
          if (problems.length < 10) problems.push(`${name}, row ${String(texts.length)}: ${String(thrown)}`);
        }
    }
    read.push([name, texts]);
  }
  return { columns: read, rowCount, problems };
}

let connected: Promise<DuckDBConnection> | null = null;

async function connection(): Promise<DuckDBConnection> {
  connected ??= DuckDBInstance.create(':memory:').then(async (database) => await database.connect());
  return await connected;
}

async function differencesFromDuckDb(file: string, shown: ShownTable): Promise<readonly string[]> {
  const duck = await connection();
  const from = `read_parquet('${path.resolve(file).replaceAll("'", "''")}')`;
  const found: string[] = [];
  const described = await duck.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`).catch((thrown: unknown) => {
    found.push(`not compared: ${String(thrown).slice(0, 100)}`);
    return null;
  });
  const types = new Map(described?.getRows().map(([name, type]) => [String(name), String(type)]));
  for (const [name, texts] of shown.columns) {
    const type = types.get(name);
    if (type === undefined) continue;
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const expected = await duck
      .runAndReadAll(`SELECT (${textBy(type, quoted)})::VARCHAR FROM ${from} LIMIT ${String(maxRows)}`)
      .then((reader) => reader.getColumns()[0] ?? [])
      .catch(() => null);
    if (expected === null) continue;
    const row = texts.findIndex(
      (text, at) =>
        text !== undefined && at < expected.length && !isSame(text, expected[at] as string | null),
    );
    if (row >= 0)
      found.push(
        `${name} ${type} row ${String(row)}: ${String(texts[row])} ≠ ${String(expected[row])}`.slice(0, 200),
      );
  }
  return found;
}

/** Returns SQL for the text that the viewer shows for a type; nested values are compared as JSON. */
function textBy(type: string, name: string): string {
  if (type === 'BLOB') return `'0x' || lower(hex(${name}))`;
  if (type === 'TIME') return `strftime(DATE '2000-01-01' + ${name}, '%H:%M:%S.%f')`;
  if (type === 'TIMESTAMP WITH TIME ZONE')
    return `strftime(${name} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%f') || 'Z'`;
  if (type === 'TIMESTAMP_NS') return `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%n')`;
  if (type.startsWith('TIMESTAMP')) return `strftime(${name}, '%Y-%m-%dT%H:%M:%S.%f')`;
  return /^(?:STRUCT|MAP)|\]$/.test(type) ? `to_json(${name})` : name;
}

function isSame(text: string | null, expected: string | null): boolean {
  if (text === expected || text === null || expected === null) return text === expected;
  return plain(text) === plain(expected);
}

/**
 * Removes differences that two correct texts may have: zeros at the end of a fraction, forms of a whole double, spaces in JSON.
 */
function plain(text: string): string {
  if (text === '-nan') return 'nan';
  if (/^[-+.\d]+(?:e[-+]?\d+)?$/i.test(text) && !/^-?\d{16,}$/.test(text)) return String(Number(text));
  if (/^[[{]/.test(text)) return text.replaceAll(/\s/g, '').replaceAll(/(?<=\d)\.0(?!\d)/g, '');
  return text.toLowerCase().replace(/(?<=:\d\d)\.0+(?=Z?$)|(?<=\.\d+?)0+(?=z?$)/i, '');
}

function differencesFromArrow(bytes: Uint8Array, shown: ShownTable): readonly string[] {
  const table = (() => {
    try {
      return tableFromIPC(bytes);
    } catch (thrown) {
      return `not compared: ${String(thrown).slice(0, 100)}`;
    }
  })();
  if (typeof table === 'string') return [table];
  const found: string[] = [];
  if (table.numRows !== shown.rowCount)
    found.push(`${String(shown.rowCount)} rows ≠ ${String(table.numRows)}`);
  for (const [at, [name, texts]] of shown.columns.entries()) {
    const column = table.getChildAt(at);
    if (column === null) continue;
    const row = texts.findIndex((text, index) => {
      if (text === undefined) return false;
      let expected: unknown;
      try {
        expected = column.get(index);
      } catch {
        return false;
      }
      if (expected === null || text === null) return (expected === null) !== (text === null);
      if (typeof expected === 'bigint' || typeof expected === 'boolean' || typeof expected === 'string')
        return text !== String(expected) && !/[-:]/.test(text);
      return false;
    });
    if (row >= 0)
      found.push(`${name} row ${String(row)}: ${String(texts[row])} ≠ ${String(column.get(row))}`);
  }
  return found;
}
