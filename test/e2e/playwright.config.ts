import { defineConfig } from '@playwright/test';
import { findChromium, isRoot } from '../support/window/chromium.ts';

const browser = await findChromium();
const inCi = Boolean(process.env['CI']);

/** Drives the built window in a real Chromium with all its protections on. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  fullyParallel: false,
  forbidOnly: inCi,
  // A test that passes only at the second attempt is listed at the end of the check, and must be fixed.
  retries: inCi ? 1 : 0,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: inCi ? 'line' : 'list',
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A missing element fails after a minute, not when a long test times out.
    actionTimeout: 60_000,
    // Avoids waiting for transitions and drawing them.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Traces add half of the tests' time; `--trace on` records them on demand.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: browser.file,
      // Playwright disables the sandbox by default.
      chromiumSandbox: !isRoot,
      // Without a system language, Chromium does not read file names as UTF-8.
      env: { LANG: 'C.UTF-8', ...definedEnv(), ...browser.env },
    },
  },
});

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
