import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createQueueParts } from '../../../electron/core/queue-setup.ts';
import { databaseFile, openDatabase } from '../../../electron/core/store/database.ts';
import { failure } from '../../../shared/errors.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';
import { tempDir } from '../../support/temp-dir.ts';

/** The queue over a data folder whose connections have all been removed. */
function partsWithoutConnections() {
  const dataDir = tempDir();
  const { database } = openDatabase(path.join(dataDir, databaseFile), { nowMs: 0 });
  const parts = createQueueParts({
    ports: fakePorts(),
    database,
    dataDir,
    client: () => Promise.reject(failure('internal', 'A removed connection has no client.')),
    connections: () => [],
    startOf: () => null,
    browse: { buckets: () => Promise.reject(failure('internal', 'A removed connection has no buckets.')) },
    receivesDropped: true,
  });
  onTestFinished(async () => {
    await parts.queue.close();
    database.close();
  });
  return { parts, database, dropped: path.join(dataDir, 'dropped') };
}

test('work on an upload of a removed connection fails with the reason, before any request', async () => {
  const { parts } = partsWithoutConnections();
  const ref = { connectionId: 'gone', bucket: 'b', key: 'k', uploadId: 'u' };
  await expect(parts.uploads.inspector.open(ref, new AbortController().signal)).rejects.toMatchObject({
    error: { code: 'not-found', reason: 'connection-missing' },
  });
});

test('copies of dropped files stay exactly as long as an unfinished job names them', async () => {
  const { parts, database, dropped } = partsWithoutConnections();
  const copies = { paused: 'a'.repeat(32), done: 'b'.repeat(32), unnamed: 'c'.repeat(32) };
  const insert = database.prepare(
    `INSERT INTO jobs (id, kind, state, connection_id, lock_key, data) VALUES (?, 'upload', ?, 'c', '', ?)`,
  );
  for (const id of Object.values(copies)) {
    mkdirSync(path.join(dropped, id), { recursive: true });
    writeFileSync(path.join(dropped, id, 'a.txt'), 'text');
  }
  for (const state of ['paused', 'done'] as const)
    insert.run(state, state, JSON.stringify({ path: path.join(dropped, copies[state], 'a.txt') }));
  await parts.dropped.sweep();
  expect(readdirSync(dropped)).toEqual([copies.paused]);
  database.exec(`UPDATE jobs SET state = 'cancelled'`);
  await parts.dropped.sweep();
  expect(readdirSync(dropped)).toEqual([]);
});
