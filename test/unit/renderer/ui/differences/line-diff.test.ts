import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, withoutUnchangedLines } from '../../../../../renderer/ui/differences/line-diff.ts';

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '  <Rule>'), { maxLength: 12 });

test("a diff's unchanged and removed lines form the old text, unchanged and added ones the new", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = lineDiff(before.join('\n'), after.join('\n'));
      const side = (other: string) => diff.filter(({ change }) => change !== other).map(({ text }) => text);
      expect(side('added')).toEqual(before);
      expect(side('removed')).toEqual(after);
    }),
  );
});

test('one changed line among many is shown as one removed and one added', () => {
  const before = Array.from({ length: 30 }, (_, at) => `line ${at}`);
  const diff = lineDiff(before.join('\n'), before.with(15, 'new').join('\n'));
  expect(diff.filter(({ change }) => change !== 'same')).toEqual([
    { change: 'removed', text: 'line 15' },
    { change: 'added', text: 'new' },
  ]);
  const short = withoutUnchangedLines(diff);
  expect(short).toHaveLength(10);
  expect([short.at(0), short.at(-1)]).toEqual([null, null]);
});

test('two long texts with nothing in common are diffed at once', () => {
  const diff = lineDiff(numberedLines('old'), numberedLines('new'));
  expect(diff.slice(0, 5000).every(({ change }) => change === 'removed')).toBe(true);
  expect(diff.slice(5000).every(({ change }) => change === 'added')).toBe(true);
  expect(diff).toHaveLength(10_000);
});

function numberedLines(name: string): string {
  return Array.from({ length: 5000 }, (_, at) => `${name} ${at}`).join('\n');
}
