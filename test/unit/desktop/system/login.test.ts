import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  programOf,
  setOpenAtLogin,
  wasOpenedAtLogin,
} from '../../../../electron/desktop/system/registrations.ts';
import { takeLoginPath } from '../../../../electron/desktop/system/mac-start.ts';
import * as standIn from '../../../support/electron-stand-in/electron.ts';
import { tempDir } from '../../../support/temp-dir.ts';

vi.mock('electron', async () => await import('../../../support/electron-stand-in/electron.ts'));

const platform = process.platform;
const on = (name: string) => Object.defineProperty(process, 'platform', { value: name });
const settings = () =>
  standIn.record
    .filter(({ call }) => call === 'app.setLoginItemSettings')
    .map(({ args: [wanted] }) => wanted);

beforeEach(() => {
  standIn.record.length = 0;
  standIn.setup.resourcesPath = '/resources';
});
afterEach(() => {
  on(platform);
  delete standIn.setup.resourcesPath;
  standIn.app.wasOpenedAtLogin = false;
});

describe('the start at login', () => {
  test("on Windows starts the user's own file of a portable program, without a window", () => {
    on('win32');
    setOpenAtLogin(true, { PORTABLE_EXECUTABLE_FILE: 'D:\\Tools\\cooper-portable.exe' });
    expect(settings()).toEqual([
      { openAtLogin: true, name: 'Cooper', path: 'D:\\Tools\\cooper-portable.exe', args: ['--hidden'] },
    ]);
  });

  test('on macOS uses the system’s setting, and shows no window either', () => {
    on('darwin');
    setOpenAtLogin(true, {});
    expect(settings()).toEqual([{ openAtLogin: true }]);
    expect(wasOpenedAtLogin()).toBe(false);
    standIn.app.wasOpenedAtLogin = true;
    expect(wasOpenedAtLogin()).toBe(true);
  });

  test('starts the AppImage, not the folder into which it was unpacked', () => {
    expect(programOf({ APPIMAGE: '/home/me/Cooper.AppImage' }, '/tmp/.mount/cooper')).toBe(
      '/home/me/Cooper.AppImage',
    );
    expect(programOf({}, '/opt/Cooper/cooper')).toBe('/opt/Cooper/cooper');
  });
});

const shellThat = (lines: string): string => {
  const file = path.join(tempDir(), 'shell');
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
  return file;
};

describe.skipIf(platform === 'win32')('PATH under Finder', () => {
  test('is that of the login shell, even if its startup files print other lines', async () => {
    const env = {
      SHELL: shellThat(
        'test "$1" = -ilc || exit 1\necho "Welcome! PATH=x"\nPATH=/opt/homebrew/bin:/usr/bin exec /usr/bin/env',
      ),
      PATH: '/usr/bin:/bin',
    };
    await takeLoginPath(env);
    expect(env.PATH).toBe('/opt/homebrew/bin:/usr/bin:/bin');
  });

  test.each(['exit 3', 'echo nothing'])(
    'stays unchanged if the shell does not respond (%s)',
    async (lines) => {
      const env = { SHELL: shellThat(lines), PATH: '/usr/bin:/bin' };
      await takeLoginPath(env);
      expect(env.PATH).toBe('/usr/bin:/bin');
    },
  );
});
