import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TransferOrder } from '../../support/core/engine.ts';
import { bytesOf } from '../../support/core/uploads-rig.ts';
import { realClient } from '../../support/servers/real-client.ts';
import { buildChild } from '../support/build-child.ts';
import { openProgram } from '../support/open-program.ts';
import { plainRanges } from './plain-ranges.ts';
import { median, type Figure } from '../report.ts';
import { peers, type AtOnceOfPeers } from '../support/peers.ts';
import type { BenchServer } from '../support/bench-servers.ts';
import { bigFile } from '../uploads/uploads-verify.ts';

export interface TransferRun extends TransferOrder {
  readonly folder: string;
  readonly server: Pick<BenchServer, 'endpoint' | 'keys'>;
}

export interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  /** Memory before the first transfer, for a program that stays open. */
  readonly startMiB?: number;
}

export interface Load {
  readonly name: string;
  readonly isLarge: boolean;
  readonly files: number;
  readonly bytesEach: number;
  readonly rounds: number;
  readonly peersAtOnce: AtOnceOfPeers;
  /** The names of the programs to compare with. Absent for all that are installed. */
  readonly peers?: readonly string[];
  readonly servers: (folder: string) => Promise<readonly BenchServer[]>;
  /** Returns the limits for a server; absent values are not checked. */
  readonly promised: (server: string, kind: TransferRun['kind']) => TransferPromise;
}

export interface TransferPromise {
  /** The time limit is `times` that of this peer, or of the fastest peer if absent. */
  readonly peer?: string;
  readonly times?: number;
  /** The time limit in seconds, for far servers, where most of the time is latency. */
  readonly seconds?: number;
  /** The maximum processor time, relative to the peer's. */
  readonly processor?: number;
  readonly memoryMiB?: number;
}

const bucket = 'bench';
/** A peer that is this many times slower than the fastest peer, or than Cooper, in the first round is not run again. */
const tooSlow = { besidePeer: 1.2, besideCooper: 1.5 } as const;
/** The number of connections, the same as in Cooper's default settings. */
const plainConnections = 4;
const MiB = 1024 * 1024;

/**
 * Uploads and downloads the load on each of its servers, compared with the peers. Fast programs alternate for several rounds,
 * and the median counts.
 */
export async function benchLoad(load: Load): Promise<readonly Figure[]> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-'));
  const program = await buildChild(new URL('./transfers-child.ts', import.meta.url));
  const source = await makeSource(load, folder);
  const servers = await load.servers(folder);
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
  // Leaves out programs that transfer many files one by one, because they take minutes.
  const others = peers(server, folder, load.peersAtOnce).filter(
    ({ name, isSerial }) => (load.isLarge || !isSerial) && load.peers?.includes(name) !== false,
  );
  const figures: Figure[] = [];
  for (const kind of ['upload', 'download'] as const) {
    const plainSeconds: number[] = [];
    const cooper = openProgram(program);
    let all = [{ name: 'Cooper', transfer: cooper.transfer }, ...others];
    const measured = new Map<string, Measured[]>(all.map(({ name }) => [name, []]));
    // All programs download the same objects: those that rclone uploaded, if installed. They have the MD5 in their metadata, by
    // which rclone verifies them, as Cooper does by the ETag. rclone would not verify objects of other programs.
    const sent = `${others.some((other) => other.name === 'rclone') ? 'rclone' : 'Cooper'}-0/`;
    const base = path.basename(source);
    for (let round = 0; round < load.rounds; round += 1) {
      if (load.isLarge && kind === 'download')
        plainSeconds.push(
          await plainRanges(server, {
            bucket,
            key: `${sent}${base}`,
            sizeBytes: load.bytesEach,
            connections: plainConnections,
          }),
        );
      for (const { name, transfer } of all) {
        // Each round has a separate target.
        const place = kind === 'upload' ? `${name}-${round}/` : sent;
        // Uses a new folder each time, because ext4 is slow to create files in a folder from which thousands were just removed.
        const target = mkdtempSync(path.join(folder, 'fetched-'));
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
      const firstOf = (name: string): number => measured.get(name)?.[0]?.seconds ?? Number.NaN;
      const maxSeconds = Math.min(
        tooSlow.besidePeer * Math.min(...others.map(({ name }) => firstOf(name))),
        tooSlow.besideCooper * firstOf('Cooper'),
      );
      all = all.filter(({ name }) => name === 'Cooper' || firstOf(name) <= maxSeconds);
    }
    await cooper.close();
    figures.push(
      ...figuresOf(
        load,
        server,
        kind,
        measured,
        others.map((other) => other.name),
        plainSeconds,
      ),
    );
  }
  return figures;
}

function figuresOf(
  load: Load,
  server: BenchServer,
  kind: TransferRun['kind'],
  measured: ReadonlyMap<string, readonly Measured[]>,
  rivals: readonly string[],
  plainSeconds: readonly number[],
): readonly Figure[] {
  const figures: Figure[] = [];
  const title = `${load.name} ${kind}, ${server.name}`;
  const promised = load.promised(server.name, kind);
  const secondsOf = (name: string): number => median((measured.get(name) ?? []).map((run) => run.seconds));
  const cpuOf = (name: string): number => median((measured.get(name) ?? []).map((run) => run.cpuSeconds));
  for (const name of measured.keys()) {
    figures.push({
      name: `${title}: ${name}`,
      value: secondsOf(name),
      unit: 's',
      ...(name === 'Cooper' ? limitOf('at-most', promised.seconds) : {}),
    });
    figures.push({ name: `${title}: ${name}, processor`, value: cpuOf(name), unit: 's' });
  }
  const [first] = measured.get('Cooper') ?? [];
  // In the first run, the engine has not compiled any code yet, which matters if the run takes only seconds.
  if (first !== undefined)
    figures.push({ name: `${title}: Cooper, the first since its start`, value: first.seconds, unit: 's' });
  const fastest = rivals.toSorted((left, right) => secondsOf(left) - secondsOf(right))[0];
  const peer = rivals.find((name) => name === promised.peer) ?? fastest;
  if (peer !== undefined) {
    figures.push({
      name: `${title}: as fast as ${peer}`,
      value: secondsOf(peer) / secondsOf('Cooper'),
      unit: 'times',
      ...limitOf('at-least', promised.times),
    });
    figures.push({
      name: `${title}: processor beside ${peer}`,
      value: cpuOf('Cooper') / cpuOf(peer),
      unit: 'times',
      ...limitOf('at-most', promised.processor),
    });
  }
  if (plainSeconds.length > 0) {
    const plain = median(plainSeconds);
    figures.push(
      {
        name: `${title}: plain ranges by ${plainConnections} connections, kept nowhere`,
        value: plain,
        unit: 's',
      },
      { name: `${title}: beside plain ranges`, value: secondsOf('Cooper') / plain, unit: 'times' },
    );
  }
  if (first?.startMiB !== undefined)
    figures.push({ name: `${title}: memory before the first transfer`, value: first.startMiB, unit: 'MiB' });
  figures.push({
    name: `${title}: memory`,
    value: Math.max(...(measured.get('Cooper') ?? []).map((run) => run.peakMiB)),
    unit: 'MiB',
    ...limitOf('at-most', promised.memoryMiB),
  });
  return figures;
}

function limitOf(kind: 'at-least' | 'at-most', value: number | undefined): Pick<Figure, 'limit'> {
  return value === undefined ? {} : { limit: { kind, value } };
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
