import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { everyObject } from '../../../shared/models/walks.ts';
import { isInstalled } from '../../support/installed.ts';
import { buildChild } from '../support/build-child.ts';
import { median, type Bench, type BenchRequest, type Figure } from '../report.ts';
import type { Measured } from '../transfers/transfers-load.ts';
import { timed } from '../support/peers.ts';
import { sizeOf } from './walk-keys.ts';
import type { WalkServerOptions, WalkServerWork } from './walk-server.ts';
import type { WalkMeasured, WalkRun } from './walks-child.ts';

const keyCount = 1_000_000;
/** The peers list only a fifth of the keys, which saves minutes. They list page by page, so their time is proportional. */
const keysOfPeers = keyCount / 5;
const rounds = 3;
const debianAws = '/usr/bin/aws';

/** A peer, and for each latency how many times faster than the peer the walk must be. The peer only runs at these latencies. */
interface Promised {
  readonly name: string;
  readonly command: string;
  readonly parameters: (endpoint: string) => readonly string[];
  readonly timesAtMs: Readonly<Partial<Record<number, number>>>;
  readonly treeOnly: boolean;
}

const remote = (endpoint: string): string =>
  `:s3,provider=Other,env_auth=true,region=us-east-1,force_path_style=true,endpoint="${endpoint}":bench`;

const peers: readonly Promised[] = [
  {
    name: 'rclone size',
    command: 'rclone',
    parameters: (endpoint) => ['size', remote(endpoint)],
    timesAtMs: { 0: 3, 25: 8 },
    treeOnly: false,
  },
  {
    name: 'rclone size --disable ListR',
    command: 'rclone',
    parameters: (endpoint) => ['size', '--disable', 'ListR', remote(endpoint)],
    timesAtMs: { 25: 2 },
    treeOnly: true,
  },
  {
    name: 'aws s3 ls --recursive --summarize',
    command: debianAws,
    parameters: (endpoint) => [
      's3',
      'ls',
      '--recursive',
      '--summarize',
      '--endpoint-url',
      endpoint,
      's3://bench',
    ],
    timesAtMs: { 25: 20 },
    treeOnly: false,
  },
];

const cases = ['flat-25', 'flat-100', 'flat-0', 'search', 'tree-25', 'tree-0'] as const;

/** The time limit in seconds at a latency of 100 ms, as over the internet. */
const maxSecondsFar = 4.5;

