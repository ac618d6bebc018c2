import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Returns each accessibility rule that axe finds broken, with the elements that break it. `within` is a selector; default: the
 * whole page. A page without frames is checked directly: by default axe opens a blank page per run to merge the frames' findings,
 * and lists all passes too, which takes four times as long.
 */
export async function axeFindings(page: Page, within?: string): Promise<readonly string[]> {
  return await findings(page, within, null);
}

/** The rules about colours; the results of all others are the same in light and dark. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** Returns the findings in light, with every rule, and in dark, with the rules about colours. Leaves the page dark. */
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

/** Returns axe's findings for these rules, or for all rules if null. */
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
    // Elements that are fading in lack contrast, so only lasting findings count.
    if (violations.length === 0 || looks === maxLooks)
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, html }) => `${target.join(' ')} ${html}`).join(', ')}`,
      );
    await stillness(page);
  }
}

const maxLooks = 3;

/** Waits until no transition or finite animation runs and the next frame is drawn. */
async function stillness(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((animation) => animation.finished));
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}
