import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startService } from '../../support/lab-service/server.ts';
import { cephServer } from '../../support/servers/ceph.ts';
import { missingProgram, startServer, type ServerScript } from '../../support/servers/real-server.ts';
import { swiftServer } from '../../support/servers/swift.ts';
import { differences } from './compare.ts';
import type { Observations } from './observations.ts';

/**
 * Runs the conformance suite against the embedded service and, if installed, temporary servers of Ceph RGW and Swift. Prints a
 * table of their differences. Exits with status 1 if a suite failed.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cooper-conformance-'));

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
  for (const server of [cephServer, swiftServer]) {
    const missing = missingProgram(server);
    if (missing === null) await withReal(server, check);
    else console.log(`skipped: ${server.name} (${missing} not installed)`);
  }

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

async function withReal(script: ServerScript, check: (endpoint: Endpoint) => Promise<void>): Promise<void> {
  const server = await startServer(script, {});
  try {
    await check({
      name: script.name,
      env: {
        S3_ENDPOINT: server.endpoint,
        S3_VHOST_ENDPOINT: server.virtualHostEndpoint,
        S3_REGION: server.region,
        S3_ACCESS_KEY: server.accessKeyId,
        S3_SECRET_KEY: server.secretAccessKey,
      },
    });
  } finally {
    server.stop();
  }
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
