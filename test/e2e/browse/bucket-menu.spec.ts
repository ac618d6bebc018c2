import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { crumb, goTo, grid, labBucket, openConnection, rowOf, sidebarRow, test } from '../support/window.ts';

const menuItem = (page: Page, name: string): Locator => page.getByRole('menuitem', { name, exact: true });

/** Opens the menu of a bucket in the tree by the keyboard, and chooses an entry by its name. */
async function choose(page: Page, bucket: string, name: string): Promise<void> {
  await sidebarRow(page, bucket).focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu', { name: `Actions for ${bucket}` })).toBeVisible();
  await menuItem(page, name).press('Enter');
}

test('the menu of a bucket in the tree leads to search, map, stalled uploads, deleted objects and a tab', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'bucket-menu', ['a.txt']);
  await win.reload();
  await openConnection(win, 'Lab');
  await choose(win, 'bucket-menu', 'Search here…');
  await expect(win.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await choose(win, 'bucket-menu', 'Stalled uploads here');
  await expect(win.getByRole('heading', { name: /Stalled uploads/u, level: 1 })).toBeVisible();
  await choose(win, 'bucket-menu', 'Deleted objects…');
  await expect(win.getByRole('dialog', { name: /Deleted objects in/u })).toBeVisible();
  await win.keyboard.press('Escape');
  await choose(win, 'bucket-menu', 'Map: what takes the space');
  await expect(crumb(win)).toHaveText('bucket-menu');
  await expect(win.getByRole('radio', { name: 'Map' })).toBeChecked();
  await win.keyboard.press('Control+1');

  const tabs = win.getByRole('tab');
  const before = await tabs.count();
  await choose(win, 'bucket-menu', 'Open in a new tab');
  await expect(tabs).toHaveCount(before + 1);
});

test('the menu of a bucket uploads into it and keeps a bookmark of it', async ({ win, lab }) => {
  await labBucket(lab, 'bucket-menu-put', []);
  await win.reload();
  await openConnection(win, 'Lab');
  await choose(win, 'bucket-menu-put', 'Upload files…');
  const picker = win.getByRole('dialog', { name: /Upload to bucket-menu-put|bucket-menu-put/u });
  await expect(picker).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(picker).toBeHidden();

  await choose(win, 'bucket-menu-put', 'Bookmark');
  const bookmarks = win.getByRole('region', { name: 'Bookmarks' });
  await expect(bookmarks.getByText('bucket-menu-put')).toBeVisible();
  await choose(win, 'bucket-menu-put', 'Remove the bookmark');
  await expect(bookmarks.getByText('bucket-menu-put')).toBeHidden();
});

test('the list of buckets has the same menu, and Escape gives the focus back', async ({ win, lab }) => {
  await labBucket(lab, 'bucket-menu-list', ['x.txt']);
  await goTo(win, 'Lab', 'bucket-menu-list');
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await win.keyboard.press('Alt+ArrowUp');
  const buckets = win.getByRole('grid', { name: 'Buckets' });
  await buckets.getByRole('button', { name: 'Actions for bucket-menu-list' }).click();
  await expect(menuItem(win, 'Search here…')).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await menuItem(win, 'Open').click();
  await expect(rowOf(win, 'x.txt')).toBeVisible();
  await expect(grid(win)).toBeVisible();

  await sidebarRow(win, 'bucket-menu-list').focus();
  await win.keyboard.press('Shift+F10');
  await expect(menuItem(win, 'Open in a new tab')).toBeVisible();
  await win.keyboard.press('Escape');
  await expect(menuItem(win, 'Open in a new tab')).toBeHidden();
  await expect(sidebarRow(win, 'bucket-menu-list')).toBeFocused();
});