/** Measures a walk of a million keys, compared with rclone and awscli. The pages cost the server next to nothing. */
export const walksBench: Bench = Object.assign(
  async (request: BenchRequest): Promise<readonly Figure[]> => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-bench-walks-'));
    const wanted = cases.filter((name) => request.cases.size === 0 || request.cases.has(name));
    try {
      const program = await buildChild(new URL('./walks-child.ts', import.meta.url));
      const figures: Figure[] = [];
      for (const shape of ['flat', 'tree'] as const) {
        const here = wanted.filter((name) => (name === 'search' ? 'flat' : name.split('-')[0]) === shape);
        if (here.length === 0) continue;
        const server = await startServer({ shape, keyCount, latencyMs: 0 });
        const fewer = await startServer({ shape, keyCount: keysOfPeers, latencyMs: 0 });
        try {
          for (const caseName of here) {
            if (caseName === 'search') figures.push(...(await search(program, folder, server)));
            else {
              const latencyMs = Number(caseName.split('-')[1]);
              figures.push(
                ...(await compare({ program, folder, server, fewer, shape, latencyMs }, request.isAlone)),
              );
            }
          }
        } finally {
          await fewer.stop();
          await server.stop();
        }
      }
      return figures;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  { cases },
);

interface Compared {
  readonly program: string;
  readonly folder: string;
  readonly server: Server;
  /** The server with fewer keys, for the peers. */
  readonly fewer: Server;
  readonly shape: 'flat' | 'tree';
  readonly latencyMs: number;
}

async function compare(
  { program, folder, server, fewer, shape, latencyMs }: Compared,
  isAlone: boolean,
): Promise<readonly Figure[]> {
  const where = `${shape}, ${latencyMs} ms`;
  const ours: WalkMeasured[] = [];
  const serverCpu: number[] = [];
  await server.work(latencyMs);
  for (let round = 0; round < rounds; round += 1) {
    const walked = await walkInChild(program, {
      endpoint: server.endpoint,
      bucket: 'bench',
      dataDir: folder,
      query: null,
    });
    insist(walked);
    ours.push(walked);
    const { cpuMs, requests } = await server.work(latencyMs);
    serverCpu.push(cpuMs / requests);
  }
  const seconds = median(ours.map((run) => run.seconds));
  const figures: Figure[] = [
    {
      name: `walk of 1,000,000 keys, ${where}`,
      value: seconds,
      unit: 's',
      ...(latencyMs === 100 ? { limit: { kind: 'at-most', value: maxSecondsFar } as const } : {}),
    },
    { name: `keys per second, ${where}`, value: keyCount / seconds, unit: '/s' },
    { name: `requests, ${where}`, value: median(ours.map((run) => run.status.requests)), unit: '' },
    { name: `processor time, ${where}`, value: median(ours.map((run) => run.cpuSeconds)), unit: 's' },
    {
      name: `memory, ${where}`,
      value: Math.max(...ours.map((run) => run.peakMiB)),
      unit: 'MiB',
      limit: { kind: 'at-most', value: 200 },
    },
    {
      name: `the server's processor time per page, ${where}`,
      value: median(serverCpu),
      unit: 'ms',
      limit: { kind: 'at-most', value: 2 },
    },
  ];
  await fewer.work(latencyMs);
  for (const peer of isAlone ? [] : peers) {
    const times = peer.timesAtMs[latencyMs];
    if (times === undefined || !isInstalled(peer.command) || (peer.treeOnly && shape === 'flat')) continue;
    const theirs = await timed(environment(folder), peer.command, peer.parameters(fewer.endpoint));
    figures.push(...against(peer, theirs, seconds, where, times));
  }
  return figures;
}

function against(
  peer: Promised,
  theirs: Measured,
  ourSeconds: number,
  where: string,
  promisedTimes: number,
): readonly Figure[] {
  return [
    { name: `${peer.name}, ${keysOfPeers} keys, ${where}`, value: theirs.seconds, unit: 's' },
    {
      name: `${peer.name}, ${keysOfPeers} keys, processor time, ${where}`,
      value: theirs.cpuSeconds,
      unit: 's',
    },
    {
      name: `as fast as ${peer.name}, by the key, ${where}`,
      value: theirs.seconds / keysOfPeers / (ourSeconds / keyCount),
      unit: 'times',
      limit: { kind: 'at-least', value: promisedTimes },
    },
  ];
}

/** Measures a search that matches everything, with a million rows in its table. */
async function search(program: string, folder: string, server: Server): Promise<readonly Figure[]> {
  await server.work(25);
  const found = await walkInChild(program, {
    endpoint: server.endpoint,
    bucket: 'bench',
    dataDir: folder,
    query: everyObject,
  });
  insist(found);
  return [
    { name: 'search that finds 1,000,000 keys, flat, 25 ms', value: found.seconds, unit: 's' },
    {
      name: 'memory of that search',
      value: found.peakMiB,
      unit: 'MiB',
      limit: { kind: 'at-most', value: 200 },
    },
  ];
}

/** Throws if the walk's sums are wrong, since its time would then mean nothing. */
function insist({ status }: WalkMeasured): void {
  let sizeBytes = 0;
  for (let index = 0; index < keyCount; index += 1) sizeBytes += sizeOf(index);
  if (status.keys !== keyCount || status.sizeBytes !== sizeBytes || status.isSequential)
    throw new Error(`The walk is wrong: ${JSON.stringify(status)}`);
}

interface Server {
  readonly endpoint: string;
  /** Returns the server's work since the previous call. From now on, responses take `latencyMs`. */
  work(latencyMs: number): Promise<WalkServerWork>;
  stop(): Promise<void>;
}

export async function startServer(request: WalkServerOptions): Promise<Server> {
  const program = fileURLToPath(new URL('./walk-server.ts', import.meta.url));
  const child: ChildProcess = fork(program, [], { execPath: process.execPath });
  child.send(request);
  const [{ endpoint }] = (await once(child, 'message')) as [{ endpoint: string }];
  return {
    endpoint,
    work: async (latencyMs) => {
      child.send({ latencyMs });
      const [work] = (await once(child, 'message')) as [WalkServerWork];
      return work;
    },
    stop: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** Runs the walk in a separate process, so that its memory can be measured. */
export async function walkInChild(program: string, input: WalkRun): Promise<WalkMeasured> {
  const child = fork(program, [], { execPath: process.execPath, execArgv: [] });
  child.send(input);
  const [result] = (await once(child, 'message')) as [WalkMeasured];
  const exited = once(child, 'exit');
  child.disconnect();
  await exited;
  return result;
}

function environment(folder: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    AWS_ACCESS_KEY_ID: 'BENCH',
    AWS_SECRET_ACCESS_KEY: 'bench-secret',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}
