import { expect, test } from 'vitest';
import { updatesOff, type Installation } from '../../../../electron/desktop/updates/availability.ts';

const appImage: Installation = {
  platform: 'linux',
  isPackaged: true,
  env: { APPIMAGE: '/home/me/Cooper.AppImage' },
  packageType: null,
  isUnsigned: false,
  hasFeed: true,
};

test.each<[string, Partial<Installation>, ReturnType<typeof updatesOff>]>([
  ['an AppImage updates itself', {}, null],
  ['an NSIS installation updates itself', { platform: 'win32', env: {} }, null],
  ['a Mac app updates itself', { platform: 'darwin', env: {} }, null],
  ['an unsigned Mac app does not', { platform: 'darwin', env: {}, isUnsigned: true }, 'unsigned'],
  ['an unsigned NSIS installation updates itself', { platform: 'win32', env: {}, isUnsigned: true }, null],
  ['development does not', { isPackaged: false }, 'development'],
  ['a deb does not', { env: {}, packageType: 'deb' }, 'package-manager'],
  ['an rpm does not, whatever else is set', { packageType: 'rpm' }, 'package-manager'],
  ['a snap does not', { env: { SNAP: '/snap/cooper' } }, 'package-manager'],
  ['an unpacked archive does not', { env: {} }, 'unpacked'],
  ['a portable program does not', { platform: 'win32', env: { PORTABLE_EXECUTABLE_FILE: 'x' } }, 'portable'],
  ['a build without a feed does not', { hasFeed: false }, 'no-feed'],
])('updates are off or on: %s', (_name, change, expected) => {
  expect(updatesOff({ ...appImage, ...change })).toBe(expected);
});
