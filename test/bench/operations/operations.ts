import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { batchKeys, maxParallelBatches } from '../../../electron/core/operations/deletions/deleter.ts';
import type { S3Client } from '../../../electron/core/s3/model/s3-client.ts';
import { smallObject } from '../../../electron/service/store/blobs.ts';
import { Store } from '../../../electron/service/store/object-store.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { buildChild } from '../support/build-child.ts';
import { deletionPeers } from './deletion-peers.ts';
import type { Figure } from '../report.ts';

import { startServers, type BenchServer } from '../support/bench-servers.ts';

export interface OperationRun {
  readonly kind: 'move' | 'delete';
  readonly folder: string;
  readonly server: Pick<BenchServer, 'endpoint' | 'keys'>;
  readonly bucket: string;
  readonly prefix: string;
  readonly to: string;
  readonly objects: number;
}

export interface OperationMeasured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly requests: number;
}

const bucket = 'bench-operations';
const putsAtOnce = 32;
/** The limit of requests per deleted object. One request deletes up to a thousand keys. */
const maxRequestsOfDeletion = 0.01;

/**
 * The limit of requests per object. A move sends a HEAD for each source, since no listing shows its encryption, and a copy.
 * Targets are listed and sources deleted a thousand at a time. On a service with ACLs the limit is exceeded by one request per
 * object, since a copy loses its ACL.
 */
const maxRequests: Readonly<Record<OperationRun['kind'], number>> = {
  delete: maxRequestsOfDeletion,
  move: 2.2,
};
/** The maximum number of objects for the other programs, since some delete one by one and take minutes. */
const maxBesidePeers = 3000;

/** Measures moving a folder of 3,000 objects of 4 KiB on each service. `BENCH_FILES` sets another number. */
export async function operationsMoveBench(): Promise<readonly Figure[]> {
  return await benchOperation('move', Number(process.env['BENCH_FILES'] ?? 3000), 4096);
}

/**
 * Measures deleting a folder of 100,000 objects on the embedded service, and of a tenth of that on slower services.
 * `BENCH_FILES` sets another number.
 */
export async function operationsDeleteBench(): Promise<readonly Figure[]> {
  return await benchOperation('delete', Number(process.env['BENCH_FILES'] ?? 100_000), 16);
}

