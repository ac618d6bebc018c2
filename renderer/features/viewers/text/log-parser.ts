import type { StreamParser } from '@codemirror/language';

const rules: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/, 'meta'],
  [/\d\d:\d\d:\d\d(?:[.,]\d+)?/, 'meta'],
  [/\b(?:FATAL|CRITICAL|CRIT|ERROR|ERR|SEVERE|PANIC)\b/i, 'invalid'],
  [/\b(?:WARNING|WARN)\b/i, 'number'],
  [/\b(?:INFO|NOTICE)\b/i, 'keyword'],
  [/\b(?:DEBUG|TRACE|VERBOSE)\b/i, 'comment'],
  [/"(?:[^"\\]|\\.)*"/, 'string'],
  [/\b\d+(?:\.\d+){3}\b/, 'propertyName'],
];

/** Colours for logs of any kind: times, levels, what is quoted, addresses. */
export const logParser: StreamParser<unknown> = {
  name: 'log',
  token: (stream) => {
    for (const [pattern, style] of rules) if (stream.match(pattern, true)) return style;
    // A word as a whole, so that what is matched begins where a word does.
    if (!stream.eatWhile(/[\w-]/)) stream.next();
    return null;
  },
};
