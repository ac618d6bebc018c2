import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { goTo, grid, rowOf, test } from '../support/window.ts';

const panel = (page: Page, name: 'Request log' | 'Transfers') =>
  page.getByRole('region', { name, exact: true });

/** Returns how many rows of the folder are fully visible. */
async function rowsSeen(page: Page): Promise<number> {
  const around = await grid(page).boundingBox();
  const row = await rowOf(page, '01-january.csv').boundingBox();
  const head = await grid(page).getByRole('columnheader').first().boundingBox();
  if (around === null || row === null || head === null) throw new Error('The folder is not there.');
  return Math.floor((around.height - head.height) / row.height);
}

/** Waits until at least six rows are visible in the resized window. */
async function keepsRows(page: Page): Promise<void> {
  await expect.poll(async () => await rowsSeen(page)).toBeGreaterThanOrEqual(6);
}

/** Checks that all layers end at the window's edge. */
async function fits(page: Page): Promise<void> {
  const endPx = async (): Promise<number> => {
    const bar = await page.getByRole('group', { name: 'Status' }).boundingBox();
    return bar === null ? Infinity : bar.y + bar.height;
  };
  await expect.poll(endPx).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
}

for (const width of [1280, 480])
  test(`in a window of ${String(width)} by 600 the folder keeps six rows above any open panel`, async ({
    win,
  }, info) => {
    await goTo(win, 'Sample buckets', 'documents/accounts/2026/');
    await expect(rowOf(win, '01-january.csv')).toBeVisible();
    await win.setViewportSize({ width, height: 600 });
    await win.keyboard.press('Control+j');
    await expect(panel(win, 'Request log')).toBeVisible();
    await keepsRows(win);
    await win.screenshot({ path: info.outputPath('log.png') });

    // The second panel replaces the first, which returns when the second closes.
    await win.keyboard.press('Alt+j');
    await expect(panel(win, 'Transfers')).toBeVisible();
    await expect(panel(win, 'Request log')).toBeHidden();
    await keepsRows(win);
    await fits(win);
    await win.screenshot({ path: info.outputPath('transfers.png') });
    expect(await axeFindings(win)).toEqual([]);
    await win.keyboard.press('Control+j');
    await expect(panel(win, 'Request log')).toBeVisible();
    await expect(panel(win, 'Transfers')).toBeHidden();
    await win.getByRole('button', { name: 'Hide the request log' }).first().click();
    await expect(panel(win, 'Transfers')).toBeVisible();

    // In a window that grows and shrinks, both panels return.
    await win.keyboard.press('Control+j');
    await win.setViewportSize({ width: 1280, height: 900 });
    await expect(panel(win, 'Transfers')).toBeVisible();
    await expect(panel(win, 'Request log')).toBeVisible();
    for (const height of [900, 800]) {
      await win.setViewportSize({ width, height });
      await keepsRows(win);
      await fits(win);
      await win.screenshot({ path: info.outputPath(`both-${String(height)}.png`) });
    }
    await win.keyboard.press('Control+j');
    await win.keyboard.press('Alt+j');
    await expect(panel(win, 'Transfers')).toBeHidden();
    await expect(panel(win, 'Request log')).toBeHidden();
  });
