import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { UploadRef } from '../../../shared/models/stalled.ts';
import { isInstalled } from '../../support/installed.ts';
import { bytesOf, Rig, rigKeys, sha256 } from '../../support/core/uploads-rig.ts';
import { endsWithTest } from '../../support/test-child.ts';

const run = promisify(execFile);
const MiB = 1024 * 1024;
const partSize = 5 * MiB;
const bytes = bytesOf(4 * partSize + 321, 41);

let rig: Rig;
let file: string;
beforeEach(async () => {
  rig = await Rig.start({ service: { minPartBytes: partSize }, minPartBytes: partSize });
  file = rig.file('file.bin', bytes);
});
afterEach(async () => {
  await rig.close();
});

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: rig.dir,
    LANG: 'C.UTF-8',
    AWS_ACCESS_KEY_ID: rigKeys.accessKeyId,
    AWS_SECRET_ACCESS_KEY: rigKeys.secretAccessKey,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

function endpoint(): string {
  return rig.service?.endpoint ?? '';
}

/** Starts a tool whose third part never gets a response, and then kills it. */
async function interrupted(command: string, parameters: readonly string[]): Promise<void> {
  const hung = rig.faults.add({
    operation: 'UploadPart',
    nth: 3,
    times: Number.POSITIVE_INFINITY,
    action: { kind: 'hang', apply: false },
  });
  const child = endsWithTest(spawn(command, parameters, { env: environment(), stdio: 'ignore' }));
  const exited = once(child, 'exit');
  while (hung.fired === 0 && child.exitCode === null)
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  child.kill('SIGKILL');
  await exited;
  rig.faults.clear();
}

async function onlyUpload(): Promise<UploadRef> {
  const events = [];
  for await (const event of rig.uploads.scans.scan(
    { connectionId: 'c', bucket: null, prefix: '' },
    new AbortController().signal,
  ))
    events.push(event);
  const filter = { text: '', verdicts: null, bucket: null, begunBefore: null };
  const { refs } = rig.uploads.scans.select({
    scanId: events.at(-1)?.scanId ?? '',
    filter,
    offset: 0,
    limit: 10_000,
  });
  const [ref] = refs;
  if (ref === undefined || refs.length !== 1) throw new Error(`${refs.length} uploads`);
  return ref;
}

async function finish(ref: UploadRef): Promise<{ verified: number; outcome: string | null }> {
  const plan = await rig.plan(ref, file);
  rig.faults.clear();
  const job = await rig.settle(await rig.resume(ref, file), 60_000);
  const object = (await rig.object(ref.key)) ?? Buffer.alloc(0);
  if (sha256(object) !== sha256(bytes)) throw new Error(`The bytes differ: ${JSON.stringify(job)}`);
  if (rig.sentParts().length !== plan.partsTotal - plan.partsVerified)
    throw new Error('Verified parts were sent again.');
  return { verified: plan.partsVerified, outcome: job.outcome };
}

async function api(...parameters: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run('aws', ['--endpoint-url', endpoint(), 's3api', ...parameters], {
    env: environment(),
  });
  return JSON.parse(stdout === '' ? '{}' : stdout) as Record<string, unknown>;
}

describe('an upload started by another program is finished:', () => {
  test.skipIf(!isInstalled('aws'))('aws s3api with its own checksums', { timeout: 120_000 }, async () => {
    const target = ['--bucket', rig.bucket, '--key', 'by aws/ü.bin'];
    const begun = await api('create-multipart-upload', ...target, '--checksum-algorithm', 'SHA256');
    const part = path.join(rig.dir, 'part');
    for (const number of [1, 4]) {
      writeFileSync(part, bytes.subarray((number - 1) * partSize, number * partSize));
      await api(
        'upload-part',
        ...target,
        '--upload-id',
        String(begun['UploadId']),
        '--part-number',
        String(number),
        '--body',
        part,
        '--checksum-algorithm',
        'SHA256',
      );
    }
    expect(await finish(await onlyUpload())).toEqual({ verified: 2, outcome: 'completed' });
  });

  test.skipIf(!isInstalled('s3cmd'))('s3cmd after an interruption', { timeout: 120_000 }, async () => {
    const host = endpoint().replace('http://', '');
    await interrupted('s3cmd', [
      '--no-ssl',
      `--access_key=${rigKeys.accessKeyId}`,
      `--secret_key=${rigKeys.secretAccessKey}`,
      `--host=${host}`,
      `--host-bucket=${host}`,
      '--multipart-chunk-size-mb=5',
      '--region=us-east-1',
      'put',
      file,
      `s3://${rig.bucket}/by-s3cmd.bin`,
    ]);
    expect(await finish(await onlyUpload())).toEqual({ verified: 2, outcome: 'completed' });
  });

  test.skipIf(!isInstalled('rclone'))('rclone after an interruption', { timeout: 120_000 }, async () => {
    await interrupted('rclone', [
      'copyto',
      '--s3-upload-concurrency',
      '1',
      '--s3-chunk-size',
      '5Mi',
      '--s3-upload-cutoff',
      '5Mi',
      '--s3-no-check-bucket',
      '--config',
      path.join(rig.dir, 'rclone.conf'),
      file,
      `:s3,provider=Other,env_auth=true,region=us-east-1,force_path_style=true,endpoint="${endpoint()}":${rig.bucket}/by-rclone.bin`,
    ]);
    const { outcome, verified } = await finish(await onlyUpload());
    expect(outcome).toBe('completed');
    expect(verified).toBeGreaterThanOrEqual(2);
  });
});
