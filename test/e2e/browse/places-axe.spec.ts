import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { expectThumbnails, gallery } from '../support/gallery.ts';
import { pressInList, renameInList } from '../support/operations.ts';
import { leaveOnePlace, list, pane, row } from '../support/panes.ts';
import { goTo, grid, labBucket, openConnection, rowOf, test } from '../support/window.ts';

/** Checks the page with axe in both themes, wide and narrow. */
async function check(page: Page, label: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 800],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    expect(await axeFindings(page), `${label}, ${colorScheme}, ${String(width)} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('axe finds no problems in empty folders, find fields and transfers, reached by keyboard', async ({
  win,
  lab,
}) => {
  test.slow();
  await labBucket(lab, 'axe-empty', []);
  await labBucket(lab, 'axe-few', ['img10.txt', 'img2.txt', 'deep/x.txt']);
  await goTo(win, 'Lab', 'axe-empty');
  await expect(win.getByText('This bucket is empty')).toBeVisible();
  await check(win, 'an empty bucket');
  await win.keyboard.press('Alt+u');
  await expect(win.getByText('No stalled uploads')).toBeVisible();
  await expect(win.getByRole('status').filter({ hasText: '0 uploads' })).toBeVisible();
  await check(win, 'no stalled uploads');

  await goTo(win, 'Lab', 'axe-few');
  await expect(rowOf(win, 'img2.txt')).toBeVisible();
  await win.keyboard.press('Control+f');
  await win.keyboard.type('nothing like it');
  await expect(win.getByText('No loaded name contains “nothing like it”')).toBeVisible();
  await check(win, 'a filter that fits nothing');
  await win.keyboard.press('Escape');
  await win.keyboard.press('Control+Shift+E');
  await expect(win.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await win.keyboard.type('nothing like it');
  await win.keyboard.press('Enter');
  await expect(win.getByText('No matches')).toBeVisible();
  await check(win, 'a search that found nothing');
  await win.keyboard.press('Alt+ArrowLeft');
  await expect(rowOf(win, 'img2.txt')).toBeVisible();

  // Renames an object, to check its notice and the transfers.
  await pressInList(win, 'End');
  await renameInList(win, 'img10.txt', 'img11.txt');
  await expect(rowOf(win, 'img11.txt')).toBeVisible();
  await expect(win.getByText('Finished: img10.txt')).toBeVisible();
  await expect(win.getByText('Renaming img10.txt')).toHaveCount(0);
  await check(win, 'a notice');
  const transfers = win.getByRole('region', { name: 'Transfers', exact: true });
  await win.keyboard.press('Alt+j');
  await expect(transfers).toBeVisible();
  await check(win, 'the transfers');
  await win.keyboard.press('Alt+j');
  // Shows a notice without a title.
  await pressInList(win, 'Control+v');
  await expect(win.getByText('There is nothing to paste')).toBeVisible();
  await check(win, 'a notice without a title');
  await win.keyboard.press('F1');
  await expect(win.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Alt+↓');
  await check(win, 'the shortcuts');
  await win.keyboard.press('Escape');
});

test('axe finds no problems in a gallery with quick look, in the map, and in two panes', async ({ win }) => {
  test.slow();
  await goTo(win, 'Sample buckets', 'photos/2026/islands/');
  await win.keyboard.press('Control+2');
  await expect(gallery(win)).toBeFocused();
  await expectThumbnails(win, ['arrival.png']);
  await win.keyboard.press('Home');
  await win.keyboard.press('Space');
  await expect(win.getByRole('region', { name: /^Look at/ }).getByRole('img')).toBeVisible();
  await check(win, 'a look beside a gallery');
  await win.keyboard.press('Escape');
  await win.keyboard.press('Control+3');
  const map = win.getByRole('region', { name: /^Map of/ });
  await expect(map.getByRole('img', { name: /What takes the space/ })).toBeVisible();
  await expect(map.getByRole('button', { name: /^Images/ })).toBeVisible();
  await check(win, 'the map');
  await win.keyboard.press('Control+1');
  await expect(grid(win)).toBeVisible();

  await win.keyboard.press('Control+Backslash');
  await expect(list(pane(win, 'Right'))).toBeFocused();
  await win.getByRole('button', { name: 'Sample files', exact: true }).click();
  await row(pane(win, 'Right'), 'harbour at dawn.wav').click();
  await check(win, 'a bucket beside this computer');
  await leaveOnePlace(win);
  await openConnection(win, 'Sample buckets');
});
