import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  autostartEntry,
  autostartFile,
  loginItemName,
  writeAutostart,
} from '../../../../electron/desktop/system/program-entries.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('the autostart file is in the folder that the session reads', () => {
  expect(autostartFile({}, '/home/me')).toBe('/home/me/.config/autostart/cooper.desktop');
  expect(autostartFile({ XDG_CONFIG_HOME: '/c' }, '/home/me')).toBe('/c/autostart/cooper.desktop');
  expect(autostartFile({ XDG_CONFIG_HOME: 'relative' }, '/home/me')).toBe(
    '/home/me/.config/autostart/cooper.desktop',
  );
});

test("the program's path is quoted in the autostart entry, so no part of it is a command", () => {
  const entry = autostartEntry('/opt/My "Apps"/co`op$er%f\\x');
  expect(entry.split('\n').find((line) => line.startsWith('Exec='))).toBe(
    String.raw`Exec="/opt/My \\"Apps\\"/co\\` + '`' + String.raw`op\\$er%%f\\\\x" --hidden`,
  );
});

test('the session silently skips the autostart entry once the program is removed', () => {
  const entry = autostartEntry('/opt/My Apps/co\\op%er');
  // A string of the specification, not a command line: only the backslash is escaped.
  expect(entry).toContain(String.raw`TryExec=/opt/My Apps/co\\op%er` + '\n');
  const uninstaller = readFileSync(new URL('../../../../build/installer.nsh', import.meta.url), 'utf8')
    .split('!macro customUnInstall')[1]
    ?.replaceAll(/\s+/g, ' ');
  const run = String.raw`Software\Microsoft\Windows\CurrentVersion`;
  // The uninstaller removes these values, but not during an update, so that the user's choice stays.
  expect(uninstaller).toContain(
    `\${IfNot} \${isUpdated} DeleteRegValue HKCU "${run}\\Run" "${loginItemName}" ` +
      `DeleteRegValue HKCU "${run}\\Explorer\\StartupApproved\\Run" "${loginItemName}" \${EndIf}`,
  );
});

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe.skipIf(process.platform === 'win32')('the autostart file is private to its owner,', () => {
  test('even if it is created under an open umask', () => {
    const file = path.join(tempDir(), 'config', 'autostart', 'cooper.desktop');
    const before = process.umask(0);
    try {
      writeAutostart(file, '/opt/cooper');
    } finally {
      process.umask(before);
    }
    expect([modeOf(file), modeOf(path.dirname(file))]).toEqual([0o600, 0o700]);
  });

  test('even if it replaces a file that everyone could write', () => {
    const file = path.join(tempDir(), 'autostart', 'cooper.desktop');
    mkdirSync(path.dirname(file));
    writeFileSync(file, 'Exec=/tmp/theirs');
    chmodSync(file, 0o666);
    writeAutostart(file, '/opt/cooper');
    expect(modeOf(file)).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(autostartEntry('/opt/cooper'));
  });
});
