import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../../../electron/service/server.ts';
import { differences } from './compare.ts';
import type { Observations } from './observations.ts';

/**
 * Runs the conformance suite against the embedded service and, where its programs are installed, against a throw-away
 * Ceph RGW; prints what differs. Exit status 1: a suite failed.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cooper-conformance-'));
const ceph = join(root, 'test/support/ceph-rgw');

interface Endpoint {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
}

async function main(): Promise<boolean> {
  const results: boolean[] = [];
  const files: string[] = [];
  const check = async (endpoint: Endpoint): Promise<void> => {
    const file = join(folder, `${files.length}.json`);
    results.push(await runSuite(endpoint, file));
    if (existsSync(file)) files.push(file);
  };

  await withEmbedded(check);
  const missing = missingCephProgram();
  if (missing === null) await withCeph(check);
  else console.log(`skipped: Ceph RGW (${missing} not installed)`);

  const observations = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Observations);
  if (observations.length > 1) console.log(`\n${differences(observations)}`);
  return results.length > 0 && results.every(Boolean);
}

async function withEmbedded(check: (endpoint: Endpoint) => Promise<void>): Promise<void> {
  const accessKeyId = 'CONFORMANCEKEY';
  const secretAccessKey = 'conformanceSecretKey000000000000000000001';
  const service = await startService({
    dataDir: join(folder, 'embedded'),
    region: 'us-east-1',
    credentials: [{ accessKeyId, secretAccessKey }],
  });
  try {
    await check({
      name: 'embedded service',
      env: {
        S3_ENDPOINT: service.endpoint,
        S3_VHOST_ENDPOINT: `http://s3.localhost:${service.port}`,
        S3_REGION: 'us-east-1',
        S3_ACCESS_KEY: accessKeyId,
        S3_SECRET_KEY: secretAccessKey,
        CONFORMANCE_STRICT: '1',
      },
    });
  } finally {
    await service.close();
  }
}

function missingCephProgram(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  const programs = ['ceph-mon', 'ceph-osd', 'ceph', 'radosgw', 'radosgw-admin', 'monmaptool'];
  return programs.find((program) => !folders.some((path) => existsSync(join(path, program)))) ?? null;
}

async function withCeph(check: (endpoint: Endpoint) => Promise<void>): Promise<void> {
  const cluster = join(folder, 'ceph');
  const [port, monitorPort] = await freePorts(2);
  const env = { ...process.env, RGW_PORT: String(port), RGW_MON_PORT: String(monitorPort) };
  try {
    const started = spawnSync(ceph, ['start', cluster], { env, encoding: 'utf8' });
    if (started.status !== 0) throw new Error(`Ceph RGW did not start:\n${started.stderr}`);
    const settings = Object.fromEntries(
      started.stdout
        .trim()
        .split('\n')
        .map((line) => {
          const equals = line.indexOf('=');
          return [line.slice(0, equals), line.slice(equals + 1)];
        }),
    );
    await check({ name: 'Ceph RGW', env: settings });
  } finally {
    spawnSync(ceph, ['wipe', cluster], { env });
  }
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(async (server) => await new Promise((resolve) => server.close(resolve))));
  return ports;
}

async function runSuite(endpoint: Endpoint, file: string): Promise<boolean> {
  console.log(`\nConformance of ${endpoint.name} (${endpoint.env['S3_ENDPOINT']})`);
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'build/vite/conformance.config.ts'],
    {
      cwd: root,
      env: { ...process.env, ...endpoint.env, CONFORMANCE_NAME: endpoint.name, CONFORMANCE_OUT: file },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code === 0));
  });
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
