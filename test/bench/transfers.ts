import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { filesAtOnce, smallDownloadsAtOnce } from '../../electron/core/transfers/strategies.ts';
import type { TransferOrder } from '../support/engine.ts';
import { bytesOf } from '../support/uploads-rig.ts';
import { realClient } from '../support/real-client.ts';
import { buildChild } from './build-child.ts';
import { median, type Figure } from './report.ts';
import { peers } from './transfers-peers.ts';
import { startServers, type BenchServer } from './transfers-servers.ts';
import { bigFile } from './uploads-verify.ts';

export interface TransferRun extends TransferOrder {
  readonly folder: string;
  readonly server: Pick<BenchServer, 'endpoint' | 'keys'>;
}

export interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
}

interface Load {
  readonly name: string;
  readonly isLarge: boolean;
  readonly files: number;
  readonly bytesEach: number;
  readonly rounds: number;
}

const bucket = 'bench';
/** Each program several times, in turn: the median counts. */
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const requestsAtOnce = { upload: filesAtOnce, download: smallDownloadsAtOnce };
const partsAtOnce = 4;
const MiB = 1024 * 1024;

/** One object of 1 GiB, up and down, beside the peers with as many parts at once. */
export async function transfersLargeBench(): Promise<readonly Figure[]> {
  return await benchLoad({ name: '1 GiB', isLarge: true, files: 1, bytesEach: 1024 * MiB, rounds });
}

/** 10,000 objects of 4 KiB, up and down, beside the peers with as many files at once. */
export async function transfersSmallBench(): Promise<readonly Figure[]> {
  const files = Number(process.env['BENCH_FILES'] ?? 10_000);
  return await benchLoad({ name: `${files} x 4 KiB`, isLarge: false, files, bytesEach: 4096, rounds });
}

