import { expect, type Page } from '@playwright/test';
import { expectLabKeys } from '../support/operations.ts';
import { results, searchFor } from '../support/search.ts';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

const changed = (page: Page) => page.getByText('The bucket has changed since this search');

test('search results say that they are out of date after a deletion, also in a tab left meanwhile', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'found-stale', ['deep/needle-1.txt', 'needle-2.txt', 'other.txt']);
  await goTo(win, 'Lab', 'found-stale');
  await expect(rowOf(win, 'other.txt')).toBeVisible();
  await searchFor(win, 'needle');
  await results(win).getByText('needle-1.txt').click();
  await expect(changed(win)).toBeHidden();
  await win.keyboard.press('Delete');
  await win.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectLabKeys(lab, 'found-stale', ['needle-2.txt', 'other.txt']);
  await expect(changed(win)).toBeVisible();
  await win.getByRole('button', { name: 'Search again' }).click();
  await expect(win.getByText('1 found in 2 keys')).toBeVisible();
  await expect(results(win).getByText('needle-1.txt')).toBeHidden();
  await expect(changed(win)).toBeHidden();

  await win.keyboard.press('Alt+ArrowLeft');
  await rowOf(win, 'needle-2.txt').click();
  await win.keyboard.press('Delete');
  await win.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expectLabKeys(lab, 'found-stale', ['other.txt']);
  await win.keyboard.press('Alt+ArrowRight');
  await expect(changed(win)).toBeVisible();
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
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(rowOf(win, 'deep')).toBeVisible();
  await win.keyboard.press('Alt+ArrowRight');
  await expect(results(win).getByText('thread.txt')).toBeVisible();
  await expect(results(win).getByText('needle-1.txt')).toBeHidden();
});
