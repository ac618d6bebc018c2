import { expect, type Locator, type Page } from '@playwright/test';
import { dragToBucket, goTo, labBucket, lookAway, rowOf, test } from '../support/window.ts';

interface Box {
  readonly top: number;
  readonly bottom: number;
}

/** Checks that the notice is entirely inside the window, and returns where it ends. */
async function boxOf(page: Page, part: Locator): Promise<Box> {
  const box = await part.boundingBox();
  if (box === null) throw new Error('It is not on the page.');
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
  return { top: box.y, bottom: box.y + box.height };
}

test('toasts are readable below an open dialog of any height', async ({ win, lab }, info) => {
  // Two transfers that need a decision; their toasts stay until closed.
  const names = ['one.txt', 'two.txt'];
  await labBucket(lab, 'notices-from', names);
  await labBucket(lab, 'notices-to', names);
  await win.reload();
  await lookAway(win);
  await goTo(win, 'Lab', 'notices-from');
  for (const name of names) {
    const target = lab.store.buckets.get('notices-to');
    await lab.store.putBytes(target?.id ?? -1, name, Buffer.from('another'), { modifiedMs: 2e12 });
    await dragToBucket(win, rowOf(win, name), 'notices-to');
  }
  const notices = win.getByRole('alert').filter({ hasText: 'Decide what to do' });
  await expect(notices).toHaveCount(2);
  // Neither the sidebar nor the status bar is covered.
  const beside = await win.getByRole('navigation', { name: 'Places' }).boundingBox();
  const below = await win.getByRole('group', { name: 'Status' }).boundingBox();
  for (const notice of await notices.all()) {
    const box = await notice.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual((beside?.x ?? 0) + (beside?.width ?? Infinity));
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  }
  await win.keyboard.press('Control+,');
  const dialog = win.getByRole('dialog', { name: 'Settings' });
  await expect(dialog).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [width, height] of [
      [1280, 800],
      [480, 800],
      [720, 480],
    ] as const) {
      await win.setViewportSize({ width, height });
      let moves = 0;
      await expect(async () => {
        // Moves the pointer away, because the stack unfolds under it. After a drag, Chromium may assume for a while that the
        // pointer is where the row was dropped, over a notice.
        moves += 1;
        await win.mouse.move(1 + moves, 2);
        const { bottom } = await boxOf(win, dialog);
        for (const notice of await notices.all())
          expect((await boxOf(win, notice)).top).toBeGreaterThanOrEqual(bottom);
      }).toPass({ timeout: 5000 });
      await win.screenshot({ path: info.outputPath(`${colorScheme}-${String(width)}.png`) });
    }
  }
  // The newest notice is in front and can be closed.
  await notices.first().getByRole('button', { name: 'Close' }).click();
  await expect(notices).toHaveCount(1);
  await expect(dialog).toBeVisible();
});
