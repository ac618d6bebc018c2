import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./ceph-rgw', import.meta.url));
const programs = ['ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin', 'monmaptool'];

export interface Ceph {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  stop(): void;
}

/** Whether all of Ceph's programs are on the path. */
export function isCephInstalled(): boolean {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return programs.every((name) => folders.some((folder) => existsSync(path.join(folder, name))));
}

/** A throw-away Ceph RGW on a free port; takes some 15 seconds. `settings`: of the script `ceph-rgw`. */
export async function startCeph(settings: Readonly<Record<string, string>> = {}): Promise<Ceph> {
  const dir = path.join(mkdtempSync(path.join(os.tmpdir(), 'cooper-ceph-')), 'cluster');
  const ports = { RGW_PORT: String(await freePort()), RGW_MON_PORT: String(await freePort()) };
  const env = { ...process.env, ...settings, ...ports };
  const started = spawnSync(script, ['start', dir], { env, encoding: 'utf8' });
  const wipe = (): void => {
    spawnSync(script, ['wipe', dir], { env });
    rmSync(path.dirname(dir), { recursive: true, force: true });
  };
  if (started.status !== 0) {
    wipe();
    throw new Error(`Ceph did not start: ${started.stderr}`);
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
    region: said.get('S3_REGION') ?? 'us-east-1',
    accessKeyId: said.get('S3_ACCESS_KEY') ?? '',
    secretAccessKey: said.get('S3_SECRET_KEY') ?? '',
    stop: wipe,
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
