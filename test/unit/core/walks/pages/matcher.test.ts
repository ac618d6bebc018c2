import { expect, test } from 'vitest';
import { compileGlob } from '../../../../../electron/core/walks/pages/glob.ts';
import { BadPattern, compileQuery } from '../../../../../electron/core/walks/pages/matcher.ts';
import { everyObject, type NamePattern, type WalkQuery } from '../../../../../shared/models/walks.ts';

const named = (name: Partial<NamePattern> & Pick<NamePattern, 'kind' | 'text'>): WalkQuery => ({
  ...everyObject,
  name: { caseSensitive: false, in: 'name', ...name },
});

test.each([
  ['*.jpg', ['a.jpg', '.jpg', '😀.jpg'], ['a.jpeg', 'a/b.jpg', 'a.jpg ']],
  ['a?c', ['abc', 'a😀c'], ['ac', 'a/c', 'abbc']],
  ['**/x', ['x', 'a/x', 'a/b/x'], ['ax', 'a/xx']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb']],
  ['a**', ['a', 'a/b/c', 'abc'], ['b']],
  ['[a-c]x', ['ax', 'cx'], ['dx', '/x', 'x']],
  ['[!a-c]x', ['dx', '😀x'], ['ax', '/x']],
  ['[]]', [']'], ['[']],
  ['{a,b{1,2}}.txt', ['a.txt', 'b1.txt', 'b2.txt'], ['b.txt', 'b3.txt']],
  ['\\*\\{', ['*{'], ['a{']],
  ['100%', ['100%'], ['1000']],
])('the glob %s matches the expected names', (pattern, fitting, others) => {
  const fits = compileGlob(pattern);
  for (const text of fitting) expect([text, fits(text)]).toEqual([text, true]);
  for (const text of others) expect([text, fits(text)]).toEqual([text, false]);
});

test('a pathological glob matches in linear time', () => {
  const fits = compileGlob(`${'*a'.repeat(40)}b`);
  const started = performance.now();
  expect(fits('a'.repeat(1000))).toBe(false);
  expect(performance.now() - started).toBeLessThan(2000);
});

test.each(['[', '{a', 'a\\', '[z-a]'])('the glob %s is refused', (text) => {
  expect(() => compileQuery(named({ kind: 'glob', text }), '')).toThrow(BadPattern);
});

test("a name is the text after the last slash, and a path the text after the walk's prefix", () => {
  const key = 'photos/2026/Sea/beach.JPG';
  const fits = (query: WalkQuery, prefix = 'photos/'): boolean =>
    compileQuery(query, prefix)(key, 1, null, null);
  expect(fits(named({ kind: 'contains', text: 'BEACH' }))).toBe(true);
  expect(fits(named({ kind: 'contains', text: 'BEACH', caseSensitive: true }))).toBe(false);
  expect(fits(named({ kind: 'contains', text: 'sea' }))).toBe(false);
  expect(fits(named({ kind: 'contains', text: 'sea', in: 'path' }))).toBe(true);
  expect(fits(named({ kind: 'contains', text: 'photos', in: 'path' }))).toBe(false);
  expect(fits(named({ kind: 'glob', text: '2026/**/*.jpg' }))).toBe(true);
  expect(fits(named({ kind: 'regex', text: '^beach\\.jpg$' }))).toBe(true);
  expect(fits(named({ kind: 'regex', text: '\\-|^beach' }))).toBe(true);
  expect(compileQuery(named({ kind: 'contains', text: 'sea' }), '')('photos/sea/', 0, null, null)).toBe(true);
});

test('size, time and class must all match', () => {
  const query: WalkQuery = {
    ...everyObject,
    minSizeBytes: 10,
    maxSizeBytes: 20,
    modifiedFrom: '2026-01-01T00:00:00.000Z',
    modifiedBefore: '2026-02-01T00:00:00.000Z',
    storageClasses: ['STANDARD'],
  };
  const fits = compileQuery(query, '');
  expect(fits('a', 10, '2026-01-01T00:00:00.000Z', null)).toBe(true);
  expect(fits('a', 20, '2026-01-31T23:59:59.999Z', 'STANDARD')).toBe(true);
  expect(fits('a', 9, '2026-01-10T00:00:00.000Z', null)).toBe(false);
  expect(fits('a', 21, '2026-01-10T00:00:00.000Z', null)).toBe(false);
  expect(fits('a', 15, '2026-02-01T00:00:00.000Z', null)).toBe(false);
  expect(fits('a', 15, null, null)).toBe(false);
  expect(fits('a', 15, '2026-01-10T00:00:00.000Z', 'COLD')).toBe(false);
});
