import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { hideTransfers, jobRow, panel, showTransfers } from '../support/uploads.ts';
import { crumb, dragToBucket, goTo, grid, labBucket, numbered, rowOf, test } from '../support/window.ts';

test.afterEach(({ lab }) => {
  lab.faults.clear();
});

const menuOf = async (page: Page, row: Locator): Promise<Locator> => {
  await row.click({ button: 'right' });
  return page.getByRole('menu');
};

test('a failed transfer names its cause in its row and its notice, and its menu retries it', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'cause-from', ['one.txt']);
  await labBucket(lab, 'cause-to', []);
  const denied = lab.faults.add({
    operation: 'CopyObject',
    times: Infinity,
    action: { kind: 'status', status: 403, code: 'AccessDenied' },
  });
  await win.reload();
  await goTo(win, 'Lab', 'cause-from');
  await dragToBucket(win, rowOf(win, 'one.txt'), 'cause-to');
  const cause = 'Access denied: the keys may not copy from cause-from to cause-to';
  await expect(win.getByRole('alert').filter({ hasText: `${cause}.` })).toBeVisible();
  await showTransfers(win);
  const row = jobRow(win, 'one.txt').first();
  await expect(row).toContainText(cause);
  expect(await axeFindings(win)).toEqual([]);
  denied.remove();
  await (await menuOf(win, row)).getByRole('menuitem', { name: 'Try again now' }).click();
  await expect(row).toContainText('Done. Copied and verified 1 object');
  // The notice closes once its cause is gone.
  await expect(win.getByRole('alert').filter({ hasText: cause })).toHaveCount(0);

  await (await menuOf(win, row)).getByRole('menuitem', { name: 'Copy address' }).click();
  expect(await win.evaluate(() => navigator.clipboard.readText())).toBe('s3://cause-to/');
  await (await menuOf(win, row)).getByRole('menuitem', { name: 'Show in its folder' }).click();
  await expect(crumb(win)).toHaveText('cause-to');
  await (await menuOf(win, row)).getByRole('menuitem', { name: 'Log' }).click();
  await expect(panel(win).getByRole('region', { name: 'Requests of this transfer' })).toBeVisible();
});

test('notices cover no rows, repeat nothing that the open list shows, and keep the undo when they merge', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'merged-from', numbered(40));
  await labBucket(lab, 'merged-to', []);
  await win.reload();
  await goTo(win, 'Lab', 'merged-from');
  await hideTransfers(win);
  for (const name of ['0000.txt', '0001.txt']) await dragToBucket(win, rowOf(win, name), 'merged-to');
  const notice = win.getByRole('alert').filter({ hasText: 'Finished: 0001.txt' });
  const merged = win.getByRole('alert').filter({ hasText: '2 transfers finished' });
  await expect(notice.or(merged).first()).toBeVisible();
  await expect(merged.getByRole('button', { name: 'Undo last' })).toBeVisible();
  await grid(win).focus();
  await win.keyboard.press('End');
  await expect(async () => {
    const last = await rowOf(win, '0039.txt').boundingBox();
    const box = await merged.boundingBox();
    expect((last?.y ?? Infinity) + (last?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0);
  }).toPass({ timeout: 5000 });
  await merged.getByRole('button', { name: 'Undo last' }).click();
  await showTransfers(win);
  await expect(jobRow(win, '0001.txt').first()).toContainText('Done. Took back 1 item');
  await expect(win.getByRole('alert')).toHaveCount(0);
});
