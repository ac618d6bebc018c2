import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { coreOfAddress } from '../../support/window/core-of-address.ts';
import { startCooper } from '../../support/window/start-cooper.ts';
import { median, type Figure } from '../report.ts';
import { writePackagesPage } from './packages-page.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const starts = 5;
const settleMs = 10_000;
const idleMs = 30_000;
/** `USER_HZ` of Linux, in which /proc counts. */
const ticksPerSecond = 100;
/** Folders and files that a clone does not contain. */
const notCloned = new Set(['.cache', '.git', 'dist', 'node_modules', 'release']);

/**
 * Measures the first build of a fresh clone compared with a build of the packages alone, the start after it compared with Node's
 * own, and the program's idle load (Linux).
 */
export async function programBench(): Promise<readonly Figure[]> {
  const built = await buildFreshClone();
  const packagesSeconds = await secondsToBuildPackages();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'cooper-bench-'));
  try {
    // The first start creates the samples.
    const first = await idle(dataDir, 0);
    const readyMs: number[] = [];
    const answeredMs: number[] = [];
    const nodeMs: number[] = [];
    const listeningMs: number[] = [];
    for (let round = 0; round < starts; round += 1) {
      nodeMs.push(await untilItPrints('process.stdout.write("ready")'));
      listeningMs.push(await untilItPrints(listening));
      const begunMs = performance.now();
      const cooper = await startCooper({ dataDir });
      readyMs.push(cooper.readyAfterMs);
      const window = await coreOfAddress(cooper.address);
      await window.core.connections.list();
      answeredMs.push(performance.now() - begunMs);
      window.close();
      await cooper.end();
    }
    const later = await idle(dataDir, idleMs);
    return [
      { name: 'first build of a fresh clone', value: built.seconds, unit: 's' },
      { name: "vite build of an empty page with the window's packages", value: packagesSeconds, unit: 's' },
      {
        name: "first build over that of an empty page with the window's packages",
        value: built.seconds / packagesSeconds,
        unit: 'x',
        limit: atMost(3),
      },
      { name: 'first build: processor time', value: built.cpuSeconds, unit: 's' },
      { name: 'ready after a finished build', value: median(readyMs), unit: 'ms' },
      { name: 'ready: the floor, Node that listens', value: median(listeningMs), unit: 'ms' },
      { name: 'ready: the floor, Node alone', value: median(nodeMs), unit: 'ms' },
      {
        name: 'ready over Node that listens',
        value: median(readyMs) / median(listeningMs),
        unit: 'x',
        limit: atMost(2.5),
      },
      { name: 'the core answers a window that connects at once', value: median(answeredMs), unit: 'ms' },
      { name: 'idle program: memory', value: later.memoryMiB, unit: 'MiB', limit: atMost(120) },
      { name: 'idle program: memory, after it made its samples', value: first.memoryMiB, unit: 'MiB' },
      { name: 'idle program: processor in 30 s', value: later.cpuSeconds, unit: 's', limit: atMost(0.05) },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Returns the seconds that vite takes to build an empty page with the packages of the window. */
async function secondsToBuildPackages(): Promise<number> {
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const begunMs = performance.now();
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error', writePackagesPage()], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  if (status !== 0) throw new Error('The page with packages alone could not be built.');
  return (performance.now() - begunMs) / 1000;
}

async function buildFreshClone(): Promise<{ readonly seconds: number; readonly cpuSeconds: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cooper-bench-clone-'));
  try {
    await cp(root, folder, {
      recursive: true,
      filter: (source) => !notCloned.has(path.relative(root, source)),
    });
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const begunMs = performance.now();
    const before = childrenSeconds();
    const child = spawn(process.execPath, [path.join(folder, 'build/scripts/run.mjs'), 'build'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [status] = (await once(child, 'exit')) as [number | null];
    if (status !== 0) throw new Error('The clone could not be built.');
    return { seconds: (performance.now() - begunMs) / 1000, cpuSeconds: childrenSeconds() - before };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the idle program without a window: the core and the sample service, in one process. */
async function idle(
  dataDir: string,
  forMs: number,
): Promise<{ readonly memoryMiB: number; readonly cpuSeconds: number }> {
  const cooper = await startCooper({ dataDir });
  try {
    await delay(settleMs);
    const before = processorSeconds(cooper.pid);
    await delay(forMs);
    return { memoryMiB: residentMiB(cooper.pid), cpuSeconds: processorSeconds(cooper.pid) - before };
  } finally {
    await cooper.end();
  }
}

function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

const listening = `process.getBuiltinModule('node:http').createServer()
  .listen(0, '127.0.0.1', () => process.stdout.write('ready'))`;

/** Returns the milliseconds until Node, running this program, prints something. */
async function untilItPrints(program: string): Promise<number> {
  const begunMs = performance.now();
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  const afterMs = performance.now() - begunMs;
  child.kill();
  await exited;
  return afterMs;
}

function processorSeconds(pid: number): number {
  const [, , , , , , , , , , , user, system] = statOf(pid);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

/** Returns the processor seconds of all child processes that have exited. */
function childrenSeconds(): number {
  const [, , , , , , , , , , , , , user, system] = statOf(process.pid);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  // The program's name may contain any characters. After it, the fields begin with the third.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function atMost(value: number): { readonly kind: 'at-most'; readonly value: number } {
  return { kind: 'at-most', value };
}
