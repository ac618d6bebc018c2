import { expect, type Locator, type Page } from '@playwright/test';
import { openStalled, partSize, stall, uploadsGrid } from '../support/uploads.ts';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

/** A dialog is opened from a place that has the keyboard, and left with Escape. */
async function thereAndBack(page: Page, from: Locator, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(from).toBeFocused();
}

/** Opens the menu of the row that has the keyboard, and one of its entries. */
async function chooseByKeys(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Shift+F10');
  // A menu takes the keyboard a moment after it is there.
  await expect(page.locator('[role="menu"]:focus, [role="menu"] :focus')).toHaveCount(1);
  await page.getByRole('menuitem', { name: item }).focus();
  await page.keyboard.press('Enter');
}

test('whichever dialog is closed, the keyboard is where it was before', async ({ win, lab }) => {
  await labBucket(lab, 'there-and-back', ['a.txt']);
  for (const name of ['Add a connection', 'Settings']) {
    const button = win.getByRole('button', { name, exact: true }).first();
    await button.focus();
    await win.keyboard.press('Enter');
    await thereAndBack(win, button, /connection|Settings/);
  }

  await goTo(win, 'Lab', 'there-and-back');
  await rowOf(win, 'a.txt').click();
  for (const item of ['Create a link…', 'Properties…', 'Rename…', 'Delete…']) {
    await chooseByKeys(win, item);
    await thereAndBack(win, grid(win), /a\.txt|Delete/);
  }

  await stall(lab, { bucket: 'there-and-back', key: 'stalled.bin' }, Buffer.alloc(partSize + 1), [1, 2]);
  await openStalled(win, 'Lab', 'there-and-back');
  const row = uploadsGrid(win).getByRole('row').filter({ hasText: 'stalled.bin' });
  await expect(row).toContainText('No gaps');
  await row.click();
  for (const item of ['Complete as it is…', 'Abort…']) {
    await chooseByKeys(win, item);
    await thereAndBack(win, uploadsGrid(win), /Complete|Abort/);
  }
});

test('a dialog that was opened from another one gives the keyboard back to that', async ({ win, lab }) => {
  await labBucket(lab, 'one-from-another', ['a.txt']);
  await goTo(win, 'Lab', 'one-from-another');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  await win.getByRole('button', { name: 'Upload', exact: true }).click();
  await win.getByRole('menuitem', { name: 'Sync a folder here…' }).click();
  const sync = win.getByRole('dialog', { name: /^Sync / });
  const choose = sync.getByRole('button', { name: 'Choose…' });
  await choose.focus();
  await win.keyboard.press('Enter');
  await thereAndBack(win, choose, /^Choose the folder to sync/);
  await expect(sync).toBeVisible();
});
