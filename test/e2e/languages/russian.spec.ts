import { expect, type Page } from '@playwright/test';
import { axeFindings } from '../support/axe.ts';
import { en } from '../../../shared/messages/en/index.ts';
import { ru } from '../../../shared/messages/ru/index.ts';
import { test } from '../support/window.ts';

test.use({ locale: 'ru-RU' });

const lang = (page: Page) => page.locator('html');
const row = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });

/** Checks what holds for every view in every language, and stores a screenshot with the results. */
async function holds(page: Page, label: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.screenshot({ path: test.info().outputPath(`${label}.png`), animations: 'disabled' });
  expect(await axeFindings(page), label).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider, `${label}: the page is wider than the window`).toBeLessThanOrEqual(0);
  expect(await cutButtons(page), `${label}: buttons whose words are cut`).toEqual([]);
}

/** Returns the buttons and tabs whose labels are cut off. */
function cutButtons(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button .mantine-Button-label, .mantine-SegmentedControl-label',
      ),
    ]
      .filter((label) => label.checkVisibility() && label.scrollWidth > label.clientWidth + 1)
      .map((label) => label.textContent),
  );
}

for (const [size, viewport] of [
  ['wide', { width: 1280, height: 800 }],
  ['narrow', { width: 480, height: 800 }],
] as const) {
  test(`on a Russian system every view is Russian from the first render (${size})`, async ({
    cooper,
    page,
  }) => {
    // Allows more time, because axe checks five views.
    test.slow();
    const missing: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') missing.push(message.text());
    });
    // The page itself records the first text it renders; a later check would miss it.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        const text = document.querySelector('#root')?.textContent ?? '';
        if (text === '') return;
        Object.assign(globalThis, { drawnFirst: text });
        observer.disconnect();
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(await cooper.newAddress());
    await expect(row(page, ru.connections.samples)).toBeVisible();
    expect(await page.evaluate(() => (globalThis as { drawnFirst?: string }).drawnFirst)).toMatch(
      /[а-яё]{4}/i,
    );
    await expect(lang(page)).toHaveAttribute('lang', 'ru');
    await page.setViewportSize(viewport);
    await holds(page, 'start');

    await page.setViewportSize({ width: 1280, height: 800 });
    await row(page, ru.connections.samples).click();
    await page.keyboard.press('Control+l');
    await page.getByRole('textbox', { name: ru.objects.path.field }).fill('documents/accounts/2026/');
    await page.keyboard.press('Enter');
    const grid = page.getByRole('grid', { name: /^Содержимое/ });
    await grid.getByText('05-may.csv').click();
    await expect(page.getByRole('status').filter({ hasText: 'элементов' }).first()).toBeVisible();
    await page.setViewportSize(viewport);
    await holds(page, 'folder');

    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(ru.common.palette.placeholder).waitFor();
    await holds(page, 'palette');
    await page.keyboard.press('Escape');
    await expect(page.getByPlaceholder(ru.common.palette.placeholder)).toBeHidden();

    await page.keyboard.press('Alt+u');
    await expect(page.getByRole('heading', { name: ru.entries.stalled.title }).first()).toBeVisible();
    await holds(page, 'uploads');

    await page.keyboard.press('Control+,');
    const settings = page.getByRole('dialog', { name: ru.settings.title });
    await expect(settings.getByRole('heading', { name: ru.settings.sections.about })).toBeVisible();
    await holds(page, 'settings');
    await page.keyboard.press('Escape');
    await expect(settings).toBeHidden();
    expect(missing).toEqual([]);
  });
}

test('a chosen language applies at once in every window and at the next start', async ({
  cooper,
  page,
  context,
}) => {
  await page.goto(await cooper.newAddress());
  await expect(row(page, ru.connections.samples)).toBeVisible();
  const other = await context.newPage();
  await other.goto(await cooper.newAddress());
  await expect(row(other, ru.connections.samples)).toBeVisible();
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));

  await page.keyboard.press('Control+,');
  const russian = page.getByRole('dialog', { name: ru.settings.title });
  await russian.getByRole('combobox', { name: ru.settings.language }).click();
  await page.getByRole('option', { name: 'English' }).click();

  const english = page.getByRole('dialog', { name: en.settings.title });
  await expect(english.getByRole('combobox', { name: en.settings.language })).toBeFocused();
  await expect(lang(page)).toHaveAttribute('lang', 'en');
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  await expect(page.getByText(/[а-яё]{4}/i).filter({ visible: true })).toHaveCount(0);
  await expect(row(other, en.connections.samples)).toBeVisible();

  await page.reload();
  await expect(row(page, en.connections.samples)).toBeVisible();
  await expect(lang(page)).toHaveAttribute('lang', 'en');

  await page.keyboard.press('Control+,');
  await english.getByRole('combobox', { name: en.settings.language }).click();
  await page.getByRole('option', { name: en.settings.languages.system }).click();
  await expect(russian).toBeVisible();
  await expect(lang(page)).toHaveAttribute('lang', 'ru');
});
