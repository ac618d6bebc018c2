import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { scriptFlags } from '../../build/scripts/script-flags.ts';
import { startService } from '../support/lab-service/server.ts';
import { passedTests } from './junit.ts';

/**
 * `S3_TESTS=DIR npm run test:s3-tests`: runs the tests of ceph/s3-tests named in passing.txt against the embedded service; each
 * has to pass. DIR is a checkout of the suite; python3 needs its libraries (Debian: python3-pytest, python3-boto3,
 * python3-munch, python3-isodate, python3-requests, python3-httplib2, python3-lxml, python3-tz). `-- --update` runs every test
 * of the groups that the service claims and rewrites the list.
 */
const list = new URL('passing.txt', import.meta.url);
const files = ['s3tests/functional/test_s3.py', 's3tests/functional/test_headers.py'];

/** Groups that test features which the service does not have, or that wait for days to pass. */
const unclaimed = [
  'appendobject',
  'auth_aws2',
  'bucket_encryption',
  'bucket_logging',
  'bucket_policy',
  'cloud_restore',
  'cloud_transition',
  'encryption',
  'iam_account',
  'iam_cross_account',
  'iam_role',
  'iam_tenant',
  'iam_user',
  'lifecycle_expiration',
  'lifecycle_transition',
  'object_lock',
  'object_ownership',
  's3select',
  's3website',
  'sse_s3',
];

const { values } = scriptFlags(
  { usage: 'Usage: S3_TESTS=FOLDER npm run test:s3-tests [-- --update]' },
  { update: { type: 'boolean', default: false } },
);

async function main(suite: string): Promise<number> {
  if (!existsSync(path.join(suite, files[0] ?? ''))) {
    say('Set S3_TESTS to a checkout of https://github.com/ceph/s3-tests. Nothing was run.');
    return 2;
  }
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'cooper-s3-tests-'));
  const service = await startService({
    dataDir: path.join(scratch, 'data'),
    credentials: users.map(({ accessKeyId, secretAccessKey }) => ({ accessKeyId, secretAccessKey })),
    region: 'us-east-1',
  });
  try {
    const config = path.join(scratch, 's3tests.conf');
    writeFileSync(config, configuration(service.port));
    const report = path.join(scratch, 'report.xml');
    const pinned = readFileSync(list, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const chosen = values.update ? ['-m', `not (${unclaimed.join(' or ')})`, ...files] : pinned;
    const child = spawn(
      python,
      ['-m', 'pytest', '-q', '--tb=short', '-p', 'no:cacheprovider', `--junitxml=${report}`, ...chosen],
      { cwd: suite, stdio: 'inherit', env: { ...process.env, S3TEST_CONF: config } },
    );
    const [status] = (await once(child, 'exit')) as [number | null];
    if (!values.update) return status ?? 1;
    const passed = passedTests(readFileSync(report, 'utf8'));
    writeFileSync(list, `${header}${passed.map((name) => `${name}\n`).join('')}`);
    say(`${passed.length} tests pass; their names are in test/s3-tests/passing.txt.`);
    return 0;
  } finally {
    await service.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Prefers the system's Python, because another one on the PATH does not find the system's packages. */
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

const header =
  '# Tests of ceph/s3-tests that pass against the embedded service. Written by npm run test:s3-tests -- --update.\n';

const users = ['s3 main', 's3 alt', 's3 tenant', 'iam', 'iam root', 'iam alt root'].map((section, index) => ({
  section,
  accessKeyId: `S3TESTS${index}`,
  secretAccessKey: `secret-of-s3-tests-${index}`,
}));

function configuration(port: number): string {
  const sections = users.map(({ section, accessKeyId, secretAccessKey }) =>
    [
      `[${section}]`,
      'display_name = cooper',
      'user_id = cooper',
      'email = nobody@example.com',
      `access_key = ${accessKeyId}`,
      `secret_key = ${secretAccessKey}`,
      ...(section === 's3 tenant' ? ['tenant = testx'] : []),
    ].join('\n'),
  );
  return [
    `[DEFAULT]\nhost = 127.0.0.1\nport = ${port}\nis_secure = False\nssl_verify = False`,
    '[fixtures]\nbucket prefix = cooper-{random}-',
    ...sections,
  ].join('\n\n');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(process.env['S3_TESTS'] ?? '');
