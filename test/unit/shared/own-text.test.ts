import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownText } from '../../../shared/own-text.ts';

test('a copied string equals the original, also with lone surrogates', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(ownText(text)).toBe(text);
    }),
  );
  for (const text of ['', '\ud800', 'a\udc00b', '\u0000', '\u2028']) expect(ownText(text)).toBe(text);
});
