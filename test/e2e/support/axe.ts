import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * What keeps somebody out, as axe sees it: each broken rule with the elements that break it. `within`: a selector; else the
 * whole page. The rules are the same either way, but a page without frames is judged where it is: by default each look
 * opens a blank page to put together what the frames found, and lists all that is well too, which takes four times as long.
 */
export async function axeFindings(page: Page, within?: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
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
