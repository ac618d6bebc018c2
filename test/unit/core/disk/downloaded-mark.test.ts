import { expect, test } from 'vitest';
import {
  markUnnamed,
  namedFilesMarker,
  type MarkingSystem,
} from '../../../../electron/core/disk/downloaded-mark.ts';

function systemOf(platform: NodeJS.Platform, isRefusing = false) {
  const written: (readonly string[])[] = [];
  const ran: (readonly string[])[] = [];
  const system: MarkingSystem = {
    platform,
    write: (...call) => {
      if (isRefusing) throw new Error('EINVAL');
      written.push(call);
    },
    run: (program, args) => {
      ran.push([program, ...args]);
      return isRefusing ? Promise.reject(new Error('xattr failed')) : Promise.resolve();
    },
    nowMs: () => 1_700_000_000_000,
  };
  return { system, written, ran };
}

test('on Windows a download gets the internet zone mark in a stream of the file', async () => {
  const { system, written, ran } = systemOf('win32');
  expect(markUnnamed('C:\\d\\a.part', system)).toBe(true);
  expect(await namedFilesMarker(system)('C:\\d\\a')).toBe(true);
  expect(written).toEqual([['C:\\d\\a.part:Zone.Identifier', '[ZoneTransfer]\r\nZoneId=3\r\n']]);
  expect(ran).toEqual([]);
});

test('on macOS downloads that finish together are marked with one command, whatever their names', async () => {
  const { system, written, ran } = systemOf('darwin');
  const mark = namedFilesMarker(system);
  expect(markUnnamed('/d/a.part', system)).toBe(true);
  expect(await Promise.all(['/d/a', '/d/-w $(x)'].map(mark))).toEqual([true, true]);
  expect(ran).toEqual([
    ['/usr/bin/xattr', '-w', 'com.apple.quarantine', '0081;6553f100;Cooper;', '/d/a', '/d/-w $(x)'],
  ]);
  expect(written).toEqual([]);
});

test('on Linux, which has no such mark, nothing is written or run', async () => {
  const { system, written, ran } = systemOf('linux');
  expect([markUnnamed('/d/a.part', system), await namedFilesMarker(system)('/d/a')]).toEqual([true, true]);
  expect([written, ran]).toEqual([[], []]);
});

test('a volume without support for the mark does not fail a download', async () => {
  expect(markUnnamed('E:\\a.part', systemOf('win32', true).system)).toBe(false);
  expect(await namedFilesMarker(systemOf('darwin', true).system)('/d/a')).toBe(false);
});
