import { expect, test } from 'vitest';
import {
  folderPlace,
  type FolderWindowPlace,
  recentPlacesSchema,
  startPlace,
  withRecent,
} from '../../../../../renderer/app/places/places.ts';

test('recent places list the folder opened last first, each folder once', () => {
  const a = folderPlace('c', 'b', 'a/');
  const b = folderPlace('c', 'b', 'b/');
  const recent = [a, b, a].reduce<readonly FolderWindowPlace[]>(withRecent, []);
  expect(recent).toEqual([a, b]);
});

test('a prefix being typed is remembered as its folder', () => {
  expect(withRecent([], folderPlace('c', 'b', 'a/img'))).toEqual([folderPlace('c', 'b', 'a/')]);
});

test('pages other than folders do not change the recent places', () => {
  const recent = [folderPlace('c', 'b', '')];
  expect(withRecent(recent, startPlace)).toBe(recent);
  expect(withRecent(recent, { kind: 'connection', connectionId: 'c' })).toBe(recent);
});

test('recent places are limited and can be stored and read back', () => {
  const many = Array.from({ length: 50 }, (_, at) => folderPlace('c', 'b', `${String(at)}/`));
  const recent = many.reduce<readonly FolderWindowPlace[]>(withRecent, []);
  expect(recent).toHaveLength(30);
  expect(recentPlacesSchema.parse(JSON.parse(JSON.stringify(recent)))).toEqual(recent);
});
