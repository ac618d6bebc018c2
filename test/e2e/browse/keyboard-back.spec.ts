import { expect, type Locator, type Page } from '@playwright/test';
import { openStalled, partSize, planFrom, sampleFile, stall, uploadsGrid } from '../support/uploads.ts';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

/** Checks that leaving a dialog with Escape returns focus to where it was opened. */
async function thereAndBack(page: Page, from: Locator, name: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog', { name });
  await expect(dialog).toBeVisible();
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(from).toBeFocused();
}

/** Opens the menu of the focused row and chooses one of its entries. */
async function chooseByKeys(page: Page, item: string): Promise<void> {
  await page.keyboard.press('Shift+F10');
  // A menu takes focus a moment after it appears.
  await expect(page.locator('[role="menu"]:focus, [role="menu"] :focus')).toHaveCount(1);
  await page.getByRole('menuitem', { name: item }).focus();
  await page.keyboard.press('Enter');
}

test('closing any dialog returns focus to the element that had it before', async ({ win, lab }) => {
  await labBucket(lab, 'there-and-back', ['a.txt']);
  for (const name of ['Add a connection', 'Settings']) {
    const button = win.getByRole('button', { name, exact: true }).first();
    await button.focus();
    await win.keyboard.press('Enter');
    await thereAndBack(win, button, /connection|Settings/);
  }

  await goTo(win, 'Lab', 'there-and-back');
  await rowOf(win, 'a.txt').click();
  for (const item of ['Create a link…', 'Properties…', 'Delete…']) {
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

test('closing a dialog opened from another one returns focus to that one', async ({ win, lab }) => {
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

/**
 * Returns the part of the page that has focus: `list`, `dialog` or `elsewhere`. Returns `nowhere` without a visible focused
 * element.
 */
async function keyboardPlace(page: Page): Promise<string> {
  return page.evaluate(() => {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement) || active === document.body || !active.checkVisibility())
      return 'nowhere';
    if (active.closest('[role="dialog"]') !== null) return 'dialog';
    return active.closest('[role="grid"]') === null ? 'elsewhere' : 'list';
  });
}

test('the list has focus after any dialog has completed its action', async ({ win, lab, cooper }) => {
  await labBucket(lab, 'done-and-back', ['a.txt', 'b.txt', 'c.txt']);
  await goTo(win, 'Lab', 'done-and-back');
  const inFolder = [
    ['a.txt', 'Delete…', 'Delete'],
    ['b.txt', 'Delete…', 'Delete'],
    ['c.txt', 'Delete…', 'Delete'],
  ] as const;
  for (const [name, item, button] of inFolder) {
    await rowOf(win, name).click();
    await chooseByKeys(win, item);
    const dialog = win.getByRole('dialog');
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: button, exact: true }).click();
    await expect(dialog).toBeHidden();
    // A row that moves up while it is clicked would hand its place to the next one.
    await expect(rowOf(win, name)).toHaveCount(0);
    if (name === 'c.txt') await expect(win.getByText('This bucket is empty')).toBeVisible();
    await expect.poll(async () => keyboardPlace(win)).toBe(name === 'c.txt' ? 'elsewhere' : 'list');
  }

  const file = sampleFile(cooper.dataDir, 'resumed.img', 2 * partSize, 31);
  const bytes = Buffer.alloc(partSize + 1);
  await stall(lab, { bucket: 'done-and-back', key: 'resumed.img' }, file, [1]);
  await stall(lab, { bucket: 'done-and-back', key: 'completed.bin' }, bytes, [1, 2]);
  await stall(lab, { bucket: 'done-and-back', key: 'aborted.bin' }, bytes, [1, 2]);
  await openStalled(win, 'Lab', 'done-and-back');
  const rowNamed = (name: string): Locator => uploadsGrid(win).getByRole('row').filter({ hasText: name });

  await rowNamed('completed.bin').click();
  await chooseByKeys(win, 'Complete as it is…');
  await win.getByRole('dialog').getByRole('button', { name: 'Complete', exact: true }).click();
  await expect(win.getByRole('dialog')).toBeHidden();
  await expect.poll(async () => keyboardPlace(win)).toBe('list');

  const plan = await planFrom(win, 'resumed.img', 'resumed.img');
  const start = plan.getByRole('button', { name: 'Start sending' });
  await expect(start).toBeEnabled();
  await start.press('Enter');
  await expect(win.getByRole('dialog')).toBeHidden();
  await expect.poll(async () => keyboardPlace(win)).toBe('list');

  await rowNamed('aborted.bin').click();
  await chooseByKeys(win, 'Abort…');
  const abort = win.getByRole('dialog');
  await abort.getByLabel('I understand that this cannot be undone').check();
  await abort.getByRole('button', { name: 'Abort and delete its parts' }).click();
  await expect(abort).toBeHidden();
  await expect.poll(async () => keyboardPlace(win)).toBe('list');
});
