import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeClock } from '../../../electron/host/node-ports.ts';
import type { CoreClient } from '../../../shared/contract/index.ts';
import { maxDraggedObjects } from '../../../shared/models/limits.ts';
import {
  coreUnderTest,
  inputFor,
  serviceUnderTest,
  type CoreUnderTest,
} from '../../support/core/core-under-test.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';

const keys = ['p/a.txt', 'p/A.TXT', 'p/.profile', 'p/ü b.txt'];

interface Dragging extends CoreUnderTest {
  readonly connectionId: string;
  readonly dragged: (readonly string[])[];
}

/** A core with four objects, on a host with or without the system's drag. */
async function start(canDrag = true): Promise<Dragging> {
  const service = await serviceUnderTest();
  const bucket = service.store.buckets.create('b', 1e12);
  if (bucket === null) throw new Error('The bucket already exists.');
  for (const key of keys)
    await service.store.putBytes(bucket.id, key, Buffer.from(key), { modifiedMs: 1e12 });
  const dragged: (readonly string[])[] = [];
  const ports = fakePorts({ clock: { ...nodeClock, advance: () => Promise.resolve(), sleepers: 0 } });
  const started = coreUnderTest({
    ports: {
      ...ports,
      shell: {
        ...ports.shell,
        ...(canDrag ? { startDrag: (files) => Promise.resolve(void dragged.push(files)) } : {}),
      },
    },
  });
  const { id } = await started.client.connections.create(inputFor(service.endpoint));
  return { ...started, connectionId: id, dragged };
}

async function untilDone(client: CoreClient, jobId: string): Promise<void> {
  await expect.poll(async () => (await client.jobs.get({ jobId })).state, patience).toBe('done');
}

const patience = { timeout: 20_000 };
const place = { bucket: 'b', basePrefix: 'p/' };

test('several objects fetched to be dragged out are handed to the system as files, until their job is cleared', async () => {
  const { client, connectionId, dataDir, dragged } = await start();
  const { jobId } = await client.transfers.fetchForDrag({ connectionId, ...place, keys });
  await untilDone(client, jobId);
  await client.transfers.dragOut({ jobId });
  const files = dragged.flat();
  const contents = files.map((file) => readFileSync(file, 'utf8'));
  expect(contents.toSorted()).toEqual(keys.toSorted());
  // Equal on a disk that ignores case, so that one of them takes another name there.
  expect(new Set(files.map((file) => file.toLowerCase())).size).toBeGreaterThanOrEqual(3);
  const [folder = ''] = files.map((file) => path.dirname(file));
  expect(path.dirname(folder)).toBe(path.join(dataDir, 'drag-out'));
  // Windows keeps no such mode: the folder of the account protects it.
  expect(process.platform === 'win32' ? 0 : statSync(folder).mode & 0o077).toBe(0);

  const other = await client.transfers.fetchForDrag({ connectionId, ...place, keys: ['p/a.txt'] });
  await untilDone(client, other.jobId);
  expect(existsSync(folder)).toBe(true);
  await client.jobs.clear({ jobIds: [jobId] });
  await expect.poll(() => existsSync(folder), patience).toBe(false);
  await client.transfers.dragOut(other);
  expect(dragged).toHaveLength(2);
});

test('folders without a job are removed at the next start, and those of finished jobs stay', async () => {
  const { client, core, connectionId, dataDir, dragged } = await start();
  const { jobId } = await client.transfers.fetchForDrag({ connectionId, ...place, keys: ['p/a.txt'] });
  await untilDone(client, jobId);
  await client.transfers.dragOut({ jobId });
  const [file = ''] = dragged.flat();
  const orphan = path.join(dataDir, 'drag-out', 'orphan');
  await core.close();
  mkdirSync(orphan);
  coreUnderTest({ dataDir });
  await expect.poll(() => existsSync(orphan), patience).toBe(false);
  expect(existsSync(file)).toBe(true);
});

test('nothing is fetched to be dragged out on a host without the system’s drag, nor more than the limit', async () => {
  const { client, connectionId, dataDir } = await start(false);
  await expect(client.transfers.fetchForDrag({ connectionId, ...place, keys })).rejects.toMatchObject({
    data: { code: 'unsupported' },
  });
  const many = Array.from({ length: maxDraggedObjects + 1 }, (_, at) => `p/${String(at)}`);
  await expect(client.transfers.fetchForDrag({ connectionId, ...place, keys: many })).rejects.toMatchObject({
    data: { code: 'invalid-argument' },
  });
  expect(existsSync(path.join(dataDir, 'drag-out'))).toBe(false);
});
