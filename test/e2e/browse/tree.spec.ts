import { expect } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { expectJob } from '../support/operations.ts';
import { crumb, goTo, grid, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

test('folders open in the sidebar by keys, follow the place, and take what is dropped on them', async ({
  win,
  lab,
}) => {
  // The sidebar has its list of buckets before the bucket is made: it reads it again.
  await sidebarRow(win, 'Lab').click();
  await expect(sidebarRow(win, 'lab-home')).toBeVisible();
  await labBucket(lab, 'tree', ['dir10/x.txt', 'dir2/inner/y.txt', 'dir2/inner/deep/z.txt', 'note.txt']);
  await goTo(win, 'Lab', 'tree');
  const tree = win.getByRole('tree');
  const bucket = sidebarRow(win, 'tree');
  await expect(bucket).toHaveAttribute('aria-current', 'page');
  const before = lab.faults.count('ListObjectsV2');
  await bucket.focus();
  await win.keyboard.press('ArrowRight');
  await expect(bucket).toHaveAttribute('aria-expanded', 'true');
  await expect(tree.locator('[aria-level="3"]')).toHaveText(['dir2', 'dir10']);
  expect(lab.faults.count('ListObjectsV2')).toBe(before + 1);
  await win.keyboard.press('ArrowRight');
  await win.keyboard.press('ArrowRight');
  await expect(tree.locator('[aria-level="4"]')).toHaveText(['inner']);
  await win.keyboard.press('Enter');
  await expect(crumb(win)).toHaveText('dir2');

  await rowOf(win, 'inner').dblclick();
  await rowOf(win, 'deep').dblclick();
  await expect(crumb(win)).toHaveText('deep');
  await expect(tree.getByRole('treeitem', { name: 'deep' })).toHaveAttribute('aria-current', 'page');
  expect(await axeFindings(win)).toEqual([]);

  await rowOf(win, 'z.txt').dragTo(tree.getByRole('treeitem', { name: 'dir10' }));
  await expectJob(win, 'Done. Moved ');
  await tree.getByRole('treeitem', { name: 'dir10' }).click();
  await expect(rowOf(win, 'z.txt')).toBeVisible();
  await expect(grid(win)).toBeVisible();
  // The folder that lost its last object is gone from the tree as well.
  await expect(tree.getByRole('treeitem', { name: 'deep' })).toHaveCount(0);
});