async function benchOperation(
  kind: OperationRun['kind'],
  objectCount: number,
  bytesEach: number,
): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const program = await buildChild(new URL('./operations-child.ts', import.meta.url));
  const only = process.env['BENCH_SERVER'];
  const servers = await startServers(
    folder,
    async (dataDir) => await fillFolder(dataDir, objectCount, bytesEach),
  );
  try {
    const figures: Figure[] = [];
    for (const server of servers) {
      if (only !== undefined && only !== server.name) continue;
      const isEmbedded = server.name === 'embedded';
      const objects = isEmbedded || kind === 'move' ? objectCount : Math.ceil(objectCount / 10);
      if (!isEmbedded) await fill(server, objects, bytesEach);
      const run: OperationRun = {
        kind,
        folder,
        server: { endpoint: server.endpoint, keys: server.keys },
        bucket,
        prefix: 'many/',
        to: 'moved/',
        objects,
      };
      const measured = await inChild(program, run);
      await checkMoved(server, kind, objects);
      const title = `${kind === 'move' ? 'Moving' : 'Deleting'} ${objects} objects, ${server.name}`;
      figures.push(
        { name: title, value: measured.seconds, unit: 's' },
        { name: `${title}: speed`, value: objects / measured.seconds, unit: 'objects/s' },
        {
          name: `${title}: requests`,
          value: measured.requests / objects,
          unit: 'per object',
          limit: { kind: 'at-most', value: maxRequests[kind] },
        },
        { name: `${title}: processor`, value: measured.cpuSeconds, unit: 's' },
        { name: `${title}: memory`, value: measured.peakMiB, unit: 'MiB' },
      );
      if (kind === 'delete') figures.push(...(await besidePeers(server, folder, objects, bytesEach)));
    }
    return figures;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Deletes the same number of objects with each program, one after the other. Uses only part of a large bucket, because some
 * programs take minutes.
 */
async function besidePeers(
  server: BenchServer,
  folder: string,
  all: number,
  bytesEach: number,
): Promise<readonly Figure[]> {
  const objects = Math.min(all, maxBesidePeers);
  const program = await buildChild(new URL('./operations-child.ts', import.meta.url));
  const title = `Deleting ${objects} objects, ${server.name}`;
  const seconds = new Map<string, number>();
  for (const peer of deletionPeers(server, folder)) {
    await fill(server, objects, bytesEach);
    seconds.set(peer.name, (await peer.remove(bucket, 'many/')).seconds);
    await checkMoved(server, 'delete', objects);
  }
  await fill(server, objects, bytesEach);
  const bare = await bareDeletion(server, objects);
  await fill(server, objects, bytesEach);
  const idleBefore = processorTicks();
  const { seconds: alone } = await inChild(program, {
    kind: 'delete',
    folder,
    server: { endpoint: server.endpoint, keys: server.keys },
    bucket,
    prefix: 'many/',
    to: '',
    objects,
  });
  const idleAfter = processorTicks();
  const [fastest] = [...seconds].toSorted(([, left], [, right]) => left - right);
  return [
    { name: `${title}: Cooper`, value: alone, unit: 's' },
    { name: `${title}: the service's own pace`, value: bare, unit: 's' },
    {
      name: `${title}: processors of this computer, busy`,
      value: 100 * (1 - (idleAfter.idle - idleBefore.idle) / (idleAfter.all - idleBefore.all)),
      unit: '%',
    },
    ...[...seconds].map(([name, value]) => ({ name: `${title}: ${name}`, value, unit: 's' })),
    ...(fastest === undefined
      ? []
      : [
          {
            name: `${title}: as fast as ${fastest[0]}`,
            value: fastest[1] / alone,
            unit: 'times',
            limit: { kind: 'at-least', value: 1.5 } as const,
          },
          {
            name: `${title}: as fast as ${fastest[0]}, the limit by the service's own pace`,
            value: fastest[1] / bare,
            unit: 'times',
          },
        ]),
  ];
}

/** Reads the ticks of all processors since the system started (Linux; proc(5)). */
function processorTicks(): { readonly idle: number; readonly all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [, ...ticks] = line.trim().split(/\s+/).map(Number);
  // Idle time and waiting for a disk. Time of guests is already included in the fields before.
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { idle, all: ticks.slice(0, 8).reduce((sum, count) => sum + count, 0) };
}

/** Returns the seconds for the deletion requests alone, without any checks. No program can be faster. */
async function bareDeletion(server: BenchServer, objects: number): Promise<number> {
  const client = clientOf(server);
  const keys = keysOf(objects).map((key) => ({ key }));
  const batches = Array.from({ length: Math.ceil(objects / batchKeys) }, (_, index) =>
    keys.slice(index * batchKeys, (index + 1) * batchKeys),
  ).values();
  const begunMs = performance.now();
  const sender = async (): Promise<void> => {
    for (const batch of batches) await client.deleteObjects({ bucket, keys: batch });
  };
  await Promise.all(Array.from({ length: maxParallelBatches }, sender));
  const seconds = (performance.now() - begunMs) / 1000;
  await client.close();
  return seconds;
}

function clientOf(server: BenchServer): S3Client {
  return realClient(server);
}

function keysOf(objects: number): readonly string[] {
  return Array.from({ length: objects }, (_, index) => `many/${index % 100}/object-${index}.bin`);
}

/** Writes the objects in one transaction, because single ones would each wait for the disk. */
async function fillFolder(dataDir: string, objects: number, bytesEach: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const store = new Store(dataDir);
  const made = store.buckets.create(bucket, Date.now());
  if (made === null) throw new Error('The bucket already exists.');
  const facts = { modifiedMs: Date.now() };
  store.putObjects(
    made.id,
    keysOf(objects).map((key) => [key, smallObject(Buffer.alloc(bytesEach, key), facts)] as const),
  );
  await store.close();
}

async function fill(server: BenchServer, objects: number, bytesEach: number): Promise<void> {
  const client = clientOf(server);
  if (!(await client.listBuckets()).some(({ name }) => name === bucket))
    await client.createBucket({ bucket });
  const queue = keysOf(objects).values();
  const putter = async (): Promise<void> => {
    for (const key of queue) {
      const bytes = Buffer.alloc(bytesEach, key);
      await client.putObject({ bucket, key, body: { sizeBytes: bytesEach, open: () => bytes } });
    }
  };
  await Promise.all(Array.from({ length: putsAtOnce }, putter));
  await client.close();
}

/** Throws unless no source is left and the target has the expected number of objects. */
async function checkMoved(server: BenchServer, kind: OperationRun['kind'], objects: number): Promise<void> {
  const client = clientOf(server);
  const count = async (prefix: string): Promise<number> => {
    let found = 0;
    let pageToken: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof client.listObjects>> = await client.listObjects({
        bucket,
        prefix,
        ...(pageToken === null ? {} : { pageToken }),
      });
      found += page.objects.length;
      pageToken = page.nextPageToken;
    } while (pageToken !== null);
    return found;
  };
  const left = await count('many/');
  const moved = await count('moved/');
  await client.close();
  if (left !== 0 || moved !== (kind === 'move' ? objects : 0))
    throw new Error(`After the ${kind} ${left} objects are left, and ${moved} are at the target.`);
}

/** Runs the operation in a separate process, so that its memory and processor time can be measured. */
async function inChild(program: string, run: OperationRun): Promise<OperationMeasured> {
  const child = fork(program, [], { execPath: process.execPath, execArgv: [] });
  child.send({ ...run });
  const [result] = (await once(child, 'message')) as [OperationMeasured];
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return result;
}
