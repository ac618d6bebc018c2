import { expect, type Locator, type Page } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { goTo, labBucket, rowOf, test } from '../support/window.ts';

/** Returns the visible buttons of the window that open a menu. */
const menuButtons = (page: Page): Locator => page.locator('button[aria-haspopup="menu"]:visible');

test('every button with a menu opens it by the keyboard, names it, and gets the focus back on Escape', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'menu-buttons', ['a.txt']);
  await goTo(win, 'Lab', 'menu-buttons');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  const count = await menuButtons(win).count();
  // At least the buttons for upload, more, and the menu of all connections.
  expect(count).toBeGreaterThanOrEqual(3);
  for (let at = 0; at < count; at += 1) {
    const button = menuButtons(win).nth(at);
    const name = await button.evaluate(
      (element) => element.getAttribute('aria-label') ?? element.textContent.trim(),
    );
    await button.focus();
    await win.keyboard.press('Enter');
    const menu = win.getByRole('menu');
    await expect(menu, name).toBeVisible();
    await expect(button, name).toHaveAttribute('aria-expanded', 'true');
    await expect
      .poll(() => menu.evaluate((element) => element.contains(document.activeElement)), { message: name })
      .toBe(true);
    await win.keyboard.press('ArrowDown');
    await expect(menu.locator('[role="menuitem"]:focus, [role="menuitemcheckbox"]:focus'), name).toHaveCount(
      1,
    );
    await win.keyboard.press('Escape');
    await expect(menu, name).toBeHidden();
    await expect(button, name).toBeFocused();
    await expect(button, name).toHaveAttribute('aria-expanded', 'false');
  }
});

test('a second click on the button of a menu closes it, and its menu is accessible', async ({ win, lab }) => {
  await labBucket(lab, 'menu-clicks', ['a.txt']);
  await goTo(win, 'Lab', 'menu-clicks');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  const upload = win.getByRole('button', { name: 'Upload', exact: true });
  await upload.click();
  const menu = win.getByRole('menu', { name: 'Upload' });
  await expect(menu).toBeVisible();
  expect(await axeFindingsInBothSchemes(win)).toEqual([]);
  await upload.click();
  await expect(menu).toBeHidden();
  await expect(upload).toBeFocused();
  // A click beside the menu closes it, too.
  await upload.click();
  await expect(menu).toBeVisible();
  await rowOf(win, 'a.txt').click();
  await expect(menu).toBeHidden();
});