async function benchLoad(load: Load): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const program = await buildChild('./transfers-child.ts');
  const source = await makeSource(load, folder);
  const servers = await startServers(folder);
  try {
    const figures: Figure[] = [];
    for (const server of servers) figures.push(...(await benchServer(load, folder, source, program, server)));
    return figures;
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeSource(load: Load, folder: string): Promise<string> {
  if (load.isLarge) return (await bigFile(folder, load.bytesEach / MiB, 16)).file;
  const source = path.join(folder, 'small');
  const bytes = bytesOf(load.bytesEach, 7);
  for (let index = 0; index < load.files; index += 1) {
    const below = path.join(source, `folder-${index % 10}`);
    if (index < 10) mkdirSync(below, { recursive: true });
    bytes.writeUInt32LE(index, 0);
    writeFileSync(path.join(below, `file-${index}.bin`), bytes);
  }
  return source;
}

async function benchServer(
  load: Load,
  folder: string,
  source: string,
  program: string,
  server: BenchServer,
): Promise<readonly Figure[]> {
  await emptyBucket(server);
  // With as many requests as the program has at a time.
  const others = peers(server, folder, requestsAtOnce, partsAtOnce);
  const figures: Figure[] = [];
  for (const kind of ['upload', 'download'] as const) {
    const cooper = openProgram(program);
    const all = [{ name: 'Cooper', isSerial: false, transfer: cooper.transfer }, ...others];
    const measured = new Map<string, Measured[]>(all.map(({ name }) => [name, []]));
    for (let round = 0; round < load.rounds; round += 1) {
      for (const { name, isSerial, transfer } of all) {
        // What takes many files one by one takes minutes, and says the same each time.
        if (isSerial && !load.isLarge && round > 0) continue;
        // Each round into a place of its own. All fetch the same: what rclone has sent carries its MD5 in the metadata, by
        // which rclone verifies it as Cooper does by the ETag; what others have sent it takes unverified.
        const sent = others.some((one) => one.name === 'rclone') ? 'rclone' : 'Cooper';
        const place = kind === 'upload' ? `${name}-${round}/` : `${sent}-0/`;
        // Not the folder of the one before: ext4 seeks long for a new file's place among thousands just removed.
        const target = mkdtempSync(path.join(folder, 'fetched-'));
        const base = path.basename(source);
        const result = await transfer({
          kind,
          folder,
          server: { endpoint: server.endpoint, keys: server.keys },
          bucket,
          prefix: kind === 'upload' || load.isLarge ? place : `${place}${base}/`,
          key: load.isLarge ? `${place}${base}` : null,
          local: kind === 'upload' ? source : target,
        });
        if (kind === 'download') checkFetched(load, target, name);
        if (load.isLarge) rmSync(target, { recursive: true });
        measured.get(name)?.push(result);
      }
    }
    await cooper.close();
    figures.push(
      ...figuresOf(
        load,
        server,
        kind,
        measured,
        others.filter((one) => load.isLarge || !one.isSerial).map((one) => one.name),
      ),
    );
  }
  return figures;
}

function figuresOf(
  load: Load,
  server: BenchServer,
  kind: string,
  measured: ReadonlyMap<string, readonly Measured[]>,
  rivals: readonly string[],
): readonly Figure[] {
  const figures: Figure[] = [];
  const what = `${load.name} ${kind}, ${server.name}`;
  const secondsOf = (name: string): number => median((measured.get(name) ?? []).map((one) => one.seconds));
  const cpuOf = (name: string): number => median((measured.get(name) ?? []).map((one) => one.cpuSeconds));
  for (const name of measured.keys()) {
    figures.push({ name: `${what}: ${name}`, value: secondsOf(name), unit: 's' });
    figures.push({ name: `${what}: ${name}, processor`, value: cpuOf(name), unit: 's' });
  }
  const [first] = measured.get('Cooper') ?? [];
  // Its engine has compiled nothing yet, which counts where the whole takes some seconds.
  if (first !== undefined)
    figures.push({ name: `${what}: Cooper, the first since its start`, value: first.seconds, unit: 's' });
  const fastest = rivals.toSorted((left, right) => secondsOf(left) - secondsOf(right))[0];
  if (fastest !== undefined) {
    figures.push({
      name: `${what}: as fast as ${fastest}`,
      value: secondsOf(fastest) / secondsOf('Cooper'),
      unit: 'times',
      limit: { kind: 'at-least', value: 1 },
    });
    figures.push({
      name: `${what}: processor beside ${fastest}`,
      value: cpuOf('Cooper') / cpuOf(fastest),
      unit: 'times',
      ...(load.isLarge ? { limit: { kind: 'at-most', value: 1.5 } as const } : {}),
    });
  }
  figures.push({
    name: `${what}: memory`,
    value: Math.max(...(measured.get('Cooper') ?? []).map((one) => one.peakMiB)),
    unit: 'MiB',
    // The promise is about one large object; many small ones let the young objects' memory grow to what V8 allows.
    ...(load.isLarge ? { limit: { kind: 'at-most', value: 250 } as const } : {}),
  });
  return figures;
}

function checkFetched(load: Load, target: string, name: string): void {
  const found = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = found.reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
  if (found.length !== load.files || bytes !== load.files * load.bytesEach)
    throw new Error(`${name} fetched ${found.length} files of ${bytes} bytes.`);
}

async function emptyBucket(server: BenchServer): Promise<void> {
  const client = realClient(server);
  const buckets = await client.listBuckets();
  if (!buckets.some(({ name }) => name === bucket)) await client.createBucket({ bucket });
  for (;;) {
    const { objects } = await client.listObjects({ bucket });
    await Promise.all(objects.map(async ({ key }) => await client.deleteObject({ bucket, key })));
    if (objects.length === 0) break;
  }
  await client.close();
}

interface OpenProgram {
  readonly transfer: (run: TransferRun) => Promise<Measured>;
  readonly close: () => Promise<void>;
}

/** In a process of its own, so that its memory and processor time can be measured; it stays open for all rounds, as a desktop program does. */
function openProgram(file: string): OpenProgram {
  const child = fork(file, [], { execPath: process.execPath, execArgv: [] });
  const exited = once(child, 'exit');
  return {
    async transfer(run) {
      const answered = once(child, 'message') as Promise<[Measured]>;
      child.send({ ...run });
      const ended = exited.then(() => {
        throw new Error('The program ended before its transfer did.');
      });
      const [result] = await Promise.race([answered, ended]);
      return result;
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}
