import { assert, array, constantFrom, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { foreignCharacterOf, tidyKeyText } from '../../../shared/key-text.ts';

test.each([
  [' AKIA1\n', 'AKIA1'],
  ['"AKIA1"', 'AKIA1'],
  ["'AKIA1' ", 'AKIA1'],
  ['`AKIA1`', 'AKIA1'],
  ['“AKIA1”', 'AKIA1'],
  ['„AKIA1“', 'AKIA1'],
  ['«AKIA1»', 'AKIA1'],
  ['\uFEFF" AKIA1 "\u00A0', 'AKIA1'],
  ['"\'AKIA1\'"', 'AKIA1'],
  ['""', ''],
])('tidying a pasted key strips white space and quotes around %j', (typed, tidy) => {
  expect(tidyKeyText(typed)).toBe(tidy);
});

test.each(['"', 'pass"', '"pass', `'pass"`, 'pa"ss'])(
  'tidying a pasted key keeps the unpaired quote mark of %j',
  (typed) => {
    expect(tidyKeyText(typed)).toBe(typed);
  },
);

test.each([
  ['AKIA\u200B1', 'U+200B', 5],
  ['\u0410KIA', 'U+0410', 1],
  ['AK\u00ADIA', 'U+00AD', 3],
  ['AK IA', 'U+0020', 3],
  ['AK\u0000IA', 'U+0000', 3],
  ['AK\u007F', 'U+007F', 3],
  ['a\u{1F511}b\u{1F511}', 'U+1F511', 2],
  ['\uD83D', 'U+D83D', 1],
])('a warning names the first character of %j that keys never contain', (key, code, position) => {
  expect(foreignCharacterOf(key)).toEqual({ code, position });
});

test('every string of printable ASCII is accepted as a key', () => {
  const printable = Array.from({ length: 94 }, (_, index) => String.fromCodePoint(0x21 + index));
  assert(
    property(array(constantFrom(...printable)), (characters) => {
      expect(foreignCharacterOf(characters.join(''))).toBeNull();
    }),
  );
});

test('normalising a pasted key twice changes nothing', () => {
  assert(
    property(string(), (typed) => {
      expect(tidyKeyText(tidyKeyText(typed))).toBe(tidyKeyText(typed));
    }),
  );
});
