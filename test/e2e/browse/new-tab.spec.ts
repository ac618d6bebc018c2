import { expect } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { crumb, goTo, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

test('a new tab offers recent folders, bookmarks and connections', async ({ win, lab }) => {
  await labBucket(lab, 'tab-start', ['june/a.txt']);
  await goTo(win, 'Lab', 'tab-start/june/');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  await win.keyboard.press('Control+d');
  await win.keyboard.press('Alt+t');
  const page = win.getByRole('tabpanel');
  await expect(
    page.getByRole('group', { name: 'Connections' }).getByRole('button', { name: 'Lab' }),
  ).toBeVisible();
  await expect(
    page.getByRole('group', { name: 'Bookmarks' }).getByRole('button', { name: 'june' }),
  ).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await page
    .getByRole('group', { name: 'Recent folders' })
    .getByRole('button', { name: 'tab-start/june/' })
    .click();
  await expect(crumb(win)).toHaveText('june');
  // Bookmarks are above the buckets.
  const bookmark = await win.getByRole('button', { name: 'june', exact: true }).first().boundingBox();
  const connection = await sidebarRow(win, 'Lab').boundingBox();
  expect(bookmark?.y ?? 0).toBeLessThan(connection?.y ?? 0);
  await win.keyboard.press('Control+d');
});

test('tabs of the same name show their parents, and the title names the place', async ({ win, lab }) => {
  await labBucket(lab, 'tab-names', ['2025/may/a.txt', '2026/may/b.txt']);
  await goTo(win, 'Lab', 'tab-names/2025/may/');
  await expect(win).toHaveTitle(/^may — Cooper$/u);
  await win.keyboard.press('Alt+t');
  await goTo(win, 'Lab', 'tab-names/2026/may/');
  await expect(win.getByRole('tab').filter({ hasText: 'may' })).toHaveText(['may — 2025', 'may — 2026']);
  await expect(win).toHaveTitle('may — 2026 — Cooper');
});

test('the URL of the window reopens its folder', async ({ win, lab }) => {
  await labBucket(lab, 'addressable', ['a b/c.txt', 'other/d.txt']);
  await goTo(win, 'Lab', 'addressable/a b/');
  await expect(rowOf(win, 'c.txt')).toBeVisible();
  await expect(win).toHaveURL(/#\/[^/]+\/addressable\/a%20b\/$/u);
  const bookmarked = new URL(win.url()).hash;
  await goTo(win, 'Lab', 'addressable/other/');
  await expect(rowOf(win, 'd.txt')).toBeVisible();
  await win.evaluate((hash) => {
    location.hash = hash;
  }, bookmarked);
  await expect(crumb(win)).toHaveText('a b');
  await win.reload();
  await expect(crumb(win)).toHaveText('a b');
  await expect(rowOf(win, 'c.txt')).toBeVisible();
});
