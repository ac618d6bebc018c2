import { expect, type Locator, type Page } from '@playwright/test';

export const gallery = (page: Page): Locator => page.getByRole('listbox', { name: /^Contents of/ });

export const tile = (page: Page, name: string): Locator =>
  gallery(page)
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) });

export const thumbnail = (page: Page, name: string): Locator => tile(page, name).locator('img');

export const focusedTile = (page: Page): Locator => gallery(page).locator('[data-focused="true"]');

/** Shows the current folder as a gallery. */
export async function showGallery(page: Page): Promise<void> {
  await page.keyboard.press('Control+2');
  await expect(gallery(page)).toBeVisible();
}

/** Waits until each of these tiles shows a decoded image. */
export async function expectThumbnails(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names)
    await expect
      .poll(async () => await widthOf(thumbnail(page, name)), { message: name, timeout: 15_000 })
      .toBeGreaterThan(0);
}

async function widthOf(image: Locator): Promise<number> {
  if ((await image.count()) === 0) return 0;
  return await image.evaluate((node) => (node instanceof HTMLImageElement ? node.naturalWidth : 0));
}
