import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { inTransaction, openDatabase } from '../../../../electron/core/store/database.ts';
import { migrations } from '../../../../electron/core/store/migrations.ts';
import { errorOf } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const nowMs = Date.UTC(2026, 4, 1, 12, 30);
const file = () => path.join(tempDir(), 'cooper.db');

const versionOf = (database: DatabaseSync) => database.prepare('PRAGMA user_version').get()?.['user_version'];

test('a new database has the whole schema and keeps committed rows', () => {
  const at = file();
  const first = openDatabase(at, { nowMs });
  expect(first.setAsideAs).toBeNull();
  expect(versionOf(first.database)).toBe(migrations.length);
  first.database.exec("INSERT INTO settings (name, value) VALUES ('a', '1')");
  first.database.close();
  const second = openDatabase(at, { nowMs });
  expect(second.database.prepare('SELECT name, value FROM settings').all()).toEqual([
    { name: 'a', value: '1' },
  ]);
  second.database.close();
});

test('a commit is durable at once with WAL and synchronous FULL', () => {
  const { database } = openDatabase(file(), { nowMs });
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  database.close();
});

test('only the missing migrations are applied', () => {
  const at = file();
  const migration = { name: 'one', sql: 'CREATE TABLE one (id INTEGER)' };
  const two = { name: 'two', sql: 'CREATE TABLE two (id INTEGER)' };
  openDatabase(at, { nowMs, migrations: [migration] }).database.close();
  const { database } = openDatabase(at, { nowMs, migrations: [migration, two] });
  expect(versionOf(database)).toBe(2);
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()).toEqual(
    [{ name: 'one' }, { name: 'two' }],
  );
  database.close();
});

test('a failed migration leaves the schema at the previous version', () => {
  const at = file();
  const good = { name: 'good', sql: 'CREATE TABLE good (id INTEGER)' };
  const bad = { name: 'bad', sql: 'CREATE TABLE half (id INTEGER); CREATE TABLE good (id INTEGER)' };
  expect(() => openDatabase(at, { nowMs, migrations: [good, bad] })).toThrow(/refused a change/);
  const database = new DatabaseSync(at);
  expect(versionOf(database)).toBe(1);
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([
    { name: 'good' },
  ]);
  database.close();
});

test('a database of a newer version is refused with a reason and not changed', async () => {
  const at = file();
  const newer = new DatabaseSync(at);
  newer.exec('CREATE TABLE future (id INTEGER); PRAGMA user_version = 999');
  newer.close();
  const before = readFileSync(at);
  const error = await errorOf(() => openDatabase(at, { nowMs }));
  expect(error).toMatchObject({ code: 'storage', reason: 'database-newer', retry: 'after-fix' });
  expect(readFileSync(at).equals(before)).toBe(true);
  expect(readdirSync(path.dirname(at))).toEqual(['cooper.db']);
});

test('a file that is not a database is set aside, and a new one is created', () => {
  const at = file();
  writeFileSync(at, 'not a database at all, '.repeat(100));
  const { database, setAsideAs } = openDatabase(at, { nowMs });
  expect(setAsideAs).toBe(`${at}.damaged-2026-05-01T12-30-00-000Z`);
  expect(readFileSync(setAsideAs ?? '', 'utf8')).toMatch(/^not a database at all/);
  expect(versionOf(database)).toBe(migrations.length);
  database.close();
});

test('a database with a torn page is set aside unchanged', () => {
  const at = file();
  const { database } = openDatabase(at, { nowMs });
  for (let index = 0; index < 500; index++) {
    database
      .prepare('INSERT INTO settings (name, value) VALUES (?, ?)')
      .run(`name ${index}`, 'v'.repeat(200));
  }
  database.close();
  const bytes = readFileSync(at);
  bytes.fill(0xff, 4096, 4096 * 8);
  writeFileSync(at, bytes);
  const opened = openDatabase(at, { nowMs });
  expect(opened.setAsideAs).not.toBeNull();
  expect(readFileSync(opened.setAsideAs ?? '').equals(bytes)).toBe(true);
  expect(opened.database.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 0 });
  opened.database.close();
});

test('an emptied database is set aside and reported', () => {
  const at = file();
  expect(openDatabase(at, { nowMs }).setAsideAs).toBeNull();
  writeFileSync(at, '');
  const { database, setAsideAs } = openDatabase(at, { nowMs });
  expect(setAsideAs).toMatch(/damaged-/);
  expect(versionOf(database)).toBe(migrations.length);
  database.close();
});

test('two damaged files set aside in the same millisecond are both kept', () => {
  const at = file();
  for (const text of ['first', 'second']) {
    writeFileSync(at, text.repeat(1000));
    openDatabase(at, { nowMs }).database.close();
  }
  expect(readdirSync(path.dirname(at)).filter((name) => /damaged-[\dTZ-]+$/.test(name))).toHaveLength(2);
});

test('a transaction that throws is rolled back completely', () => {
  const { database } = openDatabase(file(), { nowMs });
  expect(() =>
    inTransaction(database, () => {
      database.exec("INSERT INTO settings (name, value) VALUES ('a', '1')");
      throw new Error('stop');
    }),
  ).toThrow('stop');
  expect(database.isTransaction).toBe(false);
  expect(database.prepare('SELECT count(*) AS n FROM settings').get()).toEqual({ n: 0 });
  database.close();
});

test.each(['', '-wal', '-shm'])('a folder in place of cooper.db%s is set aside with its contents', (end) => {
  const at = file();
  mkdirSync(at + end);
  writeFileSync(path.join(at + end, 'mine.txt'), 'mine');
  const { database, setAsideAs } = openDatabase(at, { nowMs });
  expect(versionOf(database)).toBe(migrations.length);
  database.close();
  const aside = readdirSync(path.dirname(at)).find((name) => name.includes('.damaged-')) ?? '';
  expect(readFileSync(path.join(path.dirname(at), aside, 'mine.txt'), 'utf8')).toBe('mine');
  expect(setAsideAs === null).toBe(end !== '');
});

test('a database in a newer SQLite format is not changed, and the error names a newer version', () => {
  const at = file();
  openDatabase(at, { nowMs }).database.close();
  const bytes = readFileSync(at);
  // The schema format number (https://www.sqlite.org/fileformat.html, 1.3.10).
  bytes.writeUInt32BE(99, 44);
  writeFileSync(at, bytes);
  expect(() => openDatabase(at, { nowMs })).toThrow(/newer version of Cooper/);
  expect(readFileSync(at).equals(bytes)).toBe(true);
});
