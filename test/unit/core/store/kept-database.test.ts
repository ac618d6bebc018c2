import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  backupNames,
  Backups,
  backupsDir,
  chooseBackup,
  maxBackups,
  restoreFile,
} from '../../../../electron/core/store/backups.ts';
import { DatabaseKeeper, tickMs } from '../../../../electron/core/store/database-keeper.ts';
import { readSummary, summaryFile } from '../../../../electron/core/store/database-summary.ts';
import { openCheckedDatabase, type CheckedDatabase } from '../../../../electron/core/store/open-kept.ts';
import { manualClock, type ManualClock } from '../../../support/core/fake-ports.ts';
import { silentLogger } from '../../../support/servers/s3-client.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const nowMs = Date.parse('2026-05-01T12:30:00Z');
const dayMs = 24 * 60 * 60_000;

let dataDir: string;
let file: string;
let clock: ManualClock;
beforeEach(() => {
  dataDir = tempDir();
  file = path.join(dataDir, 'cooper.db');
  clock = manualClock(nowMs);
});

function open(): CheckedDatabase {
  return openCheckedDatabase(dataDir, { nowMs });
}

function keep(database: DatabaseSync): DatabaseKeeper {
  return new DatabaseKeeper({ database, file, clock, random: { id: () => 'x' }, logger: silentLogger });
}

function connect(database: DatabaseSync, id: string): void {
  database.prepare(`INSERT INTO connections (id, position, record) VALUES (?, 1, '{}')`).run(id);
}

function connections(database: DatabaseSync): unknown[] {
  return database
    .prepare('SELECT id FROM connections ORDER BY id')
    .all()
    .map((row) => row['id']);
}

/** Waits until the summary, which is written asynchronously, has this number of connections. */
async function untilSummarized(connectionCount: number): Promise<void> {
  await expect.poll(() => readSummary(file)?.connections).toBe(connectionCount);
}

/** Leaves a database with connections as a killed process does, with the WAL already checkpointed. */
async function killed(ids: readonly string[] = ['a']): Promise<void> {
  const { database } = open();
  const keeper = keep(database);
  for (const id of ids) connect(database, id);
  await clock.advance(2 * tickMs);
  await untilSummarized(ids.length);
  const copy = tempDir();
  for (const name of ['cooper.db', 'cooper.db-wal', 'cooper.db.summary.json'])
    writeFileSync(path.join(copy, name), readFileSync(path.join(dataDir, name)));
  await keeper.close();
  database.close();
  dataDir = copy;
  file = path.join(copy, 'cooper.db');
}

function nameOf(day: number): string {
  return `cooper-${new Date(nowMs + day * dayMs).toISOString().slice(0, 10)}.db`;
}

describe('the kept database', () => {
  test('is checkpointed a tick after the last change', async () => {
    await killed();
    expect(statSync(`${file}-wal`).size).toBe(0);
    rmSync(`${file}-wal`);
    const { database } = open();
    expect(connections(database)).toEqual(['a']);
    database.close();
  });

  test('is checkpointed also while changes keep arriving', async () => {
    const { database } = open();
    const keeper = keep(database);
    let count = 0;
    const changed = async (): Promise<number> => {
      count += 1;
      connect(database, `c${count}`);
      await clock.advance(tickMs);
      return readSummary(file)?.connections ?? 0;
    };
    await expect.poll(changed, { timeout: 10_000 }).toBeGreaterThan(4);
    await keeper.close();
    database.close();
  });

  test('opens without a warning after a crash and after a clean exit', async () => {
    await killed();
    const first = open();
    expect(first.loss).toBeNull();
    const keeper = keep(first.database);
    await keeper.close();
    first.database.close();
    expect(readSummary(file)).toMatchObject({ isClosed: true, connections: 1 });
    const second = open();
    expect(second.loss).toBeNull();
    second.database.close();
  });

  test('reports what is missing if the file was removed', async () => {
    await killed(['a', 'b']);
    rmSync(file);
    rmSync(`${file}-wal`);
    const { database, loss } = open();
    expect(loss).toMatchObject({ found: { connections: 0 }, expected: { connections: 2 } });
    database.close();
  });

  test('reports what is missing if an older copy replaced it', async () => {
    await killed(['a']);
    const older = readFileSync(file);
    const { database } = open();
    const keeper = keep(database);
    connect(database, 'b');
    await clock.advance(2 * tickMs);
    await untilSummarized(2);
    await keeper.close();
    database.close();
    writeFileSync(file, older);
    const reopened = open();
    expect(reopened.loss).toMatchObject({ found: { connections: 1 }, expected: { connections: 2 } });
    reopened.database.close();
  });

  test('reports possible loss if the WAL is missing after a crash', async () => {
    await killed(['a']);
    rmSync(`${file}-wal`);
    const { database, loss } = open();
    expect(loss).toMatchObject({ found: { connections: 1 }, expected: { connections: 1 } });
    database.close();
  });

  test('is not compared if its summary is unreadable', async () => {
    await killed(['a']);
    for (const text of ['', '{', '{"generation":"x"}', 'null']) {
      writeFileSync(summaryFile(file), text);
      const { database, loss } = open();
      expect(loss).toBeNull();
      database.close();
    }
  });
});

