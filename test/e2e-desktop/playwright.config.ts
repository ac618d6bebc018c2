import { defineConfig } from '@playwright/test';

/** Drives the built program in a real Electron; started by `npm run test:desktop`. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/e2e-desktop',
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
});
