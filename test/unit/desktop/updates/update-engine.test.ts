import { expect, test } from 'vitest';
import { configureUpdater } from '../../../../electron/desktop/updates/update-engine.ts';

test('an updater downloads and installs nothing on its own and runs no web installer', () => {
  const updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    autoRunAppAfterInstall: false,
    disableWebInstaller: false,
  };
  configureUpdater(updater);
  expect(updater).toEqual({
    autoDownload: false,
    autoInstallOnAppQuit: false,
    autoRunAppAfterInstall: true,
    disableWebInstaller: true,
  });
});
