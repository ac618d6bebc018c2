import type { StreamParser } from '@codemirror/language';

/** Each is tried at one place. What is quoted ends within 1,000 characters. */
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

/** Colours for logs of any kind: times, levels, what is quoted, addresses. */
export const logParser: StreamParser<unknown> = {
  name: 'log',
  token: (stream) => {
    // The stream's own match would look through the rest of the line from each place: a long line would take minutes.
    for (const [pattern, style] of rules) {
      pattern.lastIndex = stream.pos;
      if (!pattern.test(stream.string)) continue;
      stream.pos = pattern.lastIndex;
      return style;
    }
    // A word as a whole, so that what is matched begins where a word does.
    if (!stream.eatWhile(/[\w-]/)) stream.next();
    return null;
  },
};
