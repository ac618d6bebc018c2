import { expect, type Locator, type Page } from '@playwright/test';

/**
 * Scrolls the sidebar until a row of its tree is rendered, because a long tree renders only its visible rows. Continues at the
 * beginning after the end.
 */
export async function revealInTree(page: Page, row: Locator): Promise<void> {
  await expect(async () => {
    if ((await row.count()) === 0) await scrollTree(page);
    await expect(row).toBeVisible({ timeout: 200 });
  }).toPass({ intervals: [50] });
}

async function scrollTree(page: Page): Promise<void> {
  await page.getByRole('tree').evaluate((tree) => {
    let scroller = tree.parentElement;
    while (scroller !== null && getComputedStyle(scroller).overflowY !== 'auto')
      scroller = scroller.parentElement;
    if (scroller === null) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 1;
    scroller.scrollTop = isAtEnd ? 0 : scrollTop + clientHeight / 2;
  });
}
