import { defineConfig } from '@playwright/test';
import { findChromium, isRoot } from '../support/window/chromium.ts';

const browser = await findChromium();
const inCi = Boolean(process.env['CI']);

/** Drives the built window in a real Chromium, with all of its protections on. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e',
  fullyParallel: false,
  forbidOnly: inCi,
  // A test that holds at the second try is named at the end of the check, and is to be mended.
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
    // Nothing waits for a transition to end, and no processor draws it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace of each test costs half as much again as the tests; `--trace on` makes one where it is wanted.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: browser.file,
      // Playwright's own default switches the sandbox off.
      chromiumSandbox: !isRoot,
      // Without a language of the system, Chromium does not read names of files as UTF-8.
      env: { LANG: 'C.UTF-8', ...definedEnv(), ...browser.env },
    },
  },
});

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
