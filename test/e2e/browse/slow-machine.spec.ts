import { expect, type Page } from '@playwright/test';
import { act, done, jobRow, openStalled, stall } from '../support/uploads.ts';
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

/** Returns the easings of the animations that never end. */
const endlessEasings = async (win: Page): Promise<readonly (string | undefined)[]> =>
  await win.evaluate(() =>
    document
      .getAnimations()
      .flatMap(({ effect }) => (effect instanceof KeyframeEffect ? effect : []))
      .filter((effect) => effect.getTiming().iterations === Infinity)
      .flatMap((effect) => effect.getKeyframes().map(({ easing }) => easing)),
  );

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
  await expect.poll(async () => (await endlessEasings(win)).length).toBeGreaterThan(0);
  expect(new Set(await endlessEasings(win))).toEqual(new Set(['steps(12)']));
  await win.keyboard.press('Alt+ArrowLeft');
});

test('a progress bar that moves does so in steps', async ({ win, lab }) => {
  await win.emulateMedia({ reducedMotion: 'no-preference' });
  const place = { bucket: 'moving-bar', key: 'bar.bin' };
  await stall(lab, place, Buffer.alloc(10, 'bar'), [1]);
  const completed = Promise.withResolvers<undefined>();
  lab.faults.add({
    operation: 'CompleteMultipartUpload',
    key: place.key,
    action: { kind: 'hold', until: completed.promise },
  });
  await openStalled(win, 'Lab', place.bucket);
  await act(win, place.key, 'Complete as it is…');
  const dialog = win.getByRole('dialog', { name: 'Complete this upload as it is?' });
  await dialog.getByRole('button', { name: 'Complete', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(jobRow(win, place.key).getByRole('progressbar')).toHaveAttribute('data-animated', 'true');
  await expect.poll(async () => await endlessEasings(win)).toContain('steps(10)');
  for (const easing of await endlessEasings(win)) expect(easing).toMatch(/^steps/u);
  completed.resolve(undefined);
  await expect(jobRow(win, place.key)).toContainText(done);
});

test('placeholders of content that loads appear and disappear in steps', async ({ win }) => {
  await win.emulateMedia({ reducedMotion: 'no-preference' });
  const easing = await win.evaluate(() => {
    const placeholder = document.createElement('div');
    placeholder.className = 'mantine-Skeleton-root';
    placeholder.dataset['animate'] = 'true';
    document.body.append(placeholder);
    const { animationTimingFunction } = getComputedStyle(placeholder, '::after');
    placeholder.remove();
    return animationTimingFunction;
  });
  expect(easing).toBe('steps(8)');
});
