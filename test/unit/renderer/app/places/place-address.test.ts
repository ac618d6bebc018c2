import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { fragmentOf, placeOfFragment } from '../../../../../renderer/app/places/use-place-address.ts';
import { folderPlace, startPlace } from '../../../../../renderer/app/places/places.ts';
import { codeOfFragment } from '../../../../../shared/session.ts';

test('the fragment of a folder restores the folder, whatever its name', () => {
  assert(
    property(string({ unit: 'binary' }), (prefix) => {
      const place = folderPlace('connection-1', 'bucket.name', prefix);
      expect(placeOfFragment(fragmentOf(place))).toEqual(place);
    }),
  );
});

test('the fragment of a folder is readable', () => {
  expect(fragmentOf(folderPlace('c', 'photos', '2026/my trip/'))).toBe('#/c/photos/2026/my%20trip/');
  expect(fragmentOf({ kind: 'connection', connectionId: 'c' })).toBe('#/c');
});

test('a connection is restored from its fragment, and a place that cannot be restored has none', () => {
  expect(placeOfFragment('#/c')).toEqual({ kind: 'connection', connectionId: 'c' });
  expect(fragmentOf(startPlace)).toBe('');
  expect(fragmentOf(folderPlace('c', 'b', '\ud800/'))).toBe('');
});

test('a code, an empty fragment and a broken escape name no place', () => {
  for (const fragment of ['', '#', '#/', '#code=abcdefghijklmnop', '#/c//x', '#/%ff/b'])
    expect([fragment, placeOfFragment(fragment)]).toEqual([fragment, null]);
});

test('no place can be read as a code', () => {
  assert(
    property(string(), (name) => {
      expect(codeOfFragment(fragmentOf(folderPlace(name, name, name)))).toBeNull();
    }),
  );
});
