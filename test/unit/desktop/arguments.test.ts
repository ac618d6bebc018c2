import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dataDirIn, hasFlag, linkIn } from '../../../electron/desktop/arguments.ts';
import { appUserModelIdOf } from '../../../electron/desktop/system/program-entries.ts';

const read = (name: string): string => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');

describe('the arguments of the desktop program', () => {
  test.each([
    [['cooper', '--data-dir=/a b'], '/a b'],
    [['cooper', '--data-dir', '/a b'], '/a b'],
    [['cooper', '--data-dir=/a', '--data-dir', '/b'], '/b'],
    [['cooper', '--data-dir', '/a b', 's3://photos/'], '/a b'],
    [['cooper', 's3://photos/'], null],
    [['cooper', '--', 's3://x', '--data-dir=/theirs'], null],
  ])('%j name the data folder %s', (args, dir) => {
    expect(dataDirIn(args)).toBe(dir);
  });

  test.each([[['cooper', '--data-dir=']], [['cooper', '--data-dir']], [['cooper', '--data-dir', ' ']]])(
    '%j name no folder, which is reported',
    (args) => {
      expect(() => dataDirIn(args)).toThrow('--data-dir needs the name of a folder.');
    },
  );

  test('contain no flag after --, where the system passes links from other programs', () => {
    expect(hasFlag(['cooper', '--hidden'], '--hidden')).toBe(true);
    expect(hasFlag(['cooper', '--', 's3://x', '--hidden'], '--hidden')).toBe(false);
  });

  test('may end with a link', () => {
    expect(linkIn(['cooper', '--data-dir', '/a', 's3://photos/x/'])).toBe('s3://photos/x/');
    expect(linkIn(['s3://photos/x/'])).toBeNull();
  });
});

test('the name by which Windows groups windows equals that of the installer’s shortcuts', () => {
  const config = read('build/electron-builder.yml');
  const appId = /^appId: (\S+)$/mu.exec(config)?.[1];
  expect(appUserModelIdOf(true, 'C:\\Cooper.exe')).toBe(appId);
  expect(appUserModelIdOf(false, 'C:\\electron.exe')).toBe('C:\\electron.exe');
});

test('Linux identifies the windows by the desktop entry that the packages install', () => {
  const { desktopName } = JSON.parse(read('package.json')) as { readonly desktopName: string };
  const config = read('build/electron-builder.yml');
  expect(desktopName).toBe(`${/^ {2}executableName: (\S+)$/mu.exec(config)?.[1] ?? ''}.desktop`);
  expect(config).toMatch(/^ {2}syncDesktopName: true$/mu);
  // electron-builder derives StartupWMClass from the same name.
  expect(config).not.toContain('StartupWMClass');
});
