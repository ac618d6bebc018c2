import { expect, type Locator, type Page } from '@playwright/test';
import { rowNamed } from './window.ts';

/** Returns one of the two panes. */
export const pane = (page: Page, side: 'Left' | 'Right'): Locator =>
  page.getByRole('group', { name: `${side} pane` });
export const list = (within: Locator): Locator => within.getByRole('grid', { name: /^Contents of/ });
export const row = (within: Locator, name: string): Locator => rowNamed(within.page(), list(within), name);
export const pathOf = (within: Locator): Locator =>
  within.getByRole('navigation', { name: 'Path' }).locator('[aria-current="location"]');

/** Closes the second pane, also for later windows, since tabs are restored. */
export async function leaveOnePlace(page: Page): Promise<void> {
  const close = pane(page, 'Right').getByRole('button', { name: 'Close this pane' });
  // Rendered once the tabs are restored.
  const heading = page.locator('[data-pane="main"] :is(h1, h2)').first();
  await expect(async () => {
    await page.reload();
    await expect(heading).toBeAttached();
    const isPair = await close.isVisible();
    if (isPair) await close.click();
    expect(isPair).toBe(false);
    // Waits, because tabs are stored with a delay.
  }).toPass({ intervals: [1000] });
}
