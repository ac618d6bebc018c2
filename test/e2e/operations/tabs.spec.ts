import { expect, type Locator, type Page } from '@playwright/test';
import { expectJob, expectLabKeys, selectRows } from '../support/operations.ts';
import { crumb, goTo, labBucket, rowOf, test } from '../support/window.ts';

const tabOf = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true });

/** Opens another folder of the lab in a new tab, then selects the tab `back`. */
async function openBeside(page: Page, address: string, name: string, back: string): Promise<void> {
  await page.keyboard.press('Alt+t');
  await expect(page.getByRole('tab', { selected: true })).toHaveAccessibleName('Start');
  await goTo(page, 'Lab', address);
  await expect(page.getByRole('tab', { selected: true })).toHaveAccessibleName(name);
  await tabOf(page, back).click();
  await expect(crumb(page)).toHaveText(back);
}

test('rows dragged onto a tab are moved within a bucket and copied to another', async ({ win, lab }) => {
  await labBucket(lab, 'tabs-from', ['a.txt', 'b.txt', 'box/in.txt', 'c.txt', 'd.txt']);
  await labBucket(lab, 'tabs-to', ['deep/kept.txt']);
  await win.reload();
  await goTo(win, 'Lab', 'tabs-from');
  await openBeside(win, 'tabs-from/box/', 'box', 'tabs-from');
  await openBeside(win, 'tabs-to/deep/', 'deep', 'tabs-from');

  await selectRows(win, 'a.txt', 'b.txt');
  await rowOf(win, 'a.txt').dragTo(tabOf(win, 'box'));
  await expectJob(win, 'Done. Moved ');
  await expectLabKeys(lab, 'tabs-from', ['box/a.txt', 'box/b.txt', 'box/in.txt', 'c.txt', 'd.txt']);

  await tabOf(win, 'tabs-from').click();
  // Removed rows shift the ones below, so use a row that stays in place.
  await expect(rowOf(win, 'a.txt')).toBeHidden();
  await rowOf(win, 'c.txt').dragTo(tabOf(win, 'deep'));
  await expectJob(win, 'Done. Copied ');
  await expectLabKeys(lab, 'tabs-to', ['deep/c.txt', 'deep/kept.txt']);
  await expectLabKeys(lab, 'tabs-from', ['box/a.txt', 'box/b.txt', 'box/in.txt', 'c.txt', 'd.txt']);

  // A tab comes to the front while rows are held over it, and the rows can then be dragged into its list.
  await tabOf(win, 'tabs-from').click();
  await rowOf(win, 'd.txt').hover();
  await win.mouse.down();
  // The first step starts the drag, and each later one reports the position.
  await expect(async () => {
    await tabOf(win, 'box').hover();
    await expect(win.getByText('Move 1 object to tabs-from/box/')).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [0], timeout: 10_000 });
  await expect(tabOf(win, 'box')).toHaveAttribute('aria-selected', 'true');
  await expect(rowOf(win, 'in.txt')).toBeVisible();
  await rowOf(win, 'in.txt').hover();
  await win.mouse.up();
  await expectLabKeys(lab, 'tabs-from', ['box/a.txt', 'box/b.txt', 'box/d.txt', 'box/in.txt', 'c.txt']);
});
