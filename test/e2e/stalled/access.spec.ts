import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import {
  act,
  done,
  jobRow,
  openStalled,
  panel,
  partSize,
  pick,
  seconds,
  stall,
  uploadRow,
  uploadsGrid,
} from '../support/uploads.ts';
import { sidebarRow, test } from '../support/window.ts';

/** Presses a key until the wanted element has focus. */
async function pressUntil(page: Page, key: string, target: Locator): Promise<void> {
  const isThere = (): Promise<boolean> => target.evaluate((element) => element === document.activeElement);
  await expect(async () => {
    if (await isThere()) return;
    await page.keyboard.press(key);
    expect(await isThere()).toBe(true);
  }).toPass({ intervals: [0], timeout: 10_000 });
}

test('an upload is completed with its parts by keyboard alone', async ({ win, lab }) => {
  const place = { bucket: 'by-keyboard', key: 'by keyboard.bin' };
  await stall(lab, place, Buffer.alloc(partSize + 1, 'key '), [1, 2]);
  await pressUntil(win, 'Tab', win.locator('[role="treeitem"][tabindex="0"]'));
  // The window reopens at its last location, so this key first moves to the top of the tree.
  await win.keyboard.press('Home');
  await expect(sidebarRow(win, 'Sample buckets')).toBeFocused();
  await pressUntil(win, 'ArrowDown', sidebarRow(win, 'Lab'));
  await win.keyboard.press('ArrowRight');
  const stalled = sidebarRow(win, 'Lab').locator('xpath=following::*[@role="treeitem"][1]');
  await expect(stalled).toContainText('Stalled uploads');
  await pressUntil(win, 'ArrowDown', stalled);
  await win.keyboard.press('Enter');
  await expect(win.getByRole('heading', { name: 'Stalled uploads', level: 1 })).toBeVisible();

  await pressUntil(win, 'Tab', win.getByLabel('Filter by text in the key'));
  await win.keyboard.type('by keyboard');
  const row = uploadRow(win, 'by keyboard.bin');
  await expect(row).toContainText('No gaps');
  await expect(uploadsGrid(win)).toHaveAttribute('aria-rowcount', '2');
  await pressUntil(win, 'Tab', uploadsGrid(win));
  await win.keyboard.press('Home');
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await win.keyboard.press('Shift+F10');
  await expect(win.getByRole('menu')).toBeVisible();
  await pressUntil(win, 'ArrowDown', win.getByRole('menuitem', { name: 'Complete as it is…' }));
  await win.keyboard.press('Enter');
  const dialog = win.getByRole('dialog', { name: 'Complete this upload as it is?' });
  await pressUntil(win, 'Tab', dialog.getByRole('button', { name: 'Complete', exact: true }));
  await win.keyboard.press('Enter');
  // A lost key leaves the question open; a resumed upload closes it.
  await expect(dialog).toBeHidden(seconds(20));
  await expect(panel(win)).toBeVisible();
  await expect(jobRow(win, 'by keyboard.bin')).toContainText(done, seconds(20));
  await expect(row).toHaveCount(0);
});

async function check(page: Page, label: string): Promise<void> {
  expect(await axeFindingsInBothSchemes(page), label).toEqual([]);
}

test('axe finds no problems in the list, the transfers, an upload, the picker and a plan', async ({
  win,
  lab,
}) => {
  test.slow();
  const name = 'seen.bin';
  const place = { bucket: 'axe-uploads', key: name };
  await stall(lab, place, Buffer.alloc(3 * partSize, 'axe '), [1, 3]);
  await openStalled(win, 'Lab', place.bucket);
  await act(win, name, 'Complete as it is…');
  const question = win.getByRole('dialog', { name: 'Complete with missing parts?' });
  await question.getByLabel('I understand that the object will be incomplete').check();
  await check(win, 'the question before completing with gaps');
  await question.getByRole('button', { name: 'Complete with missing parts' }).click();
  await expect(jobRow(win, name)).toContainText(done);
  await jobRow(win, name).dblclick();
  await expect(panel(win).getByRole('region', { name: 'Requests of this transfer' })).toBeVisible();
  await check(win, 'the transfers, with a log');

  await openStalled(win, 'Sample buckets');
  await expect(uploadRow(win, 'harbour at dawn.wav')).toContainText('Has gaps');
  await uploadRow(win, 'harbour at dawn.wav').click();
  await check(win, 'the list');
  await uploadsGrid(win).press('Enter');
  const drawer = win.getByRole('dialog', { name: 'Stalled upload' });
  await expect(drawer.locator('[data-autofocus]')).toBeFocused();
  await expect(drawer.getByRole('grid').getByRole('row').filter({ hasText: 'missing' })).toBeVisible();
  await check(win, 'an upload');
  await drawer.getByRole('button', { name: 'Resume from a file…' }).click();
  const resume = win.getByRole('dialog', { name: 'Resume from a file' });
  await resume.getByRole('button', { name: 'Choose the file…' }).click();
  await expect(win.getByRole('grid', { name: 'Files and folders' }).getByRole('row').nth(1)).toBeVisible();
  await check(win, 'the picker');
  await pick(win, 'harbour at dawn.wav');
  await expect(resume.getByText('1 part is missing. Cooper sends it.')).toBeVisible();
  await check(win, 'a plan');
});

test('the list of stalled uploads does not move while their cost is counted', async ({ win }) => {
  await openStalled(win, 'Sample buckets', 'backups');
  await win.addInitScript(() => {
    const tops = new Set<number>();
    Object.assign(globalThis, { tops });
    const look = (): void => {
      const row = document.querySelector('[aria-label="Stalled uploads"] [aria-rowindex="2"]');
      if (row !== null) tops.add(Math.round(row.getBoundingClientRect().top));
      requestAnimationFrame(look);
    };
    look();
  });
  for (const width of [1280, 800]) {
    await win.setViewportSize({ width, height: 800 });
    await win.reload();
    await expect(win.getByText(/ a month/)).toBeVisible();
    const tops = await win.evaluate(() => [...(globalThis as unknown as { tops: Set<number> }).tops]);
    expect(tops, String(width)).toHaveLength(1);
  }
});
