import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitName } from '../../../../shared/keys/split-name.ts';

test.each([
  ['short.txt', null],
  ['IMG_20260712_181530_0042.jpeg', ['IMG_20260712_181530_', '0042.jpeg']],
  ['backup-of-the-database-2026', ['backup-of-the-datab', 'ase-2026']],
  ['.configuration-of-the-shell', ['.configuration-of-t', 'he-shell']],
  ['a name. Ends in a sentence', ['a name. Ends in a ', 'sentence']],
  ['תמונה.jpg', ['תמונה', '.jpg']],
  ['تقرير', null],
] as const)('the name %s is split so that its end stays visible', (name, split) => {
  expect(splitName(name)).toEqual(split === null ? null : { head: split[0], tail: split[1] });
});

test('both pieces of any name join to the name and begin with a whole character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (name) => {
      const split = splitName(name);
      if (split === null) return;
      expect(split.head + split.tail).toBe(name);
      expect(split.head.isWellFormed() && split.tail.isWellFormed()).toBe(true);
      expect(split.head).not.toBe('');
      expect(split.tail).not.toMatch(/^\p{M}/u);
    }),
  );
});
