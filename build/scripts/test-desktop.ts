import { buildWhenNeeded } from './build.ts';
import { desktopObstacle, findElectronForTests } from './desktop-tests.ts';
import { runCommand } from './run-command.ts';

/** `npm run test:desktop`: the suite in a real Electron, or one line saying why it was skipped. */
const obstacle = desktopObstacle();
if (obstacle === null) {
  await buildWhenNeeded((line) => {
    console.log(line);
  });
  const { status } = await runCommand(
    'playwright',
    ['test', '--config', 'test/e2e-desktop/playwright.config.ts', ...process.argv.slice(2)],
    { env: { COOPER_TEST_ELECTRON: findElectronForTests() ?? '' } },
  );
  process.exitCode = status;
} else {
  console.log(`Skipped: the desktop suite needs a real Electron and a display, and ${obstacle}.`);
  // A release must not be made on the strength of a suite that did not run.
  if (process.env['COOPER_DESKTOP_REQUIRED'] === '1') process.exitCode = 1;
}
