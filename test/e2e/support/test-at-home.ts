import { removedAtExit } from '../../support/at-exit.ts';
import { startCooper, type RunningCooper } from '../../support/window/start-cooper.ts';
import { test } from './window.ts';

/** The home folder of `testAtHome`, for the tests of one process. */
export const home = removedAtExit('cooper-home-');

/** `test` with a separate home folder. */
export const testAtHome = test.extend<object, { readonly cooper: RunningCooper }>({
  cooper: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the requested fixtures from the pattern
    async ({}, use) => {
      const dataDir = removedAtExit('cooper-run-');
      const cooper = await startCooper({ dataDir, env: { HOME: home } });
      await use(cooper);
      await cooper.end();
    },
    { scope: 'worker' },
  ],
});
