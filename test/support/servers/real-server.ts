import { execFile, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atExit } from '../at-exit.ts';

/** A third-party server, which a script next to this file runs: `start DIR` prints its settings, `wipe DIR` removes it. */
export interface ServerScript {
  readonly name: string;
  /** The name of the script, next to this file. */
  readonly script: string;
  readonly programs: readonly string[];
  /** Returns environment variables that set its ports to free ones. */
  readonly ports: () => Promise<Readonly<Record<string, string>>>;
}

export interface RealServer {
  readonly endpoint: string;
  /** The endpoint for virtual-host addressing: its subdomains are buckets. */
  readonly virtualHostEndpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): void;
}

/**
 * Returns the first program that is not installed, or null if all are. Also searches folders that are missing from a user's PATH
 * on Debian.
 */
export function missingProgram({ programs }: ServerScript): string | null {
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
  ];
  return programs.find((name) => !folders.some((folder) => existsSync(path.join(folder, name)))) ?? null;
}

/** The environment variable that names the folder of the servers shared by a run. */
const sharedFolder = 'COOPER_TEST_SERVERS';

const scriptOf = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/**
 * Makes the processes of this run share every server started without settings. Returns a function that wipes the servers at the
 * end. Does nothing within a run that already shares its servers, which then wipes them.
 */
export function shareServers(): () => void {
  if (process.env[sharedFolder] !== undefined) return () => undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cooper-servers-'));
  process.env[sharedFolder] = folder;
  return () => {
    for (const script of readdirSync(folder))
      spawnSync(scriptOf(script), ['wipe', path.join(folder, script)]);
    rmSync(folder, { recursive: true, force: true });
    delete process.env[sharedFolder];
  };
}

/**
 * Starts the server on free ports, or joins the one shared by this run. A server with `settings` is never shared. Throws the
 * script's output if the server does not start.
 */
export async function startServer(
  server: ServerScript,
  settings: Readonly<Record<string, string>>,
): Promise<RealServer> {
  const shared = process.env[sharedFolder];
  const env = { ...settings, ...(await server.ports()) };
  // The script locks the folder, so a second caller waits and gets the ports of the first.
  if (shared !== undefined && Object.keys(settings).length === 0)
    return { ...(await runStart(server, path.join(shared, server.script), env)), stop: () => undefined };
  const folder = mkdtempSync(path.join(os.tmpdir(), `cooper-${server.script}-`));
  const dir = path.join(folder, 'data');
  const wipe = (): void => {
    spawnSync(scriptOf(server.script), ['wipe', dir]);
    rmSync(folder, { recursive: true, force: true });
  };
  // Also wipes the server if a benchmark or torture test is stopped by a signal.
  const stays = atExit(wipe);
  const stop = (): void => {
    stays();
    wipe();
  };
  try {
    return { ...(await runStart(server, dir, env)), stop };
  } catch (thrown) {
    stop();
    throw thrown;
  }
}

async function runStart(
  server: ServerScript,
  dir: string,
  env: Readonly<Record<string, string>>,
): Promise<Omit<RealServer, 'stop'>> {
  const { stdout } = await promisify(execFile)(scriptOf(server.script), ['start', dir], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  }).catch((thrown: unknown) => {
    const { stderr } = thrown as { readonly stderr?: string };
    throw new Error(`${server.name} did not start: ${stderr ?? String(thrown)}`, { cause: thrown });
  });
  const printed = new Map(
    stdout
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[1] ?? '', (match[2] ?? '').replaceAll(/^'|'$/g, '')]),
  );
  return {
    endpoint: printed.get('S3_ENDPOINT') ?? '',
    virtualHostEndpoint: printed.get('S3_VHOST_ENDPOINT') ?? '',
    region: printed.get('S3_REGION') ?? 'us-east-1',
    accessKeyId: printed.get('S3_ACCESS_KEY') ?? '',
    secretAccessKey: printed.get('S3_SECRET_KEY') ?? '',
  };
}

/** The lowest port number that systems assign. A server that starts slowly may find such a port in use. */
const firstEphemeralPort = 32_768;
const firstPort = 10_000;

/** Returns the first of `count` consecutive free ports. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const held: Server[] = [];
    const first = randomInt(firstPort, firstEphemeralPort - count);
    try {
      for (let port = first; port < first + count; port += 1) await listen(held, port);
      return first;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    } finally {
      await Promise.all(held.map(async (server) => await new Promise((resolve) => server.close(resolve))));
    }
  }
  throw new Error(`There are no ${count} free ports in a row.`);
}

async function listen(held: Server[], port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  held.push(server);
}
