import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObeyedInHome } from '../../../../../electron/core/transfers/downloads/obeyed-in-home.ts';

const home = '/home/ann';

test.each([
  ['/home/ann', '.bashrc', true],
  ['/home/ann', '.ssh/authorized_keys', true],
  ['/home/ann', '..weird', true],
  ['/home', 'ann/.profile', true],
  ['/', 'home/ann/.config/autostart/x.desktop', true],
  ['/home/ann', 'notes/.git/config', false],
  ['/home/ann', 'a.txt', false],
  ['/home', 'bob/.bashrc', false],
  ['/home/ann/work', '.env', false],
  ['/home/ann/.ssh', 'config', false],
  ['/home/annette', '.bashrc', false],
  ['/srv', '.htaccess', false],
  ['/home/ann', 'Library/LaunchAgents/x.plist', true],
  ['/home/ann', 'library/launchagents/x.plist', true],
  ['/home/ann/Library', 'LaunchAgents/x.plist', true],
  ['/home/ann/Library/LaunchAgents', 'x.plist', false],
  ['/home/ann', 'AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup/x.bat', true],
  ['/home/ann/AppData/Roaming', 'Microsoft/Windows/Start Menu/Programs/Startup/x.bat', true],
  ['/home/ann', 'Documents/PowerShell/profile.ps1', true],
  ['/home/ann', 'Desktop/x.desktop', true],
  ['/home/ann/Desktop', 'x.lnk', true],
  ['/home/ann', 'Desktop/photo.jpg', false],
  ['/home/ann', 'bin/ls', true],
  ['/home', 'ann/bin/ls', true],
  ['/home/ann', 'NTUSER.DAT', true],
  ['/home/ann', 'Documents/letter.txt', false],
  ['/home/ann/Downloads', 'bin/ls', false],
  ['/home/ann/Downloads', 'Library/LaunchAgents/x.plist', false],
  ['/srv', 'bin/ls', false],
])(
  'a download to %s named %s counts as a configuration file of the home folder: %s',
  (folder, local, expected) => {
    expect(isObeyedInHome(home, folder, local)).toBe(expected);
  },
);

test('in the home folder only the first name decides whether a path is hidden', () => {
  const name = fc.stringMatching(/^[0-9_][A-Za-z0-9._-]{0,8}$/);
  fc.assert(
    fc.property(fc.boolean(), fc.array(name, { minLength: 1, maxLength: 4 }), (isHidden, names) => {
      const local = (isHidden ? '.' : '') + names.join('/');
      expect(isObeyedInHome(home, home, local)).toBe(isHidden);
    }),
  );
});
