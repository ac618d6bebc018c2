import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * What keeps somebody out, as axe sees it: each broken rule with the elements that break it. `within`: a selector; else the
 * whole page. The rules are the same either way, but a page without frames is judged where it is: by default each look
 * opens a blank page to put together what the frames found, and lists all that is well too, which takes four times as long.
 */
export async function axeFindings(page: Page, within?: string): Promise<readonly string[]> {
  return await findings(page, within, null);
}

/** The rules that look at colours; what the others find is the same in light and in dark. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** What keeps somebody out in light, where every rule is tried, and in dark. It stays dark. */
export async function axeFindingsInBothSchemes(page: Page): Promise<readonly string[]> {
  await showScheme(page, 'light');
  const inLight = await findings(page, undefined, null);
  await showScheme(page, 'dark');
  const inDark = await findings(page, undefined, rulesOfColours);
  return [...inLight.map((found) => `light: ${found}`), ...inDark.map((found) => `dark: ${found}`)];
}

async function showScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}

/** `rules`: null, for all. */
async function findings(
  page: Page,
  within: string | undefined,
  rules: readonly string[] | null,
): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  if (rules !== null) axe.withRules([...rules]);
  if (within !== undefined) axe.include(within);
  if (page.frames().length === 1) axe.setLegacyMode();
  for (let looks = 1; ; looks += 1) {
    const { violations } = await axe.analyze();
    // Elements that are fading in lack contrast: only lasting ones are reported.
    if (violations.length === 0 || looks === mostLooks)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
      );
    await stillness(page);
  }
}

const mostLooks = 3;

/** Until no transition or animation of a limited length runs, and the next frame is drawn. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}
