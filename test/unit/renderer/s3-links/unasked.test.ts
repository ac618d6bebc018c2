import { expect, test } from 'vitest';
import { unaskedPlace } from '../../../../renderer/features/s3-links/unasked.ts';

const samples = { id: 'samples', builtIn: true };
const mine = { id: 'mine', builtIn: false };
const link = { bucket: 'photos', prefix: 'a/', decodedPrefix: null };

test('a link that names one place for one connection needs no question', () => {
  expect(unaskedPlace(link, [samples, mine])).toEqual({
    connectionId: 'mine',
    bucket: 'photos',
    prefix: 'a/',
  });
});

test.each([
  ['two readings', { ...link, prefix: 'a%20b/', decodedPrefix: 'a b/' }, [samples, mine]],
  ['two connections', link, [samples, mine, { id: 'other', builtIn: false }]],
  ['no connection of one’s own', link, [samples]],
  ['no connection at all', link, []],
])('%s are asked about all the same', (_what, given, connections) => {
  expect(unaskedPlace(given, connections)).toBeNull();
});
