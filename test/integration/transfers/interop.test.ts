import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TransferRig } from '../../support/core/transfers-rig.ts';
import { bytesOf, KiB, rigKeys } from '../../support/core/uploads-rig.ts';
import { endsWithTest } from '../../support/test-child.ts';

function has(tool: string): boolean {
  return spawnSync(tool, ['--version'], { stdio: 'ignore' }).status === 0;
}

let rig: TransferRig;
beforeAll(async () => {
  rig = await TransferRig.start();
});
afterAll(async () => {
  await rig.close();
});

const bytes = bytesOf(200 * KiB, 5);

async function rclone(...parameters: readonly string[]): Promise<void> {
  const settings = {
    TYPE: 's3',
    PROVIDER: 'Other',
    ENDPOINT: rig.service.endpoint,
    REGION: 'us-east-1',
    ACCESS_KEY_ID: rigKeys.accessKeyId,
    SECRET_ACCESS_KEY: rigKeys.secretAccessKey,
  };
  const named = Object.entries(settings).map(([name, value]) => [`RCLONE_CONFIG_S_${name}`, value]);
  const env = { PATH: process.env['PATH'], HOME: rig.dir, ...Object.fromEntries(named) };
  const child = endsWithTest(spawn('rclone', parameters, { env, stdio: 'ignore' }));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(0);
}

test.skipIf(!has('rclone'))('rclone: file times are kept in both directions', async () => {
  const seconds = 1_234_567_890.5;
  const file = rig.file('from-rclone.bin', bytes, seconds);
  await rclone('copyto', file, `s:${rig.bucket}/from-rclone.bin`);
  expect(await rig.settle(await rig.download([{ kind: 'key', key: 'from-rclone.bin' }]))).toMatchObject({
    state: 'done',
  });
  const fetched = path.join(rig.fetchDir, 'from-rclone.bin');
  expect(readFileSync(fetched)).toEqual(bytes);
  expect(statSync(fetched).mtimeMs).toBe(seconds * 1000);

  await rig.settle(await rig.upload([rig.file('to-rclone.bin', bytes, seconds)]));
  const target = path.join(rig.dir, 'to-rclone.bin');
  await rclone('copyto', `s:${rig.bucket}/to-rclone.bin`, target);
  expect(readFileSync(target)).toEqual(bytes);
  expect(statSync(target).mtimeMs).toBe(seconds * 1000);
});

test.skipIf(!has('/usr/bin/aws'))('awscli: files are compatible in both directions', async () => {
  const env = {
    ...process.env,
    AWS_ACCESS_KEY_ID: rigKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: rigKeys.secretAccessKey,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_CONFIG_FILE: '/dev/null',
  };
  const aws = async (...parameters: readonly string[]): Promise<void> => {
    const child = endsWithTest(
      spawn('/usr/bin/aws', ['--endpoint-url', rig.service.endpoint, 's3', 'cp', ...parameters], {
        env,
        stdio: 'ignore',
      }),
    );
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  };
  await aws(rig.file('from-aws.bin', bytes), `s3://${rig.bucket}/from-aws.bin`);
  await rig.settle(await rig.download([{ kind: 'key', key: 'from-aws.bin' }]));
  expect(readFileSync(path.join(rig.fetchDir, 'from-aws.bin'))).toEqual(bytes);
  await rig.settle(await rig.upload([rig.file('to-aws.bin', bytes)]));
  const target = path.join(rig.dir, 'to-aws.bin');
  await aws(`s3://${rig.bucket}/to-aws.bin`, target);
  expect(readFileSync(target)).toEqual(bytes);
});

test.skipIf(!has('s3cmd'))('s3cmd: files are compatible in both directions, also in parts', async () => {
  const config = path.join(rig.dir, 's3cfg');
  const { host } = new URL(rig.service.endpoint);
  writeFileSync(
    config,
    `[default]\naccess_key = ${rigKeys.accessKeyId}\nsecret_key = ${rigKeys.secretAccessKey}\nhost_base = ${host}\nhost_bucket = ${host}\nuse_https = False\n`,
  );
  const s3cmd = async (...parameters: readonly string[]): Promise<void> => {
    const child = endsWithTest(spawn('s3cmd', ['-c', config, '--quiet', ...parameters], { stdio: 'ignore' }));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  };
  const inParts = bytesOf(6 * 1024 * KiB, 9);
  await s3cmd('put', rig.file('from-s3cmd.bin', bytes), `s3://${rig.bucket}/from-s3cmd.bin`);
  await s3cmd(
    'put',
    '--multipart-chunk-size-mb=5',
    rig.file('parts-s3cmd.bin', inParts),
    `s3://${rig.bucket}/parts-s3cmd.bin`,
  );
  const items = ['from-s3cmd.bin', 'parts-s3cmd.bin'].map((key) => ({ kind: 'key', key }) as const);
  const job = await rig.settle(await rig.download(items));
  expect(job).toMatchObject({ state: 'done' });
  expect(rig.items(job.id).map((item) => item.verified)).toEqual([true, true]);
  expect(readFileSync(path.join(rig.fetchDir, 'from-s3cmd.bin'))).toEqual(bytes);
  expect(readFileSync(path.join(rig.fetchDir, 'parts-s3cmd.bin'))).toEqual(inParts);

  await rig.settle(await rig.upload([rig.file('to-s3cmd.bin', bytes)], { metadata: { colour: 'red' } }));
  const target = path.join(rig.dir, 'to-s3cmd.bin');
  await s3cmd('get', `s3://${rig.bucket}/to-s3cmd.bin`, target);
  expect(readFileSync(target)).toEqual(bytes);
});
