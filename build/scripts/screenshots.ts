import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, expect, type Page } from '@playwright/test';
import { findChromium, isRoot } from '../../test/support/chromium.ts';
import { startCooper } from '../../test/support/start-cooper.ts';
import { done, jobRow, openStalled, planFrom, uploadRow } from '../../test/e2e/support/uploads.ts';
import { goTo, grid, sidebarRow } from '../../test/e2e/support/window.ts';

/** Pictures of the views, in both themes and both languages, wide and narrow: `npm run screenshots`. Only some of them are kept in docs. */
const dir = fileURLToPath(new URL('../../test-results/screenshots/', import.meta.url));
const docs = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const kept =
  /^(?:(?!settings|request-log|palette).*-light-wide|folder-dark-wide|(?:folder|connection)-light-narrow)\.png$/;
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 720, height: 600 } } as const;

const languages = ['en-GB', 'ru-RU'] as const;

type View = readonly [name: string, show: (page: Page) => Promise<void>];

async function showDetails(page: Page): Promise<void> {
  if (!(await page.getByRole('complementary', { name: 'Details' }).isVisible()))
    await page.keyboard.press('Control+i');
  await page.getByRole('complementary', { name: 'Details' }).waitFor();
}

const views: readonly View[] = [
  [
    'welcome',
    async (page) => {
      await page.getByRole('heading', { name: 'Welcome to Cooper' }).waitFor();
    },
  ],
  [
    'buckets',
    async (page) => {
      await sidebarRow(page, 'Sample buckets').click();
      await page.getByText('5 buckets', { exact: true }).waitFor();
    },
  ],
  [
    'folder',
    async (page) => {
      await goTo(page, 'Sample buckets', 'documents/accounts/2026/');
      await grid(page).getByText('05-may.csv').click();
      await showDetails(page);
      await page.getByText('Content type').waitFor();
    },
  ],
  [
    'odd-names',
    async (page) => {
      await goTo(page, 'Sample buckets', 'names/odd/');
      await grid(page).getByText('empty name').first().waitFor();
    },
  ],
  [
    'preview',
    async (page) => {
      await goTo(page, 'Sample buckets', 'documents/letters/2026/');
      await grid(page).getByText('invitation.pdf').dblclick();
      await page.getByText('Page 1 of 1').waitFor();
    },
  ],
  [
    'uploads',
    async (page) => {
      await page.keyboard.press('Escape');
      await openStalled(page, 'Sample buckets');
      await page.getByText('Has gaps').waitFor();
    },
  ],
  [
    'upload-detail',
    async (page) => {
      await uploadRow(page, 'harbour at dawn.wav').dblclick();
      await page
        .getByRole('dialog', { name: 'Stalled upload' })
        .getByRole('grid')
        .getByRole('row')
        .nth(4)
        .waitFor();
    },
  ],
  [
    'resume-plan',
    async (page) => {
      await page.keyboard.press('Escape');
      const dialog = await planFrom(page, 'harbour at dawn.wav', 'harbour at dawn.wav');
      await dialog.getByText('1 part is missing and will be sent.').waitFor();
    },
  ],
  [
    'transfers',
    async (page) => {
      await page.getByRole('button', { name: 'Start sending' }).click();
      await expect(jobRow(page, 'harbour at dawn.wav')).toContainText(done, { timeout: 20_000 });
    },
  ],
  [
    'connection',
    async (page) => {
      await page.getByRole('button', { name: 'Add a connection' }).first().click();
      await page.getByRole('dialog', { name: 'Add a connection' }).waitFor();
    },
  ],
  [
    'settings',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    },
  ],
  [
    'request-log',
    async (page) => {
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Control+j');
      await page.getByRole('region', { name: 'Request log' }).getByRole('row').nth(2).waitFor();
    },
  ],
  [
    'palette',
    async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Type a command or the name of a place').waitFor();
    },
  ],
];

for (const made of [dir, docs]) mkdirSync(made, { recursive: true });
const { file, env } = await findChromium();
const browser = await chromium.launch({
  executablePath: file,
  chromiumSandbox: !isRoot,
  env: { ...(process.env as Record<string, string>), ...env },
});
try {
  for (const size of ['wide', 'narrow'] as const)
    for (const theme of ['light', 'dark'] as const) await takeAll(theme, size);
} finally {
  await browser.close();
}

/** As when the language of the system changes: what leads from view to view knows the English names. */
async function speak(page: Page, language: (typeof languages)[number]): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(navigator, 'languages', { configurable: true, get: () => ['${language}'] });
    dispatchEvent(new Event('languagechange'));
  `);
  await page.locator(`html[lang="${language.slice(0, 2)}"]`).waitFor();
}

/** With a Cooper of its own: places and panels are remembered from one window to the next. */
async function takeAll(theme: 'light' | 'dark', size: keyof typeof sizes): Promise<void> {
  const cooper = await startCooper();
  try {
    const page = await browser.newPage({
      viewport: sizes.wide,
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    await page.goto(await cooper.newAddress());
    for (const [name, show] of views) {
      // The way there leads through the sidebar, which a narrow window hides.
      await page.setViewportSize(sizes.wide);
      await show(page);
      await page.setViewportSize(sizes[size]);
      await page.mouse.move(0, 0);
      for (const language of languages) {
        await speak(page, language);
        const picture = `${name}-${theme}-${size}${language === 'en-GB' ? '' : '-ru'}.png`;
        await page.screenshot({ path: path.join(dir, picture), animations: 'disabled' });
        if (kept.test(picture)) copyFileSync(path.join(dir, picture), path.join(docs, picture));
      }
      await speak(page, 'en-GB');
    }
    await page.close();
  } finally {
    await cooper.end();
  }
}
