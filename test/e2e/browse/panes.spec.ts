import { expect, type Page } from '@playwright/test';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

const paneWithKeyboard = async (page: Page): Promise<string | null> =>
  await page.evaluate(
    () => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? null,
  );

const hasKeyboardNowhere = async (page: Page): Promise<boolean> =>
  await page.evaluate(() => document.activeElement === null || document.activeElement === document.body);

test('F6 cycles through the regions of the window, and Shift+F6 backwards', async ({ win, lab }) => {
  await labBucket(lab, 'panes', ['a.txt']);
  await goTo(win, 'Lab', 'panes');
  await expect(grid(win)).toBeFocused();
  await expect(win.getByRole('complementary', { name: 'Details' })).toBeVisible();
  const shown = await win.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-pane]')]
      .filter((pane) => pane.checkVisibility())
      .map((pane) => pane.dataset['pane'] ?? ''),
  );
  expect(shown).toEqual(['sidebar', 'tabs', 'toolbar', 'main', 'details', 'status']);
  const seen: (string | null)[] = [];
  for (let press = 0; press < shown.length; press += 1) {
    await win.keyboard.press('F6');
    seen.push(await paneWithKeyboard(win));
  }
  expect(new Set(seen)).toEqual(new Set(shown));
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Shift+F6');
  expect(await paneWithKeyboard(win)).toBe('toolbar');
});

test('a dialog focuses its first field, and one from the palette returns focus', async ({ win, lab }) => {
  await labBucket(lab, 'begins', ['a.txt']);
  await goTo(win, 'Lab', 'begins');
  await rowOf(win, 'a.txt').click();
  await win.keyboard.press('Alt+Enter');
  const properties = win.getByRole('dialog', { name: 'Properties of a.txt' });
  await expect(properties.getByRole('textbox', { name: 'Content type' })).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Control+k');
  await win.getByPlaceholder('Type a command or the name of a place').fill('New bucket');
  await win.keyboard.press('Enter');
  const bucket = win.getByRole('dialog', { name: /bucket/u });
  await expect(bucket.getByRole('textbox').first()).toBeFocused();
  await win.keyboard.press('Escape');
  await expect(bucket).toBeHidden();
  await expect(grid(win)).toBeFocused();
});

test('the list of stalled uploads has focus after Alt+U', async ({ win }) => {
  await goTo(win, 'Sample buckets', 'documents');
  await expect(grid(win)).toBeFocused();
  await win.keyboard.press('Alt+u');
  await expect(win.getByRole('heading', { name: 'Stalled uploads', exact: true })).toBeVisible();
  await expect.poll(async () => await hasKeyboardNowhere(win)).toBe(false);
  expect(await paneWithKeyboard(win)).toBe('main');
});
