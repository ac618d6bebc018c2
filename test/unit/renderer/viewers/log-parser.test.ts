import { StringStream } from '@codemirror/language';
import { expect, test } from 'vitest';
import { logParser } from '../../../../renderer/features/viewers/text/code-language.ts';

/** The coloured spans of a line. */
function coloured(line: string): readonly (readonly [string, string])[] {
  const stream = new StringStream(line, 4, 2);
  const found: (readonly [string, string])[] = [];
  while (!stream.eol()) {
    stream.start = stream.pos;
    const style = logParser.token(stream, null);
    if (style !== null) found.push([stream.current(), style]);
  }
  return found;
}

test('times, levels, quoted text and addresses in a log are highlighted at word boundaries', () => {
  expect(coloured('2026-05-09T06:30:00Z warn GET "a \\" b" 10.0.0.1 noinfo xERROR')).toEqual([
    ['2026-05-09T06:30:00Z', 'meta'],
    ['warn', 'number'],
    ['"a \\" b"', 'string'],
    ['10.0.0.1', 'propertyName'],
  ]);
});

test.each(['1:', '"', '[', '\u2400', '1.'])(
  'a log line of 400,000 times %j is scanned in linear time',
  (sign) => {
    expect(coloured(sign.repeat(400_000)).length).toBeLessThanOrEqual(400_000);
  },
);
