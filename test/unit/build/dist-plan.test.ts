import { expect, test } from 'vitest';
import {
  asFolderArgs,
  emptySigningVariables,
  updateFeedFlags,
  linuxArchive,
  needsTools,
  originFlags,
  unsignedFlags,
} from '../../../build/scripts/release/dist-plan.ts';

test.each([
  [[], true],
  [['--linux'], true],
  [['--linux', 'dir'], false],
  [['--linux', 'dir', 'deb'], true],
  [['--linux', 'dir', '--arm64'], false],
  [['--linux', 'deb', '--dir'], false],
  [['--win', 'portable'], true],
  [['--linux', 'tar.gz'], true],
  [['--dir', '-c.extraMetadata.version=2.0.0'], false],
])('packaging %j needs tools of the release page: %j', (args, expected) => {
  expect(needsTools(args)).toBe(expected);
});

test.each([
  [[], ['--x64', '--dir']],
  [
    ['--linux', 'deb', 'rpm'],
    ['--linux', '--x64', '--dir'],
  ],
  [
    ['--linux', 'deb', '--arm64'],
    ['--linux', '--arm64', '--dir'],
  ],
  [['--dir'], ['--x64', '--dir']],
])('packaging %j becomes a folder target by %j', (args, expected) => {
  expect(asFolderArgs(args, 'x64')).toEqual(expected);
});

test("the Linux archive is named as electron-builder names it and made of its processor's folder", () => {
  expect(linuxArchive({ args: ['--x64', '--dir'], arch: 'arm64', version: '1.2.3' })).toEqual({
    folder: 'linux-unpacked',
    file: 'cooper-1.2.3-linux-x64.tar.gz',
  });
  expect(linuxArchive({ args: ['--dir'], arch: 'arm64', version: '1.2.3' })).toEqual({
    folder: 'linux-arm64-unpacked',
    file: 'cooper-1.2.3-linux-arm64.tar.gz',
  });
});

test('the home page and maintainer are those of the repository that builds', () => {
  expect(originFlags('someone/fork')).toEqual([
    '-c.extraMetadata.homepage=https://github.com/someone/fork',
    '-c.linux.maintainer=someone <someone@users.noreply.github.com>',
  ]);
  expect(originFlags(undefined).join(' ')).toContain('cooper.invalid');
});

test('updates are published by the repository that builds, or nowhere', () => {
  expect(updateFeedFlags('someone/fork')).toEqual([
    '-c.publish.provider=github',
    '-c.publish.owner=someone',
    '-c.publish.repo=fork',
  ]);
  expect([undefined, '', 'someone', 'a/b/c'].map(updateFeedFlags)).toEqual([[], [], [], []]);
});

test('a macOS package without a certificate is marked as unsigned', () => {
  expect(unsignedFlags('darwin', {})).toEqual(['-c.extraMetadata.isUnsigned=true']);
  expect(unsignedFlags('darwin', { CSC_LINK: 'file.p12' })).toEqual([]);
  expect(unsignedFlags('linux', {})).toEqual([]);
});

test('empty signing variables are removed and set ones kept', () => {
  const env = {
    CSC_LINK: '',
    CSC_KEY_PASSWORD: ' ',
    WIN_CSC_LINK: '',
    WIN_CSC_KEY_PASSWORD: 'secret',
    APPLE_ID: '',
    APPLE_TEAM_ID: 'TEAM',
    CSC_NAME: undefined,
    PATH: '',
  };
  expect(emptySigningVariables(env)).toEqual(['CSC_LINK', 'CSC_KEY_PASSWORD', 'WIN_CSC_LINK', 'APPLE_ID']);
});
