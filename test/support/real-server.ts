import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A service that others wrote, run by a script beside this file: `start DIR` prints its settings, `wipe DIR` removes it. */
export interface ServerScript {
  readonly name: string;
  /** Beside this file. */
  readonly script: string;
  readonly programs: readonly string[];
  /** The environment variables that name its ports, from the ports that are free. */
  readonly ports: () => Promise<Readonly<Record<string, string>>>;
}

export interface RealServer {
  readonly endpoint: string;
  /** Whose sub-domains are buckets. */
  readonly virtualHostEndpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): void;
}

/** The first of the programs that is not there; null: all are. Debian has some where a user's PATH does not look. */
export function missingProgram({ programs }: ServerScript): string | null {
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
  ];
  return programs.find((name) => !folders.some((folder) => existsSync(path.join(folder, name)))) ?? null;
}

/** Starts the server in a new folder, on free ports. Throws what the script said where it does not start. */
export async function startServer(
  server: ServerScript,
  settings: Readonly<Record<string, string>>,
): Promise<RealServer> {
  const script = fileURLToPath(new URL(server.script, import.meta.url));
  const dir = path.join(mkdtempSync(path.join(os.tmpdir(), `cooper-${server.script}-`)), 'data');
  const env = { ...process.env, ...settings, ...(await server.ports()) };
  const started = spawnSync(script, ['start', dir], { env, encoding: 'utf8' });
  const wipe = (): void => {
    spawnSync(script, ['wipe', dir], { env });
    rmSync(path.dirname(dir), { recursive: true, force: true });
  };
  if (started.status !== 0) {
    wipe();
    throw new Error(`${server.name} did not start: ${started.stderr}`);
  }
  const said = new Map(
    started.stdout
      .split('\n')
      .map((line) => /^(\w+)=(.*)$/.exec(line))
      .filter((match) => match !== null)
      .map((match) => [match[1] ?? '', (match[2] ?? '').replaceAll(/^'|'$/g, '')]),
  );
  return {
    endpoint: said.get('S3_ENDPOINT') ?? '',
    virtualHostEndpoint: said.get('S3_VHOST_ENDPOINT') ?? '',
    region: said.get('S3_REGION') ?? 'us-east-1',
    accessKeyId: said.get('S3_ACCESS_KEY') ?? '',
    secretAccessKey: said.get('S3_SECRET_KEY') ?? '',
    stop: wipe,
  };
}

/** The first of so many ports in a row that nobody listens on. */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const held: Server[] = [];
    try {
      const first = await listen(held, 0);
      for (let port = first + 1; port < first + count; port += 1) await listen(held, port);
      return first;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    } finally {
      await Promise.all(held.map(async (server) => await new Promise((resolve) => server.close(resolve))));
    }
  }
  throw new Error(`There are no ${count} free ports in a row.`);
}

async function listen(held: Server[], port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  held.push(server);
  return (server.address() as AddressInfo).port;
}
