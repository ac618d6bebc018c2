import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import {
  completed,
  addressLevelOf,
  suggestionsFor,
  type Suggestion,
} from '../../../../../renderer/app/path/path-suggestions.ts';
import { parseAddress } from '../../../../../shared/keys/s3-link.ts';

const accepted = (text: string, name: string) => {
  const level = addressLevelOf(text);
  return level === null ? null : completed(text, level, name);
};

test('text before the first slash completes a bucket, and text after it a folder', () => {
  expect(addressLevelOf('pho')).toEqual({ kind: 'top', typed: 'pho' });
  expect(addressLevelOf(' s3://pho')).toEqual({ kind: 'top', typed: 'pho' });
  expect(addressLevelOf('photos/')).toEqual({ kind: 'folder', bucket: 'photos', folder: '', typed: '' });
  expect(addressLevelOf('photos/2026/ju')).toEqual({
    kind: 'folder',
    bucket: 'photos',
    folder: '2026/',
    typed: 'ju',
  });
});

test('a URL is not completed', () => {
  expect(addressLevelOf('https://example.com/pho')).toBeNull();
});

test('an accepted name replaces the part being typed, and the scheme stays', () => {
  expect(accepted('ph', 'photos')).toBe('photos/');
  expect(accepted('s3://ph', 'photos')).toBe('s3://photos/');
  expect(accepted('photos/2026/ju', 'june')).toBe('photos/2026/june/');
  expect(accepted('/photos/j', 'june')).toBe('/photos/june/');
});

test('an accepted folder is the prefix that the address then names, for any name', () => {
  assert(
    property(string({ minLength: 1 }), (name) => {
      const text = 'photos/2026/x';
      const level = addressLevelOf(text);
      if (level === null) throw new Error('No level.');
      if (/[\r\n]/u.test(name)) return;
      expect(parseAddress(completed(text, level, name))).toEqual({
        bucket: 'photos',
        prefix: `2026/${name}/`,
      });
    }),
  );
});

test('names that start with the text come first, then names with a word that does', () => {
  const folders = ['old-june', 'June', 'may', 'adjune'].map((name): Suggestion => ({ kind: 'folder', name }));
  expect(suggestionsFor('june', folders).map(({ name }) => name)).toEqual(['June', 'old-june']);
  expect(suggestionsFor('', folders)).toHaveLength(4);
});
