import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { detachedText } from '../../../shared/detached-text.ts';

test('a copied string equals the original, also with lone surrogates', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(detachedText(text)).toBe(text);
    }),
  );
  for (const text of ['', '\ud800', 'a\udc00b', '\u0000', '\u2028']) expect(detachedText(text)).toBe(text);
});
