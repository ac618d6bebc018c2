import { expect, test } from 'vitest';
import { placeWithoutQuestion } from '../../../../renderer/features/s3-links/linked-place.ts';

const samples = { id: 'samples', builtIn: true };
const mine = { id: 'mine', builtIn: false };
const link = { bucket: 'photos', prefix: 'a/', decodedPrefix: null };

test('a link with one reading for one connection opens without a question', () => {
  expect(placeWithoutQuestion(link, [samples, mine])).toEqual({
    connectionId: 'mine',
    bucket: 'photos',
    prefix: 'a/',
  });
});

test.each([
  ['two readings', { ...link, prefix: 'a%20b/', decodedPrefix: 'a b/' }, [samples, mine]],
  ['two connections', link, [samples, mine, { id: 'other', builtIn: false }]],
  ["no connection of the user's own", link, [samples]],
  ['no connection at all', link, []],
])('a link with %s is asked about', (_what, given, connections) => {
  expect(placeWithoutQuestion(given, connections)).toBeNull();
});
