import { expect } from '@playwright/test';
import { axeFindingsInBothSchemes } from '../support/axe.ts';
import { goTo, grid, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

test('a button with a menu opens it by the keyboard, names it, and gets the focus back on Escape', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'menu-buttons', ['a.txt']);
  await goTo(win, 'Lab', 'menu-buttons');
  await expect(rowOf(win, 'a.txt')).toBeVisible();
  for (const name of ['Connection actions', 'Upload', 'More']) {
    const button = win.getByRole('button', { name, exact: true });
    await button.focus();
    await win.keyboard.press('Enter');
    const menu = win.getByRole('menu', { name });
    await expect(menu).toBeVisible();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await expect
      .poll(() => menu.evaluate((element) => element.contains(document.activeElement)), { message: name })
      .toBe(true);
    await win.keyboard.press('ArrowDown');
    await expect(menu.locator('[role="menuitem"]:focus'), name).toHaveCount(1);
    await win.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    await expect(button).toBeFocused();
    await expect(button).toHaveAttribute('aria-expanded', 'false');
  }
});

test('a menu of the sidebar stays open when the current bucket appears far below', async ({ win, lab }) => {
  const buckets = Array.from({ length: 60 }, (_, at) =>
    lab.store.buckets.create(`menu-far-${String(at + 10)}`, Date.now()),
  );
  const listed = Promise.withResolvers<void>();
  const held = lab.faults.add({
    operation: 'ListBuckets',
    times: 9,
    action: { kind: 'hold', until: listed.promise },
  });
  await goTo(win, 'Lab', 'menu-far-69');
  await win.getByRole('button', { name: 'Connection actions' }).focus();
  await win.keyboard.press('Enter');
  const menu = win.getByRole('menu', { name: 'Connection actions' });
  const focused = menu.locator('[role="menuitem"]:focus');
  await expect(menu).toBeVisible();
  listed.resolve();
  await expect(sidebarRow(win, 'menu-far-69')).toBeAttached();
  await win.keyboard.press('ArrowDown');
  await expect(focused).toBeVisible();
  held.remove();
  for (const bucket of buckets) if (bucket !== null) lab.store.buckets.delete(bucket.id);
});

test('scrolling beside an open menu closes it, and its button gets the focus back', async ({ win, lab }) => {
  await labBucket(lab, 'menu-scroll', ['a.txt']);
  await goTo(win, 'Lab', 'menu-scroll');
  const button = win.getByRole('button', { name: 'Connection actions' });
  const buttonMenu = win.getByRole('menu', { name: 'Connection actions' });
  await button.click();
  await expect(buttonMenu).toBeVisible();
  // Scrolling within the menu keeps it open.
  await buttonMenu.hover();
  await win.mouse.wheel(0, 40);
  await rowOf(win, 'a.txt').hover();
  await expect(buttonMenu).toBeVisible();
  await win.mouse.wheel(0, 40);
  await expect(buttonMenu).toBeHidden();
  await expect(button).toBeFocused();

  await rowOf(win, 'a.txt').click({ button: 'right' });
  const rowMenu = win.getByRole('menu');
  await expect(rowMenu).toBeVisible();
  await win.mouse.move(400, 700);
  await win.mouse.wheel(0, 40);
  await expect(rowMenu).toBeHidden();
  await expect.poll(() => grid(win).evaluate((list) => list.contains(document.activeElement))).toBe(true);
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
