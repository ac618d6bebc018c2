import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { isCephInstalled, startCeph, type Ceph } from '../../support/servers/ceph.ts';
import { isInstalled } from '../../support/installed.ts';
import {
  connect,
  done,
  jobRow,
  objectBytes,
  openStalled,
  partSize,
  planFrom,
  sampleFile,
  seconds,
  sha256,
  uploadRow,
} from '../support/uploads.ts';
import { test } from '../support/window.ts';

const isReady = isCephInstalled() && isInstalled('aws');
const place = { bucket: 'begun-elsewhere', key: 'ships/log book.bin' };

test('a Ceph upload started by aws s3api is finished in the window (if both are installed)', async ({
  win,
  cooper,
}) => {
  test.skip(!isReady, 'ceph-mon or aws is not installed');
  test.setTimeout(180_000);
  const ceph = await startCeph();
  try {
    const bytes = sampleFile(cooper.dataDir, 'log book.bin', 2 * partSize + 777, 9);
    aws(ceph, 'create-bucket', '--bucket', place.bucket);
    const target = ['--bucket', place.bucket, '--key', place.key];
    const begun = aws(ceph, 'create-multipart-upload', ...target);
    const { UploadId: uploadId } = JSON.parse(begun) as { readonly UploadId: string };
    const part = path.join(cooper.dataDir, 'sample-files', 'part-1');
    writeFileSync(part, bytes.subarray(0, partSize));
    aws(ceph, 'upload-part', ...target, '--upload-id', uploadId, '--part-number', '1', '--body', part);

    await connect(win, 'Begun elsewhere', ceph, ceph, 'Ceph');
    await openStalled(win, 'Begun elsewhere');
    await expect(uploadRow(win, 'log book.bin')).toContainText(/Being written|No gaps/);
    const plan = await planFrom(win, 'log book.bin', 'log book.bin');
    await expect(plan.getByText('1 stored part matches your file.')).toBeVisible();
    await expect(plan.getByText('2 parts are missing. Cooper sends them.')).toBeVisible();
    await plan.getByRole('button', { name: 'Start sending' }).click();
    await expect(jobRow(win, 'log book.bin')).toContainText(done, seconds(60));
    await expect(uploadRow(win, 'log book.bin')).toHaveCount(0);
    expect(sha256(await objectBytes(ceph.endpoint, ceph, place))).toBe(sha256(bytes));
  } finally {
    ceph.stop();
  }
});

function aws(ceph: Ceph, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    'aws',
    ['--endpoint-url', ceph.endpoint, '--output', 'json', 's3api', ...args],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: '/nonexistent',
        AWS_ACCESS_KEY_ID: ceph.accessKeyId,
        AWS_SECRET_ACCESS_KEY: ceph.secretAccessKey,
        AWS_DEFAULT_REGION: ceph.region,
        AWS_EC2_METADATA_DISABLED: 'true',
      },
    },
  );
  if (status !== 0) throw new Error(`aws ${args.join(' ')}: ${stderr}`);
  return stdout;
}
