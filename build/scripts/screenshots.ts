import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from '@playwright/test';
import { findChromium, isRoot } from '../../test/support/window/chromium.ts';
import { startCooper } from '../../test/support/window/start-cooper.ts';
import { views } from './screenshot-views.ts';

/**
 * Takes screenshots of the views in both themes, both languages, wide and narrow. Usage: `npm run screenshots`, or for some views
 * `npm run screenshots -- gallery map`. Only a few of them are kept in docs.
 */
const dir = fileURLToPath(new URL('../../test-results/screenshots/', import.meta.url));
const docs = fileURLToPath(new URL('../../docs/screenshots/', import.meta.url));
const docsPattern =
  /^(?:(?!settings|request-log|palette|delete|properties|link|versions|bucket-settings|sync-plan|conflicts|about|licences).*-light-wide|folder-dark-wide|(?:folder|connection)-light-narrow)\.png$/;
const sizes = { wide: { width: 1280, height: 800 }, narrow: { width: 720, height: 600 } } as const;

const requestedViews = process.argv.slice(2);
const chosenViews = Object.entries(views).filter(
  ([name]) => requestedViews.length === 0 || requestedViews.includes(name),
);
if (chosenViews.length < requestedViews.length)
  throw new Error(`A view is one of: ${Object.keys(views).join(', ')}.`);

const languages = ['en-GB', 'ru-RU'] as const;

for (const folder of [dir, docs]) mkdirSync(folder, { recursive: true });
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

/** Changes the window's language as a change of the system's language would. */
async function setLanguage(page: Page, language: (typeof languages)[number]): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(navigator, 'languages', { configurable: true, get: () => ['${language}'] });
    dispatchEvent(new Event('languagechange'));
  `);
  await page.locator(`html[lang="${language.slice(0, 2)}"]`).waitFor();
}

/** Takes the screenshots for one theme and size. Starts a new Cooper, because it remembers places and panels between windows. */
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
    for (const [name, show] of chosenViews) {
      // The steps need the sidebar, which a narrow window hides.
      await page.setViewportSize(sizes.wide);
      await show(page);
      await page.setViewportSize(sizes[size]);
      await page.mouse.move(0, 0);
      for (const language of languages) {
        await setLanguage(page, language);
        const picture = `${name}-${theme}-${size}${language === 'en-GB' ? '' : '-ru'}.png`;
        await page.screenshot({ path: path.join(dir, picture), animations: 'disabled' });
        if (docsPattern.test(picture)) copyFileSync(path.join(dir, picture), path.join(docs, picture));
      }
      await setLanguage(page, 'en-GB');
    }
    await page.close();
  } finally {
    await cooper.end();
  }
}
