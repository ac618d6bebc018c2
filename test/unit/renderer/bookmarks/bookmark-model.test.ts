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

it('names a bookmark after its folder, and after the bucket at the top', () => {
  expect(suggestedName(place)).toBe('summer');
  expect(suggestedName({ ...place, prefix: '' })).toBe('photos');
  expect(suggestedName({ ...place, prefix: 'a//' })).toBe('a');
  expect(suggestedName({ ...place, prefix: '//' })).toBe('photos');
});

it('keeps the folder, not what its names were asked to start with', () => {
  expect(folderOf({ ...place, prefix: '2024/su' }).prefix).toBe('2024/');
  expect(folderOf({ ...place, prefix: 'su' }).prefix).toBe('');
  expect(folderOf(place)).toEqual(place);
});

it('finds the bookmark of a place by connection, bucket and prefix together', () => {
  const bookmark = { id: '1', name: 'x', ...place };
  expect(bookmarkOf([bookmark], place)).toBe(bookmark);
  expect(bookmarkOf([bookmark], { ...place, connectionId: 'd' })).toBeNull();
  expect(bookmarkOf([bookmark], { ...place, prefix: '2024/' })).toBeNull();
});

it('writes the path that can be typed again', () => {
  expect(bookmarkPath(place)).toBe('photos/2024/summer/');
  expect(bookmarkPath({ bucket: 'photos', prefix: '' })).toBe('photos');
});

it('moves one and keeps the others in order', () => {
  expect(stepped(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(stepped(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
  expect(placed(['a', 'b', 'c'], 'a', 'c')).toEqual(['b', 'c', 'a']);
  expect(placed(['a', 'b', 'c'], 'c', 'a')).toEqual(['c', 'a', 'b']);
});
