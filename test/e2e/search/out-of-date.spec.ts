import { expect, type Page } from '@playwright/test';
import { expectLabKeys } from '../support/operations.ts';
import { results, searchFor } from '../support/search.ts';
import { goTo, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

const changed = (page: Page) => page.getByText('The bucket has changed since this search');

async function confirmDelete(page: Page): Promise<void> {
  await page.keyboard.press('Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
}

test('deleted search results leave the list, whose next row has focus, also in a tab left meanwhile', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-gone', ['a/needle-1.txt', 'needle-2.txt', 'needle-3.txt', 'other.txt']);
  await goTo(win, 'Lab', 'found-gone');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  await confirmDelete(win);
  await expectLabKeys(lab, 'found-gone', ['needle-2.txt', 'needle-3.txt', 'other.txt']);
  await expect(results(win).getByText('needle-1.txt')).toBeHidden();
  await expect(win.getByText('2 found in 4 keys')).toBeVisible();
  await expect(changed(win)).toBeHidden();
  await expect(results(win)).toBeFocused();
  await expect(results(win).locator('[data-focused="true"]')).toContainText('needle-2.txt');
  // Nothing is selected any longer, so that a second press deletes nothing unseen.
  await win.keyboard.press('Delete');
  await expect(win.getByRole('dialog')).toBeHidden();

  await win.keyboard.press('Alt+ArrowLeft');
  // The rows move up once the folder has been listed again.
  await expect(rowOf(win, 'a')).toBeHidden();
  await rowOf(win, 'needle-2.txt').click();
  await confirmDelete(win);
  await expectLabKeys(lab, 'found-gone', ['needle-3.txt', 'other.txt']);
  await win.keyboard.press('Alt+ArrowRight');
  await expect(results(win).getByText('needle-3.txt')).toBeVisible();
  await expect(results(win).getByText('needle-2.txt')).toBeHidden();
  await expect(changed(win)).toBeHidden();
});

test('after all search results are deleted, the page says so, keeps focus, and an undo brings them back', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-none', ['a/needle-1.txt', 'needle-2.txt', 'other.txt']);
  const bucket = lab.store.buckets.get('found-none');
  lab.store.setVersioning(bucket?.id ?? 0, 'Enabled');
  await goTo(win, 'Lab', 'found-none');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await expect(results(win).getByText('needle-1.txt')).toBeVisible();
  await results(win).focus();
  await win.keyboard.press('Control+a');
  await confirmDelete(win);
  await expectLabKeys(lab, 'found-none', ['other.txt']);
  await expect(win.getByText('All objects that this search found were deleted or moved.')).toBeVisible();
  await expect(results(win)).toBeHidden();
  await win.keyboard.press('Control+z');
  await expect(results(win).getByText('needle-1.txt')).toBeVisible();
  await expect(results(win).getByText('needle-2.txt')).toBeVisible();
});

test('search results say that they are out of date once an object was copied into their folder', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-stale', ['in/needle-1.txt', 'needle-2.txt']);
  await goTo(win, 'Lab', 'found-stale/in/');
  await expect(rowOf(win, 'needle-1.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await expect(results(win).getByText('needle-1.txt')).toBeVisible();
  await expect(changed(win)).toBeHidden();
  await goTo(win, 'Lab', 'found-stale');
  await rowOf(win, 'needle-2.txt').click();
  await win.keyboard.press('Control+c');
  await rowOf(win, 'in').dblclick();
  await expect(rowOf(win, 'needle-1.txt')).toBeVisible();
  await win.keyboard.press('Control+v');
  await expect(rowOf(win, 'needle-2.txt')).toBeVisible();
  await expect(sidebarRow(win, 'found-stale')).toBeVisible();
  for (let back = 0; back < 3; back += 1) await win.keyboard.press('Alt+ArrowLeft');
  await expect(changed(win)).toBeVisible();
  await win.getByRole('button', { name: 'Search again' }).click();
  await expect(results(win).getByText('needle-2.txt')).toBeVisible();
  await expect(changed(win)).toBeHidden();
});

test('a renamed search result has its new name after its tab showed another place', async ({ win, lab }) => {
  await labBucket(lab, 'found-renamed', ['deep/needle-1.txt', 'needle-2.txt']);
  await goTo(win, 'Lab', 'found-renamed');
  await expect(rowOf(win, 'needle-2.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  await win.keyboard.press('F2');
  await win.getByRole('textbox', { name: /needle-1\.txt/u }).fill('thread.txt');
  await win.keyboard.press('Enter');
  await expect(results(win).getByText('thread.txt')).toBeVisible();
  await expect(changed(win)).toBeHidden();
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(rowOf(win, 'deep')).toBeVisible();
  await win.keyboard.press('Alt+ArrowRight');
  await expect(results(win).getByText('thread.txt')).toBeVisible();
  await expect(results(win).getByText('needle-1.txt')).toBeHidden();
});
