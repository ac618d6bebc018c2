import { spawnSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { isCephInstalled, startCeph, type Ceph } from '../../support/servers/ceph.ts';
import { isInstalled } from '../../support/installed.ts';
import { dialogOf, expectAccessible, expectJob, pressInList, renameInList } from '../support/operations.ts';
import { connect } from '../support/uploads.ts';
import { crumb, rowOf, test, typeAddress } from '../support/window.ts';

const bucket = 'kept-versions';

test('deleting on Ceph keeps the versions or deletes them as chosen (if ceph and aws are installed)', async ({
  win,
}) => {
  test.skip(!isCephInstalled() || !isInstalled('aws'), 'ceph-mon or aws is not installed');
  test.setTimeout(240_000);
  const ceph = await startCeph();
  try {
    aws(ceph, 'create-bucket', '--bucket', bucket);
    aws(ceph, 'put-bucket-versioning', '--bucket', bucket, '--versioning-configuration', 'Status=Enabled');
    for (const key of ['usual.txt', 'usual.txt', 'gone/a.txt', 'gone/a.txt', 'name.txt'])
      aws(ceph, 'put-object', '--bucket', bucket, '--key', key);

    await connect(win, 'Deletions', ceph, ceph, 'Ceph');
    await typeAddress(win, bucket);
    await expect(crumb(win)).toHaveText(bucket);
    await rowOf(win, 'usual.txt').click();
    await pressInList(win, 'Delete');
    const usual = dialogOf(win, 'Delete usual.txt?');
    await expect(usual.getByRole('radio', { name: 'Add delete markers' })).toBeChecked({ timeout: 20_000 });
    await expectAccessible(win);
    await usual.getByRole('button', { name: 'Delete', exact: true }).click();
    await expectJob(win, 'Done. Deleted ');
    await expect(rowOf(win, 'usual.txt')).toHaveCount(0);
    expect(versionsOf(ceph, 'usual.txt')).toEqual({ versions: 2, markers: 1 });

    await rowOf(win, 'gone').click();
    await pressInList(win, 'Shift+Delete');
    const all = dialogOf(win, 'Delete the folder gone?');
    await expect(all.getByRole('radio', { name: 'Delete all versions permanently' })).toBeChecked({
      timeout: 20_000,
    });
    await all.getByRole('button', { name: 'Delete all versions' }).click();
    await expect(rowOf(win, 'gone')).toHaveCount(0, { timeout: 30_000 });
    expect(versionsOf(ceph, 'gone/a.txt')).toEqual({ versions: 0, markers: 0 });
    expect(versionsOf(ceph, 'usual.txt')).toEqual({ versions: 2, markers: 1 });

    await rowOf(win, 'name.txt').click();
    await renameInList(win, 'name.txt', 'other name.txt');
    await expect(rowOf(win, 'other name.txt')).toBeVisible({ timeout: 30_000 });
    // The source of a move is deleted as usual, so it can be restored.
    expect(versionsOf(ceph, 'name.txt')).toEqual({ versions: 1, markers: 1 });
  } finally {
    ceph.stop();
  }
});

function versionsOf(ceph: Ceph, key: string): { readonly versions: number; readonly markers: number } {
  const text = aws(ceph, 'list-object-versions', '--bucket', bucket, '--prefix', key);
  const { Versions = [], DeleteMarkers = [] } = JSON.parse(text === '' ? '{}' : text) as {
    readonly Versions?: readonly unknown[];
    readonly DeleteMarkers?: readonly unknown[];
  };
  return { versions: Versions.length, markers: DeleteMarkers.length };
}

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
