import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  drawableText,
  hasCrowdedLine,
} from '../../../../renderer/features/viewers/text/special-characters.ts';

test('a line of NULs is drawn with visible symbols, one for one', () => {
  const text = `first\u0000\r\n${'\0'.repeat(300_000)}\nlast\u200b`;
  const drawable = drawableText(text);
  expect(drawable).toBe(`first\u0000\r\n${'␀'.repeat(300_000)}\nlast\u200b`);
  expect(hasCrowdedLine(text)).toBe(true);
  expect(hasCrowdedLine(drawable)).toBe(false);
});

test('control characters common in logs stay unchanged', () => {
  const text = '\u001b[31mred\u001b[0m\ttext\n'.repeat(5000);
  expect(drawableText(text)).toBe(text);
  expect(hasCrowdedLine(text)).toBe(false);
});

test('no line exceeds what the editor can draw, and no offset changes', () => {
  const parts = fc.constantFrom(
    '\0'.repeat(700),
    '\u202e'.repeat(700),
    'word',
    '\n',
    '\r\n',
    '\u007f',
    '\u0085'.repeat(400),
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const drawable = drawableText(text);
      expect(drawable).toHaveLength(text.length);
      expect(hasCrowdedLine(drawable)).toBe(false);
      expect(drawable.split(/\r\n|\r|\n/)).toHaveLength(text.split(/\r\n|\r|\n/).length);
    }),
  );
});
