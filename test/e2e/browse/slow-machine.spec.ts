import { expect, type Page } from '@playwright/test';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

/** Makes the page's CPU eight times slower, so that an element is visible before it has focus. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
}

test('a visible menu has focus, so Escape closes it and arrow keys move in it', async ({ win, lab }) => {
  test.setTimeout(180_000);
  const names = Array.from({ length: 9 }, (_, index) => `${String(index)}.txt`);
  await labBucket(lab, 'slow-menus', names);
  await goTo(win, 'Lab', 'slow-menus');
  await rowOf(win, '4.txt').click();
  await expect(grid(win)).toBeFocused();
  await slowDown(win);
  for (let round = 0; round < 8; round += 1) {
    await win.keyboard.press('Shift+F10');
    await win.getByRole('menu').waitFor();
    await win.keyboard.press('Escape');
    await expect(win.getByRole('menu')).toBeHidden();
    await expect(grid(win)).toBeFocused();
  }
  await win.keyboard.press('Shift+F10');
  await win.getByRole('menu').waitFor();
  await win.keyboard.press('ArrowDown');
  await expect(win.locator('[role="menuitem"]:focus')).toHaveCount(1);
  await expect(win.locator('[role="row"][aria-selected="true"]')).toContainText('4.txt');
});

test('a dialog closed as soon as it is visible returns focus', async ({ win, lab }) => {
  test.setTimeout(180_000);
  await labBucket(lab, 'slow-dialogs', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'slow-dialogs');
  await rowOf(win, 'a.txt').click();
  await expect(grid(win)).toBeFocused();
  await slowDown(win);
  for (const keys of ['Enter', 'Alt+Enter', 'Delete', 'Enter', 'Alt+Enter', 'Delete']) {
    await win.keyboard.press(keys);
    await win.getByRole('dialog').waitFor();
    await win.keyboard.press('Escape');
    await expect(win.getByRole('dialog')).toBeHidden();
    await expect(grid(win)).toBeFocused();
  }
});
