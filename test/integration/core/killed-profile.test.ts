import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import type { AppEvent } from '../../../shared/models/settings.ts';
import { databaseFile } from '../../../electron/core/store/database.ts';
import { coreUnderTest } from '../../support/core/core-under-test.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { endsWithTest } from '../../support/test-child.ts';

/** Tests the start with a profile whose process was killed and whose files were damaged afterwards. */
const child = fileURLToPath(new URL('../../support/core/profile-child.ts', import.meta.url));

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = tempDir();
  file = path.join(dataDir, databaseFile);
});

/** Stores connections in a child process and kills it: at once, or when they are in the main database file. */
async function storeAndDie(count: number, when: 'stored' | 'kept'): Promise<void> {
  const running = endsWithTest(
    spawn(process.execPath, [child, dataDir, file, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const exited = once(running, 'exit');
  let output = '';
  for await (const chunk of running.stdout) {
    output += String(chunk);
    if (output.includes(when)) break;
  }
  running.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

async function started(): Promise<{
  readonly names: readonly string[];
  readonly events: readonly AppEvent[];
}> {
  const { core, client } = coreUnderTest({ dataDir });
  const ended = new AbortController();
  const events: AppEvent[] = [];
  const marker = core.events.watch(ended.signal);
  core.events.emit({ kind: 'trouble' });
  for await (const event of marker) {
    if (event.kind === 'trouble') break;
    events.push(event);
  }
  return { names: (await client.connections.list()).map(({ name }) => name), events };
}

test('connections are checkpointed soon after they are stored, so a lost WAL loses none', async () => {
  await storeAndDie(3, 'kept');
  rmSync(`${file}-wal`);
  const { names, events } = await started();
  expect(names).toHaveLength(3);
  expect(events).toMatchObject([
    { kind: 'older-data', found: { connections: 3 }, expected: { connections: 3 }, backup: null },
  ]);
});

test('a crash loses nothing and shows no warning', async () => {
  await storeAndDie(3, 'stored');
  expect(await started()).toMatchObject({
    names: [{}, {}, {}].map(() => expect.any(String) as string),
    events: [],
  });
});

test('a WAL truncated anywhere leaves the checkpointed connections', async () => {
  await storeAndDie(2, 'kept');
  await storeAndDie(2, 'stored');
  const whole = tempDir();
  cpSync(dataDir, whole, { recursive: true });
  const logBytes = statSync(`${file}-wal`).size;
  for (const part of [0, 0.3, 0.7, 0.99]) {
    dataDir = tempDir();
    file = path.join(dataDir, databaseFile);
    cpSync(whole, dataDir, { recursive: true });
    truncateSync(`${file}-wal`, Math.floor(logBytes * part));
    const { names } = await started();
    expect(names.length).toBeGreaterThanOrEqual(2);
  }
});

test('a database replaced by an older copy is reported with what it lacks', async () => {
  await storeAndDie(1, 'kept');
  const older = tempDir();
  cpSync(file, path.join(older, databaseFile));
  await storeAndDie(2, 'kept');
  cpSync(path.join(older, databaseFile), file);
  rmSync(`${file}-wal`);
  const { names, events } = await started();
  expect(names).toHaveLength(1);
  expect(events).toMatchObject([
    { kind: 'older-data', found: { connections: 1 }, expected: { connections: 3 } },
  ]);
});

test('a missing database is reported, and a backup is restored at the next start', async () => {
  await storeAndDie(2, 'kept');
  rmSync(`${file}-wal`);
  cpSync(file, path.join(dataDir, 'backups', 'cooper-2026-01-02.db'), { recursive: true });
  rmSync(file);
  const first = coreUnderTest({ dataDir });
  await first.client.app.restoreBackup({ name: 'cooper-2026-01-02.db' });
  expect(await first.client.connections.list()).toEqual([]);
  await first.core.close();
  const { names, events } = await started();
  expect(names).toHaveLength(2);
  expect(events).toMatchObject([{ kind: 'restored', backup: 'cooper-2026-01-02.db', error: null }]);
  const [restored] = events;
  const keptAs = restored?.kind === 'restored' ? restored.keptAs : null;
  expect(existsSync(keptAs ?? '')).toBe(true);
  expect(
    readFileSync(keptAs ?? '')
      .subarray(0, 15)
      .toString(),
  ).toBe('SQLite format 3');
});