async function daysOf(count: number): Promise<void> {
  const { database } = open();
  connect(database, 'a');
  const backups = new Backups({ database, dataDir, clock, logger: silentLogger });
  const afterAnHour = async (): Promise<string | undefined> => {
    await clock.advance(60 * 60_000);
    return backupNames(dataDir)[0];
  };
  for (let day = 0; day < count; day += 1)
    await expect.poll(afterAnHour, { interval: 2, timeout: 20_000 }).toBe(nameOf(day));
  await backups.close();
  database.close();
}

describe('a backup', () => {
  test('is made each day, readable only by its owner, and the oldest are removed', async () => {
    await daysOf(maxBackups + 2);
    expect(backupNames(dataDir)).toHaveLength(maxBackups);
    expect(readdirSync(backupsDir(dataDir)).filter((name) => !name.endsWith('.db'))).toEqual([]);
    const newest = path.join(backupsDir(dataDir), backupNames(dataDir)[0] ?? '');
    const others = process.platform === 'win32' ? 0 : statSync(newest).mode & 0o077;
    expect(others).toBe(0);
    const database = new DatabaseSync(newest);
    expect(connections(database)).toEqual(['a']);
    database.close();
  });

  test('is not made of an empty database', async () => {
    const { database } = open();
    const backups = new Backups({ database, dataDir, clock, logger: silentLogger });
    await clock.advance(dayMs);
    await backups.close();
    expect(backupNames(dataDir)).toEqual([]);
    database.close();
  });

  test('replaces the database at the next start, which keeps the old one', async () => {
    await daysOf(1);
    const { database } = open();
    connect(database, 'later');
    database.close();
    await chooseBackup(dataDir, nameOf(0), 'x');
    const { database: restored, ...rest } = open();
    expect(rest).toMatchObject({ loss: null, restored: { backup: nameOf(0), error: null } });
    expect(connections(restored)).toEqual(['a']);
    restored.close();
    const kept = new DatabaseSync(rest.restored?.keptAs ?? '');
    expect(connections(kept)).toEqual(['a', 'later']);
    kept.close();
    const again = open();
    expect(again.restored).toBeNull();
    again.database.close();
  });

  test('that is damaged changes nothing and is reported', async () => {
    await daysOf(1);
    writeFileSync(path.join(backupsDir(dataDir), nameOf(0)), 'no database');
    await chooseBackup(dataDir, nameOf(0), 'x');
    const { database, restored } = open();
    expect(restored).toMatchObject({ keptAs: null, error: expect.stringMatching(/database/) as string });
    expect(connections(database)).toEqual(['a']);
    database.close();
    expect(existsSync(restoreFile(dataDir))).toBe(false);
  });

  test.each(['restore.json', 'cooper.db.restored'])(
    'opens with a folder in the place of %s, and keeps the folder',
    async (name) => {
      await killed(['a']);
      mkdirSync(backupsDir(dataDir));
      mkdirSync(path.join(dataDir, name));
      writeFileSync(path.join(dataDir, name, 'mine.txt'), 'text');
      if (name !== 'restore.json') writeFileSync(restoreFile(dataDir), 'no choice');
      const { database, restored } = open();
      expect(connections(database)).toEqual(['a']);
      expect(typeof restored?.error === 'string').toBe(name !== 'restore.json');
      database.close();
      const aside = readdirSync(dataDir).find((other) => other.startsWith(`${name}.damaged-`)) ?? '';
      expect(readFileSync(path.join(dataDir, aside, 'mine.txt'), 'utf8')).toBe('text');
    },
  );

  test.each(['damaged', 'missing'])('that is %s does not hide that the database lost data', async (state) => {
    await daysOf(1);
    const older = readFileSync(file);
    const { database } = open();
    const keeper = keep(database);
    connect(database, 'b');
    await keeper.close();
    database.close();
    writeFileSync(file, older);
    await chooseBackup(dataDir, nameOf(0), 'x');
    const backup = path.join(backupsDir(dataDir), nameOf(0));
    if (state === 'damaged') writeFileSync(backup, 'no database');
    else rmSync(backup);
    const { database: unchanged, ...rest } = open();
    unchanged.close();
    expect(rest.restored?.error).toEqual(expect.any(String));
    expect(rest.loss).toMatchObject({ found: { connections: 1 }, expected: { connections: 2 } });
  });

  test('that does not exist cannot be chosen, nor can any other file', async () => {
    mkdirSync(backupsDir(dataDir));
    for (const name of ['cooper-2020-01-01.db', '../cooper.db', ''])
      await expect(chooseBackup(dataDir, name, 'x')).rejects.toMatchObject({
        error: { reason: 'backup-gone' },
      });
  });
});
