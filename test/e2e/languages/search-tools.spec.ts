import { expect, type Locator, type Page } from '@playwright/test';
import { en } from '../../../shared/messages/en/index.ts';
import { ru } from '../../../shared/messages/ru/index.ts';
import { axeFindings } from '../support/axe.ts';
import { test } from '../support/window.ts';

/** Returns the texts of the parts that wrap below the first one, overflow the line, or are cut off. */
function outOfLine(line: Locator): Promise<readonly string[]> {
  return line.evaluate((element) => {
    const frame = element.getBoundingClientRect();
    const parts = [...element.children].filter((part) => part.getBoundingClientRect().width > 0);
    const first = parts[0]?.getBoundingClientRect();
    if (first === undefined) return ['nothing is drawn'];
    return parts
      .filter((part) => {
        const box = part.getBoundingClientRect();
        return (
          box.top >= first.bottom ||
          box.right > frame.right ||
          box.height > frame.height ||
          part.scrollWidth > part.clientWidth + 1
        );
      })
      .map((part) => part.textContent);
  });
}

const toolsOf = (page: Page, name: string): Locator => page.getByRole('toolbar', { name });

const here = (page: Page): Locator => page.locator('nav [aria-current="location"]');

for (const { locale, words, samples } of [
  { locale: 'en-GB', words: en, samples: en.connections.samples },
  { locale: 'ru-RU', words: ru, samples: ru.connections.samples },
] as const)
  test.describe(locale, () => {
    test.use({ locale });

    test(`the fields and tools of a search take one line each without being cut off (${locale})`, async ({
      cooper,
      page,
    }) => {
      await page.goto(await cooper.newAddress());
      await page.getByRole('treeitem', { name: new RegExp(`^${samples}`) }).click();
      await expect(here(page)).toHaveText(samples);
      await page.keyboard.press('Control+l');
      await page.getByRole('textbox', { name: words.objects.path.field }).fill('server-data');
      await page.keyboard.press('Enter');
      await expect(here(page)).toHaveText('server-data');
      await page.keyboard.press('Control+Shift+E');
      const text = page.getByRole('textbox', { name: words.search.text, exact: true });
      await expect(text).toBeFocused();
      await text.press('Enter');
      const form = page.getByRole('search');
      const tools = toolsOf(page, words.search.actions.label);
      await tools.getByRole('button', { name: words.search.actions.selectAll }).click();
      await expect(tools).toContainText('631');
      for (const width of [1440, 1024, 800]) {
        await page.setViewportSize({ width, height: 700 });
        const fields = form.locator('> :first-child');
        await expect(async () => {
          expect(await outOfLine(fields), `the fields at ${String(width)}`).toEqual([]);
          expect(await outOfLine(tools), `the tools at ${String(width)}`).toEqual([]);
        }).toPass({ timeout: 3000 });
        // Each button is found by its label, even if it shows only an icon.
        for (const word of ['preview', 'goToFolder', 'download', 'delete', 'export'] as const)
          await expect(tools.getByRole('button', { name: words.search.actions[word] })).toBeVisible();
        await expect(form.getByRole('button', { name: words.search.caseSensitive })).toBeVisible();
        expect(await axeFindings(page)).toEqual([]);
      }
      // An icon shows a tooltip as soon as the pointer rests on it.
      const download = tools.getByRole('button', { name: words.search.actions.download });
      await download.hover();
      await expect(page.getByRole('tooltip')).toContainText(words.search.actions.download);
    });
  });
