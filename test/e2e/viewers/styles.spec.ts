import { expect, type Page } from '@playwright/test';
import { lightJpeg } from '../../../electron/service/samples/kept-files.ts';
import { longPdf } from '../../support/files/pdf-files.ts';
import { goTo, grid, test } from '../support/window.ts';
import { open, putAll } from './viewing.ts';

const files: Readonly<Record<string, string | Uint8Array>> = {
  'a.csv': 'a,b\n1,2\n',
  'b.json': '{"a":1}',
  'c.md': '# Heading',
  'd.pdf': longPdf(2),
  'e.txt': 'text',
  'f.xml': '<a/>',
  'g.yaml': 'a: 1',
  'h.jpg': lightJpeg,
};

/** Returns every computed style of the root and of parts that stay while a viewer opens and closes. */
async function styles(page: Page): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  return await page.evaluate(() => {
    const selectors = [
      ':root',
      'body',
      'button',
      'input',
      'nav',
      '[role="grid"]',
      '[role="row"]',
      '[role="treeitem"]',
      'a',
      'svg',
      'canvas',
      'p',
    ];
    return Object.fromEntries(
      selectors.flatMap((selector) => {
        const element = document.querySelector(selector);
        if (element === null) return [];
        const computed = getComputedStyle(element);
        return [
          [
            selector,
            Object.fromEntries(Array.from(computed, (name) => [name, computed.getPropertyValue(name)])),
          ],
        ];
      }),
    );
  });
}

test('no viewer leaves a style that applies outside of it, in either theme', async ({ win, lab }) => {
  await putAll(lab, 'styles-of-viewers', files);
  await goTo(win, 'Lab', 'styles-of-viewers/');
  // Adds probe elements with class names that only a viewer's style sheet may use.
  await win.evaluate(() => {
    for (const className of ['page', 'hidden', 'canvasWrapper', 'spread', 'highlight', 'textLayer']) {
      const probe = document.createElement('p');
      probe.className = className;
      document.body.append(probe);
    }
  });
  // A notice of an earlier test takes room in the window.
  const notices = (): Promise<string> =>
    win.evaluate(() => document.documentElement.style.getPropertyValue('--cooper-notices'));
  await expect.poll(notices).toMatch(/^(?:0px)?$/u);
  for (const colorScheme of ['light', 'dark'] as const) {
    await win.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const name of Object.keys(files)) {
      await grid(win).focus();
      const before = await styles(win);
      const dialog = await open(win, name);
      await expect(dialog.getByRole('button', { name: 'Download' })).toBeVisible();
      await win.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await grid(win).focus();
      expect(await styles(win), name).toEqual(before);
    }
  }
});
