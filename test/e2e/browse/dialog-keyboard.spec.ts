import { expect, type Page } from '@playwright/test';
import { goTo, grid, labBucket, rowOf, test } from '../support/window.ts';

/** Records the focused element of a dialog after each focus change, for the lifetime of the page. */
async function watchFocus(page: Page): Promise<void> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seenFocus: seen });
    document.addEventListener('focusin', () => {
      queueMicrotask(() => {
        const active = document.activeElement;
        if (active?.closest('[role="dialog"]') === null) return;
        seen.push(active?.getAttribute('aria-label') ?? active?.textContent ?? '');
      });
    });
  });
}

const seenFocus = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (globalThis as unknown as { seenFocus: string[] }).seenFocus.splice(0));

test('a dialog first focuses a field, its content or the safe choice, but never its close button', async ({
  win,
  lab,
}) => {
  await labBucket(lab, 'dialog-keyboard', ['a.txt', 'b.txt', 'deep/c.txt']);
  await goTo(win, 'Lab', 'dialog-keyboard');
  await rowOf(win, 'a.txt').click();
  await watchFocus(win);
  const dialog = win.getByRole('dialog');
  // Until the properties have loaded, the dialog itself has focus.
  lab.faults.add({ operation: 'HeadObject', bucket: 'dialog-keyboard', action: { kind: 'delay', ms: 300 } });
  for (const [keys, begin] of [
    ['Delete', () => dialog.getByRole('button', { name: 'Cancel' })],
    ['Alt+Enter', () => dialog.getByRole('textbox', { name: 'Content type' })],
    ['Alt+Shift+n', () => dialog.getByRole('textbox')],
    ['Control+p', () => dialog.getByRole('combobox')],
    ['Control+,', () => dialog.locator(':focus')],
  ] as const) {
    await grid(win).focus();
    await win.keyboard.press(keys);
    await expect(begin(), keys).toBeFocused();
    expect(await seenFocus(win), keys).not.toContain('Close');
    await win.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  lab.faults.clear();
});
