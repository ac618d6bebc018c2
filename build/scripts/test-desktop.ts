import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildWhenNeeded } from './build.ts';
import { desktopTestObstacle, findElectronForTests } from './electron/electron-binary.ts';
import { folderTarget, packedBinary } from './release/dist-plan.ts';
import { root, runCommand } from './run-command.ts';

/** `npm run test:desktop`: the suite in a real Electron, built and packaged, or one line saying why it was skipped. */
const obstacle = desktopTestObstacle();
if (obstacle === null) {
  const output = mkdtempSync(path.join(os.tmpdir(), 'cooper-packed-'));
  try {
    process.exitCode = await run(output);
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
} else {
  console.log(`Skipped: the desktop suite needs a real Electron and a display, and ${obstacle}.`);
  // Fails a release whose suite did not run.
  if (process.env['COOPER_DESKTOP_REQUIRED'] === '1') process.exitCode = 1;
}

async function run(output: string): Promise<number> {
  await buildWhenNeeded();
  const { platform, arch } = process;
  const dist = path.join(root, 'build/scripts/run.mjs');
  const made = await runCommand(process.execPath, [dist, 'dist', ...folderTarget(platform, arch)], {
    env: { COOPER_DIST_OUTPUT: output },
  });
  const packed = packedBinary(output, platform, arch);
  if (made.status !== 0 || !existsSync(packed)) {
    console.error('The desktop suite was not run: the program could not be packaged.');
    return 1;
  }
  const { status } = await runCommand(
    'playwright',
    ['test', '--config', 'test/e2e-desktop/playwright.config.ts', ...process.argv.slice(2)],
    { env: { COOPER_TEST_ELECTRON: findElectronForTests() ?? '', COOPER_TEST_PACKED: packed } },
  );
  return status;
}
