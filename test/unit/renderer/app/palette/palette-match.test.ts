import { expect, test } from 'vitest';
import { matcherOf, scatteredLast, type Named } from '../../../../../renderer/app/palette/palette-match.ts';

const entries: readonly Named[] = [
  { kind: 'command', label: 'New folder…', words: 'create mkdir' },
  { kind: 'command', label: 'Недавние папки' },
  { kind: 'command', label: 'Sort folders first' },
  { kind: 'destructive', label: 'Delete the selection…', words: 'erase remove' },
  { kind: 'command', label: 'Show deleted objects', words: 'trash restore' },
  { kind: 'command', label: 'Settings of this bucket…', words: 'lifecycle policy cors' },
  { kind: 'name', label: 'photos-2026', detail: 'Lab' },
  { kind: 'name', label: 'photos-2025', detail: 'Sample buckets' },
  { kind: 'name', label: 'photos' },
  { kind: 'name', label: 'harbour-walk.txt' },
];
const find = (typed: string): readonly string[] => matcherOf(entries)(typed).map(({ entry }) => entry.label);
/** Returns the matches of a text in a group with only this name. */
const group = (label: string, typed: string) => ({
  label,
  matches: matcherOf<Named>([{ kind: 'name', label }])(typed),
});
const marks = (typed: string) => [...(matcherOf(entries)(typed)[0]?.marked ?? [])];

test('an empty text finds every entry, in the given order', () => {
  expect(find(' ')).toEqual(entries.map(({ label }) => label));
});

test('entries are not read before a text is typed', () => {
  let reads = 0;
  const counted = entries.map(({ label, ...entry }): Named => ({
    ...entry,
    get label() {
      reads += 1;
      return label;
    },
  }));
  const search = matcherOf(counted);
  expect(search('')).toHaveLength(entries.length);
  expect(reads).toBe(0);
  expect(search('photos')).toHaveLength(3);
  expect(reads).toBeGreaterThanOrEqual(entries.length);
});

test('a whole name comes before longer names that begin with it', () => {
  expect(find('photos')[0]).toBe('photos');
});

test('a command is found by starts of its words, in any case and script', () => {
  expect(find('fold')).toEqual(['New folder…', 'Sort folders first']);
  expect(find('НЕДАВ')).toEqual(['Недавние папки']);
  for (const typed of ['nf', 'newfo', 'nefol', 'new fo'])
    expect([typed, find(typed)[0]]).toEqual([typed, 'New folder…']);
});

test('a command is not found by letters inside its words', () => {
  expect(find('lder')).toEqual([]);
  expect(find('nwfold')).toEqual([]);
});

test('a command is found by its synonyms', () => {
  expect(find('lifecycle')).toEqual(['Settings of this bucket…']);
  expect(find('cors bucket')).toEqual(['Settings of this bucket…']);
  expect(find('ycle')).toEqual([]);
});

test('a destructive command is found by words alone, and comes after every other match', () => {
  expect(find('delete')).toEqual(['Show deleted objects', 'Delete the selection…']);
  expect(find('dts')).toEqual([]);
  expect(find('ds')).toEqual([]);
  expect(find('erase')).toEqual(['Delete the selection…']);
});

test('a name is also found by text inside it and by scattered letters', () => {
  expect(find('alk')).toEqual(['harbour-walk.txt']);
  expect(find('hbwlk')).toEqual(['harbour-walk.txt']);
});

test('two letters are not searched for as scattered letters, which nearly every name contains', () => {
  expect(group('server-data', 're').matches).toEqual([]);
  expect(find('hk')).toEqual([]);
});

test('matches by scattered letters come after the matches of any other group', () => {
  const [scattered, wordStart, none] = [
    group('server-photos', 'rep'),
    group('march-report', 'rep'),
    group('x', 'rep'),
  ];
  expect([scattered, none, wordStart].map(({ matches }) => matches.length)).toEqual([1, 0, 1]);
  expect(scatteredLast([scattered, none, wordStart])).toEqual([none, wordStart, scattered]);
  expect(scatteredLast([wordStart, scattered])).toEqual([wordStart, scattered]);
});

test('the location of an entry is searched too', () => {
  expect(find('photos lab')[0]).toBe('photos-2026');
});

test('the characters that match the typed text are marked', () => {
  expect(marks('photos')).toEqual([0, 1, 2, 3, 4, 5]);
  expect(marks('newfo')).toEqual([0, 1, 2, 4, 5]);
});
