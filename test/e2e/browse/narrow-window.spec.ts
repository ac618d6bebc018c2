import { expect, type Locator } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { leaveOnePlace } from '../support/panes.ts';
import { jobRow, panel, showTransfers } from '../support/uploads.ts';
import { crumb, goTo, grid, labBucket, lookAway, rowOf, sidebarRow, test } from '../support/window.ts';

const narrow = { width: 340, height: 720 };

async function boxOf(part: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not drawn.');
  return box;
}

test('in a window of 340 px the path shows the current folder and keeps other steps in a menu', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'narrow-path', ['a-long-name-of-a-folder/another-folder/x.txt']);
  await goTo(win, 'Lab', 'narrow-path/a-long-name-of-a-folder/another-folder/');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await win.setViewportSize(narrow);
  await expect(crumb(win)).toHaveText('another-folder');
  const isCut = await crumb(win).evaluate((node) => node.scrollWidth > node.clientWidth + 1);
  expect(isCut).toBe(false);
  expect((await boxOf(crumb(win))).width).toBeGreaterThan(80);
  expect(await axeFindings(win)).toEqual([]);
  await win.getByRole('button', { name: 'More of the path' }).click();
  await win.getByRole('menuitem', { name: 'narrow-path' }).click();
  await expect(crumb(win)).toHaveText('narrow-path');
  // The details cover the list, and their button closes them.
  await win.keyboard.press('Control+i');
  const details = win.getByRole('complementary', { name: 'Details' });
  await expect(details).toBeVisible();
  await win.getByRole('tabpanel').getByRole('button', { name: 'Hide details' }).click();
  await expect(details).toBeHidden();
  await expect(grid(win)).toBeFocused();
  await win.setViewportSize({ width: 1280, height: 800 });
  await leaveOnePlace(win);
});

test('in a window of 340 px transfers show name, progress and actions, uncovered by notices', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'narrow-from', ['same.txt']);
  await labBucket(lab, 'narrow-to', ['same.txt']);
  const target = lab.store.buckets.get('narrow-to');
  await lab.store.putBytes(target?.id ?? -1, 'same.txt', Buffer.from('another'), { modifiedMs: 2e12 });
  await win.reload();
  await lookAway(win);
  await goTo(win, 'Lab', 'narrow-from');
  await rowOf(win, 'same.txt').dragTo(sidebarRow(win, 'narrow-to'));
  const notice = win.getByRole('alert').filter({ hasText: 'Decide what to do' }).first();
  await expect(notice).toBeVisible();
  await win.mouse.move(2, 2);
  await showTransfers(win);
  // The list of transfers shows the same result as the notice.
  await expect(notice).toHaveCount(0);
  await win.setViewportSize(narrow);
  // The log of the latest transfer is open and covers the list.
  const row = jobRow(win, 'same.txt').first();
  const log = panel(win).getByRole('button', { name: 'Close the log' });
  await log.click();
  await expect(row).toBeVisible();
  // The name keeps most of the row, and nothing overflows.
  expect((await boxOf(row.locator('strong'))).width).toBeGreaterThan(40);
  const outside = await panel(win).evaluate((dock) => dock.scrollWidth - dock.clientWidth);
  expect(outside).toBeLessThanOrEqual(0);
  await expect(row.getByRole('button', { name: /^Decide/ })).toBeVisible();
  expect(await axeFindings(win)).toEqual([]);
  await row.getByRole('button', { name: /^More/ }).click();
  await expect(win.getByRole('menuitem', { name: 'Cancel…' })).toBeVisible();
  await win.keyboard.press('Escape');
  await win.setViewportSize({ width: 1280, height: 800 });
});

test('the sidebar of a narrow window is a dialog: it holds the focus, and Escape gives it back', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'drawer', ['a.txt']);
  await goTo(win, 'Lab', 'drawer');
  await win.setViewportSize({ width: 700, height: 700 });
  await grid(win).focus();
  await win.keyboard.press('Control+b');
  const drawer = win.getByRole('dialog', { name: 'Places' });
  const row = drawer.getByRole('treeitem', { name: 'drawer' });
  await expect(row).toBeFocused();
  for (let press = 0; press < 12; press += 1) {
    await win.keyboard.press('Tab');
    expect(await drawer.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  expect(await axeFindings(win)).toEqual([]);
  await win.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Control+b');
  await expect(row).toBeFocused();
  await win.keyboard.press('Control+b');
  await expect(drawer).toBeHidden();
});
