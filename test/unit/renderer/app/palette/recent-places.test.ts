import { expect, test } from 'vitest';
import {
  folderPlace,
  startPlace,
  type FolderWindowPlace,
} from '../../../../../renderer/app/places/places.ts';
import { recentPlacesSchema, withRecent } from '../../../../../renderer/app/palette/recent-places.ts';

test('the folder opened last comes first, and each folder is listed once', () => {
  const a = folderPlace('c', 'b', 'a/');
  const b = folderPlace('c', 'b', 'b/');
  const recent = [a, b, a].reduce<readonly FolderWindowPlace[]>(withRecent, []);
  expect(recent).toEqual([a, b]);
});

test('a prefix that is being typed counts as its folder', () => {
  expect(withRecent([], folderPlace('c', 'b', 'a/img'))).toEqual([folderPlace('c', 'b', 'a/')]);
});

test('pages that are no folder change nothing', () => {
  const recent = [folderPlace('c', 'b', '')];
  expect(withRecent(recent, startPlace)).toBe(recent);
  expect(withRecent(recent, { kind: 'connection', connectionId: 'c' })).toBe(recent);
});

test('the list is bounded, and what was kept is read back', () => {
  const many = Array.from({ length: 50 }, (_, at) => folderPlace('c', 'b', `${String(at)}/`));
  const recent = many.reduce<readonly FolderWindowPlace[]>(withRecent, []);
  expect(recent).toHaveLength(30);
  expect(recentPlacesSchema.parse(JSON.parse(JSON.stringify(recent)))).toEqual(recent);
});
