import { expect, test } from 'vitest';
import { keepInHand } from '../../../../electron/desktop/updates/update-engine.ts';

test('an updater downloads and installs nothing on its own and runs no web installer', () => {
  const updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    autoRunAppAfterInstall: false,
    disableWebInstaller: false,
  };
  keepInHand(updater);
  expect(updater).toEqual({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    autoRunAppAfterInstall: true,
    disableWebInstaller: true,
  });
});
