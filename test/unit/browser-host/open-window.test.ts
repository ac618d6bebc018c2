import { expect, test } from 'vitest';
import {
  findBrowser,
  folderFor,
  hasDisplay,
  openCommand,
  snapIn,
  snapOfDesktopFile,
  type System,
} from '../../../electron/browser/open-window.ts';

const address = 'http://127.0.0.1:4000/#code=abc';

function system(there: readonly string[], change: Partial<System> = {}): System {
  return {
    platform: 'linux',
    env: { DISPLAY: ':0', PATH: '/usr/local/bin:/usr/bin:.' },
    isRoot: false,
    canRun: (file) => there.includes(file),
    ...change,
  };
}

test('Chromium is opened as an application window if there is a display', () => {
  const command = openCommand(address, '/data/profile', system(['/usr/bin/chromium', '/usr/bin/xdg-open']));
  expect(command).toMatchObject({ file: '/usr/bin/chromium', isAppWindow: true });
  expect(command?.args).toContain(`--app=${address}`);
  expect(command?.args).toContain('--user-data-dir=/data/profile');
  expect(command?.args.join(' ')).not.toMatch(/no-sandbox|disable-web-security/);
});

test('the default browser is opened if there is no Chromium', () => {
  expect(openCommand(address, '/p', system(['/usr/bin/xdg-open']))).toMatchObject({
    file: '/usr/bin/xdg-open',
    args: [address],
    isAppWindow: false,
  });
});

test('Chromium is not started as root, where it has no sandbox', () => {
  const command = openCommand(
    address,
    '/p',
    system(['/usr/bin/chromium', '/usr/bin/xdg-open'], { isRoot: true }),
  );
  expect(command?.file).toBe('/usr/bin/xdg-open');
});

test('no browser is started without a display or an installed browser', () => {
  const there = ['/usr/bin/chromium', '/usr/bin/xdg-open'];
  expect(openCommand(address, '/p', system(there, { env: { PATH: '/usr/bin' } }))).toBeNull();
  expect(openCommand(address, '/p', system(there, { env: { PATH: '/usr/bin', DISPLAY: '' } }))).toBeNull();
  expect(openCommand(address, '/p', system([]))).toBeNull();
});

test('a program in the current folder is never started as a browser', () => {
  expect(openCommand(address, '/p', system(['chromium', './chromium', '/chromium']))).toBeNull();
});

test('macOS and Windows always have a display and a browser', () => {
  expect(hasDisplay({ platform: 'darwin', env: {} })).toBe(true);
  expect(openCommand(address, '/p', system([], { platform: 'darwin', env: {} }))?.args).toEqual([address]);
  expect(openCommand(address, '/p', system([], { platform: 'win32', env: {} }))?.args).toContain(address);
});

test('Wayland counts as a display', () => {
  expect(hasDisplay({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBe(true);
});

test("a snap browser reads its files in the snap's folder, others in the data folder", () => {
  const chromium = findBrowser(
    system(['/snap/bin/chromium'], {
      env: { DISPLAY: ':0', PATH: '/snap/bin' },
      snapOf: (file) => snapIn(file, ''),
    }),
  );
  expect(chromium).toEqual({ file: '/snap/bin/chromium', isAppWindow: true, snap: 'chromium' });
  const firefox = findBrowser(
    system(['/usr/bin/xdg-open'], { defaultBrowser: () => 'firefox_firefox.desktop' }),
  );
  expect(firefox?.snap).toBe('firefox');
  expect(folderFor({ snap: 'firefox' }, '/home/ann/.local/share/cooper', '/home/ann')).toBe(
    '/home/ann/snap/firefox/common/cooper',
  );
  expect(folderFor({ snap: null }, '/data', '/home/ann')).toBe('/data');
  expect(findBrowser(system(['/usr/bin/chromium'], { snapOf: () => null }))?.snap).toBeNull();
});

test.each([
  ['/snap/bin/chromium', '', 'chromium'],
  ['/snap/chromium/2345/bin/chromium', '', 'chromium'],
  ['/usr/bin/chromium-browser', '#!/bin/sh\nexec /snap/bin/chromium "$@"\n', 'chromium'],
  ['/usr/bin/google-chrome', '#!/bin/bash\nexec /opt/google/chrome/chrome', null],
  ['/usr/bin/chromium', 'ELF /snap/bin/chromium', null],
  ['/opt/snap/bin/x', '', null],
])('the browser %s with the first line %j belongs to the snap %j', (file, beginning, snap) => {
  expect(snapIn(file, beginning)).toBe(snap);
});

test.each([
  ['firefox_firefox.desktop', 'firefox'],
  ['firefox.desktop', null],
  ['org.mozilla.firefox.desktop', null],
  ['../x_y.desktop', null],
  ['', null],
  [null, null],
])('the desktop file %j belongs to the snap %j', (name, snap) => {
  expect(snapOfDesktopFile(name)).toBe(snap);
});
