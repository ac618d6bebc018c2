import { expect } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

test('one key calculates the sizes of folders, which the Size column shows and sorts by', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'sized', ['a/one.txt', 'b/a-much-longer-name.txt', 'b/two.txt', 'c.txt']);
  await goTo(win, 'Lab', 'sized');
  await expect(rowOf(win, 'a')).toBeVisible();
  await expect(rowOf(win, 'a')).not.toContainText('9 bytes');
  await win.keyboard.press('Alt+s');
  await expect(rowOf(win, 'a')).toContainText('9 bytes');
  await expect(rowOf(win, 'b')).toContainText('33 bytes');
  await expect(win.getByText('Folder sizes: 47 bytes in 4 objects')).toBeVisible();
  await grid(win).getByRole('columnheader', { name: 'Size' }).click();
  await expect(grid(win).locator('[role="row"][aria-rowindex="2"]')).toContainText('b');
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  // A folder opened later knows its sizes without a request for keys.
  const before = lab.faults.count('ListObjectsV2');
  await win.reload();
  await expect(rowOf(win, 'b')).toContainText('33 bytes');
  expect(lab.faults.count('ListObjectsV2') - before).toBeLessThanOrEqual(2);
});
