import { expect, test } from 'vitest';
import { onlyMounts } from '../../../../electron/core/files/folder-entries.ts';

const mounts = [
  '/dev/sda1 / ext4 rw 0 0',
  String.raw`/dev/sdb1 /media/me/My\040disk vfat rw 0 0`,
  'nas:/x /mnt/nas nfs rw 0 0',
  '',
].join('\n');

test('only mounted folders are listed as drives', () => {
  expect(onlyMounts(['/mnt/nas', '/mnt/plain', '/media/me/My disk'], mounts)).toEqual([
    '/mnt/nas',
    '/media/me/My disk',
  ]);
});

test('all candidate folders are listed as drives if the system cannot list mounts', () => {
  expect(onlyMounts(['/mnt/plain'], null)).toEqual(['/mnt/plain']);
});
