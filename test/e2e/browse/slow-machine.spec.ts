import { expect, type Page } from '@playwright/test';
import { goTo, grid, labBucket, rowOf, sidebarRow, test } from '../support/window.ts';

/** Makes the page's CPU eight times slower, so that an element is visible before it has focus. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 8 });
}

test('a visible menu has focus, so Escape closes it and arrow keys move in it', async ({ win, lab }) => {
  test.setTimeout(180_000);
  const names = Array.from({ length: 9 }, (_, index) => `${String(index)}.txt`);
  await labBucket(lab, 'slow-menus', names);
  await goTo(win, 'Lab', 'slow-menus');
  await rowOf(win, '4.txt').click();
  await expect(grid(win)).toBeFocused();
  await slowDown(win);
  for (let round = 0; round < 8; round += 1) {
    await win.keyboard.press('Shift+F10');
    await win.getByRole('menu').waitFor();
    await win.keyboard.press('Escape');
    await expect(win.getByRole('menu')).toBeHidden();
    await expect(grid(win)).toBeFocused();
  }
  await win.keyboard.press('Shift+F10');
  await win.getByRole('menu').waitFor();
  await win.keyboard.press('ArrowDown');
  await expect(win.locator('[role="menuitem"]:focus')).toHaveCount(1);
  await expect(win.locator('[role="row"][aria-selected="true"]')).toContainText('4.txt');
});

test('a dialog closed as soon as it is visible returns focus', async ({ win, lab }) => {
  test.setTimeout(180_000);
  await labBucket(lab, 'slow-dialogs', ['a.txt', 'b.txt']);
  await goTo(win, 'Lab', 'slow-dialogs');
  await rowOf(win, 'a.txt').click();
  await expect(grid(win)).toBeFocused();
  await slowDown(win);
  for (const keys of ['Enter', 'Alt+Enter', 'Delete', 'Enter', 'Alt+Enter', 'Delete']) {
    await win.keyboard.press(keys);
    await win.getByRole('dialog').waitFor();
    await win.keyboard.press('Escape');
    await expect(win.getByRole('dialog')).toBeHidden();
    await expect(grid(win)).toBeFocused();
  }
});

test('the window first renders in slices, between which the browser reacts', async ({ page, cooper }) => {
  await page.addInitScript(() => {
    // React posts this message to continue after a slice. A render that is not sliced needs two.
    let slices = 0;
    const { value: post } = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'postMessage') ?? {};
    MessagePort.prototype.postMessage = function (...args: readonly unknown[]) {
      if (args[0] === null) slices += 1;
      if (typeof post === 'function') Reflect.apply(post, this, args);
    };
    new MutationObserver((_, observer) => {
      if (document.querySelector('main') === null) return;
      observer.disconnect();
      document.documentElement.dataset['slices'] = String(slices);
    }).observe(document, { childList: true, subtree: true });
  });
  await slowDown(page);
  await page.goto(await cooper.newAddress());
  await expect(sidebarRow(page, 'Sample buckets')).toBeVisible();
  const slices = Number(await page.locator('html').getAttribute('data-slices'));
  expect(slices).toBeGreaterThan(5);
});

test('a spinner moves in steps, so that the window is not redrawn for each frame', async ({ win, lab }) => {
  await win.emulateMedia({ reducedMotion: 'no-preference' });
  await labBucket(lab, 'spinning', ['a.txt']);
  const hang = lab.faults.add({
    operation: 'ListObjectsV2',
    bucket: 'spinning',
    action: { kind: 'hang', apply: false },
  });
  await goTo(win, 'Lab', 'spinning');
  await expect.poll(() => hang.fired).toBe(1);
  /** Returns the easings of the animations that never end. */
  const easings = async (): Promise<readonly (string | undefined)[]> =>
    await win.evaluate(() =>
      document
        .getAnimations()
        .flatMap(({ effect }) => (effect instanceof KeyframeEffect ? effect : []))
        .filter((effect) => effect.getTiming().iterations === Infinity)
        .flatMap((effect) => effect.getKeyframes().map(({ easing }) => easing)),
    );
  await expect.poll(async () => (await easings()).length).toBeGreaterThan(0);
  expect(new Set(await easings())).toEqual(new Set(['steps(12)']));
  await win.keyboard.press('Alt+ArrowLeft');
});
