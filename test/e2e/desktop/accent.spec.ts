import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { goTo, grid, test } from '../support/window.ts';

const defaultAccent = '#0f766e';

const accentIn = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--cooper-accent').trim());

/** Makes pages see the system's accent colour, as in Firefox; Chromium reports one colour for all. */
async function tellAccent(page: Page, colour: string): Promise<void> {
  await page.addInitScript((systemAccent) => {
    const computed = globalThis.getComputedStyle;
    globalThis.getComputedStyle = (element, pseudo) =>
      element instanceof HTMLElement && element.style.color.toLowerCase() === 'accentcolor'
        ? ({ color: systemAccent } as CSSStyleDeclaration)
        : computed(element, pseudo);
  }, colour);
}

test("Cooper's own accent is used if the browser hides the system's", async ({ win }) => {
  expect(await accentIn(win)).toBe(defaultAccent);
});

test("the browser's accent is used in a readable shade until it is turned off", async ({
  page,
  cooper,
}, info) => {
  test.slow();
  await tellAccent(page, 'rgb(255, 185, 0)');
  await page.goto(await cooper.newAddress());
  await goTo(page, 'Sample buckets', 'documents');
  await expect(grid(page)).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await accentIn(page)).not.toBe(defaultAccent);
    await page.getByRole('button', { name: 'Settings' }).click();
    await expect(page.getByRole('switch', { name: 'Use the system’s accent colour' })).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await page.screenshot({ path: info.outputPath(`accent-${colorScheme}.png`) });
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.screenshot({ path: info.outputPath(`accent-folder-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('switch', { name: 'Use the system’s accent colour' }).click();
  await expect.poll(() => accentIn(page)).toBe(defaultAccent);
  await page.getByRole('switch', { name: 'Use the system’s accent colour' }).click();
  await expect.poll(() => accentIn(page)).not.toBe(defaultAccent);
});
