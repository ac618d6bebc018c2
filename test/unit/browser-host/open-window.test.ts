import { expect, test } from 'vitest';
import { hasDisplay, openCommand, type Desk } from '../../../electron/browser/open-window.ts';

const address = 'http://127.0.0.1:4000/#code=abc';

function desk(there: readonly string[], change: Partial<Desk> = {}): Desk {
  return {
    platform: 'linux',
    env: { DISPLAY: ':0', PATH: '/usr/local/bin:/usr/bin:.' },
    isRoot: false,
    canRun: (file) => there.includes(file),
    ...change,
  };
}

test('with a display and Chromium it looks like an application', () => {
  const command = openCommand(address, '/data/profile', desk(['/usr/bin/chromium', '/usr/bin/xdg-open']));
  expect(command).toMatchObject({ file: '/usr/bin/chromium', ownWindow: true });
  expect(command?.args).toContain(`--app=${address}`);
  expect(command?.args).toContain('--user-data-dir=/data/profile');
  expect(command?.args.join(' ')).not.toMatch(/no-sandbox|disable-web-security/);
});

test('without Chromium it is the default browser', () => {
  expect(openCommand(address, '/p', desk(['/usr/bin/xdg-open']))).toMatchObject({
    file: '/usr/bin/xdg-open',
    args: [address],
    ownWindow: false,
  });
});

test('as root Chromium is not started, since it would give up its sandbox', () => {
  const command = openCommand(
    address,
    '/p',
    desk(['/usr/bin/chromium', '/usr/bin/xdg-open'], { isRoot: true }),
  );
  expect(command?.file).toBe('/usr/bin/xdg-open');
});

test('without a display, or without any browser, nothing is started', () => {
  const there = ['/usr/bin/chromium', '/usr/bin/xdg-open'];
  expect(openCommand(address, '/p', desk(there, { env: { PATH: '/usr/bin' } }))).toBeNull();
  expect(openCommand(address, '/p', desk(there, { env: { PATH: '/usr/bin', DISPLAY: '' } }))).toBeNull();
  expect(openCommand(address, '/p', desk([]))).toBeNull();
});

test('a program in the current folder is never taken for a browser', () => {
  expect(openCommand(address, '/p', desk(['chromium', './chromium', '/chromium']))).toBeNull();
});

test('macOS and Windows have a display and a browser of their own', () => {
  expect(hasDisplay({ platform: 'darwin', env: {} })).toBe(true);
  expect(openCommand(address, '/p', desk([], { platform: 'darwin', env: {} }))?.args).toEqual([address]);
  expect(openCommand(address, '/p', desk([], { platform: 'win32', env: {} }))?.args).toContain(address);
});

test('Wayland is a display', () => {
  expect(hasDisplay({ platform: 'linux', env: { WAYLAND_DISPLAY: 'wayland-0' } })).toBe(true);
});
