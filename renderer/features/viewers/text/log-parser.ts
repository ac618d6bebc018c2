import type { StreamParser } from '@codemirror/language';

/** Patterns that are tried only at the current position. Quoted text is limited to 1,000 characters. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/y, 'meta'],
  [/\d\d:\d\d:\d\d(?:[.,]\d+)?/y, 'meta'],
  [/\b(?:FATAL|CRITICAL|CRIT|ERROR|ERR|SEVERE|PANIC)\b/iy, 'invalid'],
  [/\b(?:WARNING|WARN)\b/iy, 'number'],
  [/\b(?:INFO|NOTICE)\b/iy, 'keyword'],
  [/\b(?:DEBUG|TRACE|VERBOSE)\b/iy, 'comment'],
  [/"(?:[^"\\]|\\.){0,1000}"/y, 'string'],
  [/\b\d+(?:\.\d+){3}\b/y, 'propertyName'],
];

/** Colours times, levels, quoted text and addresses in any kind of log. */
export const logParser: StreamParser<unknown> = {
  name: 'log',
  token: (stream) => {
    // Not `stream.match`, which would search the rest of the line at each position and take minutes for a long line.
    for (const [pattern, style] of rules) {
      pattern.lastIndex = stream.pos;
      if (!pattern.test(stream.string)) continue;
      stream.pos = pattern.lastIndex;
      return style;
    }
    // Skips a whole word, so that the next pattern begins at the start of a word.
    if (!stream.eatWhile(/[\w-]/)) stream.next();
    return null;
  },
};
