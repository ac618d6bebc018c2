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

test('without a text there is everything, as it came', () => {
  expect(find(' ')).toEqual(entries.map(({ label }) => label));
});

test('the name as a whole comes before names that go on', () => {
  expect(find('photos')[0]).toBe('photos');
});

test('finds letters that are apart, in any case and script', () => {
  expect(find('nwfold')).toContain('New folder…');
  expect(find('НЕДАВ')).toEqual(['Недавние папки']);
});

test('an entry’s place is searched too', () => {
  expect(find('photos lab')[0]).toBe('photos-2026');
});

test('the characters that were typed are marked', () => {
  const [first] = matcherOf(entries)('photos');
  expect([...(first?.marked ?? [])]).toEqual([0, 1, 2, 3, 4, 5]);
});
