import { expect, it } from 'vitest';
import {
  bookmarkOf,
  folderOf,
  bookmarkPath,
  placed,
  stepped,
  suggestedName,
} from '../../../../renderer/features/bookmarks/bookmark-model.ts';

const place = { connectionId: 'c', bucket: 'photos', prefix: '2024/summer/' };

it('a new bookmark is named after its folder, or after the bucket at the top', () => {
  expect(suggestedName(place)).toBe('summer');
  expect(suggestedName({ ...place, prefix: '' })).toBe('photos');
  expect(suggestedName({ ...place, prefix: 'a//' })).toBe('a');
  expect(suggestedName({ ...place, prefix: '//' })).toBe('photos');
});

it('a new bookmark is for the folder without the start of names', () => {
  expect(folderOf({ ...place, prefix: '2024/su' }).prefix).toBe('2024/');
  expect(folderOf({ ...place, prefix: 'su' }).prefix).toBe('');
  expect(folderOf(place)).toEqual(place);
});

it('a bookmark is found by connection, bucket and prefix together', () => {
  const bookmark = { id: '1', name: 'x', ...place };
  expect(bookmarkOf([bookmark], place)).toBe(bookmark);
  expect(bookmarkOf([bookmark], { ...place, connectionId: 'd' })).toBeNull();
  expect(bookmarkOf([bookmark], { ...place, prefix: '2024/' })).toBeNull();
});

it("a bookmark's path can be typed again", () => {
  expect(bookmarkPath(place)).toBe('photos/2024/summer/');
  expect(bookmarkPath({ bucket: 'photos', prefix: '' })).toBe('photos');
});

it('moving a bookmark keeps the order of the others', () => {
  expect(stepped(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(stepped(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
  expect(placed(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(placed(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
});
