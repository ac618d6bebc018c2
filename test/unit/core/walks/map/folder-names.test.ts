import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { hashOfText } from '../../../../../electron/core/walks/map/columns.ts';
import { FolderNames } from '../../../../../electron/core/walks/map/folder-names.ts';

/** Any names, including lone surrogates, which are not valid Unicode but must be preserved too. */
const name = oneof(
  string({ unit: 'binary' }),
  constantFrom('', 'a', 'é', 'ÿ', 'Ā', '\ud800', '\udc00x', '\u{1f600}', 'a\0b', 'scan-00003'),
);

function namesOf(texts: readonly string[]): FolderNames {
  const names = new FolderNames();
  for (const [number, text] of texts.entries()) expect(names.add(text)).toBe(number);
  return names;
}

test('folder names are found by text and hash, also after being stored', () => {
  assert(
    property(array(name, { minLength: 1, maxLength: 40 }), (texts) => {
      const added = namesOf(texts);
      for (const names of [added, FolderNames.of(structuredClone(added.stored()))]) {
        expect(names.length).toBe(texts.length);
        for (const [number, text] of texts.entries()) {
          expect(names.at(number)).toBe(text);
          expect(names.hashOf(number)).toBe(hashOfText(text));
          for (const [other, another] of texts.entries())
            expect(names.is(number, another)).toBe(text === texts[other]);
        }
      }
    }),
  );
});

test('new folder names follow the stored ones', () => {
  const names = FolderNames.of(namesOf(['a', 'Ā']).stored());
  names.add('b');
  expect([0, 1, 2].map((number) => names.at(number))).toEqual(['a', 'Ā', 'b']);
});

test('columns of folder names that do not match are refused', () => {
  const { bytes, ends } = namesOf(['', 'ab', 'Āb']).stored();
  expect(() => FolderNames.of({ bytes: bytes.subarray(1), ends })).toThrow(RangeError);
  expect(() => FolderNames.of({ bytes, ends: ends.subarray(0, 2) })).toThrow(RangeError);
  expect(() => FolderNames.of({ bytes, ends: ends.toReversed() })).toThrow(RangeError);
  // A name consists of units of two bytes, so it cannot have three bytes.
  expect(() => FolderNames.of({ bytes: bytes.subarray(0, 3), ends: Uint32Array.of(7) })).toThrow(RangeError);
});
