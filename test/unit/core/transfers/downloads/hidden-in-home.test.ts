import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isHiddenInHome } from '../../../../../electron/core/transfers/downloads/hidden-in-home.ts';

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
])('a file in %s called %s: hidden in the home folder is %s', (folder, local, expected) => {
  expect(isHiddenInHome(home, folder, local)).toBe(expected);
});

test('in the home folder it is the first name that counts, whatever is below', () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,8}$/);
  fc.assert(
    fc.property(fc.boolean(), fc.array(name, { minLength: 1, maxLength: 4 }), (isHidden, names) => {
      const local = (isHidden ? '.' : '') + names.join('/');
      expect(isHiddenInHome(home, home, local)).toBe(isHidden);
    }),
  );
});
