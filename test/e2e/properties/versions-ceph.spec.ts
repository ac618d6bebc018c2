import { expect } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { cephRequest } from '../../support/servers/ceph-request.ts';
import { isCephInstalled, startCeph } from '../../support/servers/ceph.ts';
import { bytesSource, clientFor, realClock, textOf } from '../../support/servers/s3-client.ts';
import { connect, seconds } from '../support/uploads.ts';
import { chooseMore, rowOf, test, typeAddress } from '../support/window.ts';

const enabled =
  '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Enabled</Status></VersioningConfiguration>';

test('versions on Ceph are shown, previewed, restored, undeleted and deleted (if installed)', async ({
  win,
}) => {
  test.skip(!isCephInstalled(), 'ceph-mon is not installed');
  test.setTimeout(180_000);
  const ceph = await startCeph();
  const { client } = clientFor(
    ceph.endpoint,
    { region: ceph.region, credentials: () => Promise.resolve(ceph), provider: 'ceph' },
    { clock: realClock() },
  );
  try {
    const bucket = 'diary';
    await client.createBucket({ bucket });
    await cephRequest(ceph, 'PUT', '/diary', { versioning: '' }, enabled);
    const put = async (key: string, text: string) =>
      await client.putObject({ bucket, key, body: bytesSource(text), contentType: 'text/plain' });
    await put('days/monday.txt', 'It rained.');
    await put('days/monday.txt', 'It rained, a lot.');
    await put('days/tuesday.txt', 'It did not.');
    await client.deleteObject({ bucket, key: 'days/tuesday.txt' });
    const now = async (key: string) => await textOf((await client.getObject({ bucket, key })).body);

    await connect(win, 'Diaries', ceph, ceph, 'Ceph');
    await typeAddress(win, 'diary/days/');
    await expect(rowOf(win, 'monday.txt')).toBeVisible();
    await chooseMore(win, 'Show versions');
    const grid = win.getByRole('grid', { name: 'Versions in days' });
    const rows = grid.getByRole('row');
    await expect(win.getByText('This bucket keeps versions.')).toBeVisible();
    await expect(win.getByText('4 versions and delete markers')).toBeVisible();
    await expect(rows.filter({ hasText: 'monday.txt' })).toHaveCount(2);
    const deleted = rows.filter({ hasText: 'Deleted' });
    await expect(deleted).toContainText('tuesday.txt');
    expect(await axeFindings(win, '#tab-panel')).toEqual([]);

    await deleted.click();
    await win.getByRole('button', { name: 'Undelete' }).click();
    await expect(deleted).toHaveCount(0, seconds(20));
    expect(await now('days/tuesday.txt')).toBe('It did not.');

    const older = rows.filter({ hasText: 'monday.txt' }).filter({ hasText: 'Older' });
    await older.click();
    await win.getByRole('button', { name: 'Preview', exact: true }).click();
    const preview = win.getByRole('dialog', { name: /Preview of/ });
    await expect(preview.getByText('It rained.', { exact: true })).toBeVisible();
    await win.keyboard.press('Escape');
    await win.getByRole('button', { name: 'Restore', exact: true }).click();
    await expect(rows.filter({ hasText: 'monday.txt' })).toHaveCount(3, seconds(20));
    expect(await now('days/monday.txt')).toBe('It rained.');

    await rows.filter({ hasText: 'monday.txt' }).filter({ hasText: 'Latest' }).click({ button: 'right' });
    await win.getByRole('menuitem', { name: 'Delete this version…' }).click();
    const question = win.getByRole('dialog', { name: 'Delete this version permanently?' });
    await expect(question).toContainText('cannot be restored, not even by the service');
    await expect(question.getByRole('button', { name: 'Keep' })).toBeFocused();
    await question.getByRole('button', { name: 'Delete permanently' }).click();
    await expect(rows.filter({ hasText: 'monday.txt' })).toHaveCount(2, seconds(20));
    expect(await now('days/monday.txt')).toBe('It rained, a lot.');

    await win.getByRole('button', { name: 'Hide versions' }).first().click();
    await rowOf(win, 'monday.txt').click({ button: 'right' });
    await win.getByRole('menuitem', { name: 'Versions…' }).click();
    const history = win.getByRole('dialog', { name: 'Versions of monday.txt' });
    await expect(history.getByRole('row').filter({ hasText: 'monday.txt' })).toHaveCount(2);
  } finally {
    await client.close();
    ceph.stop();
  }
});
