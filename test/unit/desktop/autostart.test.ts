import { expect, test } from 'vitest';
import { autostartEntry, autostartFile } from '../../../electron/desktop/autostart.ts';

test('the file lies where the session looks for it', () => {
  expect(autostartFile({}, '/home/me')).toBe('/home/me/.config/autostart/cooper.desktop');
  expect(autostartFile({ XDG_CONFIG_HOME: '/c' }, '/home/me')).toBe('/c/autostart/cooper.desktop');
  expect(autostartFile({ XDG_CONFIG_HOME: 'relative' }, '/home/me')).toBe(
    '/home/me/.config/autostart/cooper.desktop',
  );
});

test('the name of the program is quoted, so that nothing in it is a command', () => {
  const entry = autostartEntry('/opt/My "Apps"/co`op$er%f\\x');
  expect(entry.split('\n').find((line) => line.startsWith('Exec='))).toBe(
    String.raw`Exec="/opt/My \\"Apps\\"/co\\` + '`' + String.raw`op\\$er%%f\\\\x"`,
  );
});
