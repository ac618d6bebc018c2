import path from 'node:path';
import { expect, test } from 'vitest';
import { folderTarget, packedBinary } from '../../../build/scripts/release/dist-plan.ts';

test.each([
  ['linux', 'x64', '--linux', 'linux-unpacked/cooper'],
  ['linux', 'arm64', '--linux', 'linux-arm64-unpacked/cooper'],
  ['win32', 'x64', '--win', 'win-unpacked/Cooper.exe'],
  ['darwin', 'arm64', '--mac', 'mac-arm64/Cooper.app/Contents/MacOS/Cooper'],
] as const)(
  'the packaged program for %s %s is where electron-builder puts it',
  (platform, arch, flag, name) => {
    expect(folderTarget(platform, arch)).toEqual([flag, 'dir', `--${arch}`]);
    expect(packedBinary('out', platform, arch)).toBe(path.join('out', ...name.split('/')));
  },
);
