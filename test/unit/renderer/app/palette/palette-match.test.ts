import { expect, test } from 'vitest';
import { matcherOf } from '../../../../../renderer/app/palette/palette-match.ts';

const entries = [
  { label: 'New folder…' },
  { label: 'Недавние папки' },
  { label: 'Sort folders first' },
  { label: 'photos-2026', detail: 'Lab' },
  { label: 'photos-2025', detail: 'Sample buckets' },
  { label: 'photos' },
];
const find = (typed: string): readonly string[] => matcherOf(entries)(typed).map(({ entry }) => entry.label);

test('an empty palette search lists all entries in order', () => {
  expect(find(' ')).toEqual(entries.map(({ label }) => label));
});

test('an exact name comes before names that start with it', () => {
  expect(find('photos')[0]).toBe('photos');
});

test('a palette search matches scattered letters in any case and script', () => {
  expect(find('nwfold')).toContain('New folder…');
  expect(find('НЕДАВ')).toEqual(['Недавние папки']);
});

test("a palette search also matches an entry's location", () => {
  expect(find('photos lab')[0]).toBe('photos-2026');
});

test('a palette match marks the matching characters', () => {
  const [first] = matcherOf(entries)('photos');
  expect([...(first?.marked ?? [])]).toEqual([0, 1, 2, 3, 4, 5]);
});
