import { StreamLanguage, type StreamParser } from '@codemirror/language';

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

type Loader = () => Promise<StreamParser<unknown>>;

const clike = async () => await import('@codemirror/legacy-modes/mode/clike');
const javascript = async () => await import('@codemirror/legacy-modes/mode/javascript');
const css = async () => await import('@codemirror/legacy-modes/mode/css');
const xml = async () => await import('@codemirror/legacy-modes/mode/xml');

const log: Loader = () => Promise.resolve(logParser);
const dockerfile: Loader = async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile;

/** The languages by the extensions of their files. */
const languages: readonly (readonly [extensions: string, load: Loader])[] = [
  ['c h cc cpp hpp', async () => (await clike()).cpp],
  ['java', async () => (await clike()).java],
  ['kt kts', async () => (await clike()).kotlin],
  ['scala', async () => (await clike()).scala],
  ['cs', async () => (await clike()).csharp],
  ['dart', async () => (await clike()).dart],
  ['js mjs cjs jsx', async () => (await javascript()).javascript],
  ['ts mts cts tsx', async () => (await javascript()).typescript],
  ['json jsonl ndjson geojson ipynb webmanifest', async () => (await javascript()).json],
  ['py', async () => (await import('@codemirror/legacy-modes/mode/python')).python],
  ['css', async () => (await css()).css],
  ['scss', async () => (await css()).sCSS],
  ['less', async () => (await css()).less],
  ['xml rss plist svg', async () => (await xml()).xml],
  ['html htm xhtml vue svelte', async () => (await xml()).html],
  ['yaml yml', async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml],
  ['toml', async () => (await import('@codemirror/legacy-modes/mode/toml')).toml],
  ['sh bash zsh fish env', async () => (await import('@codemirror/legacy-modes/mode/shell')).shell],
  ['ps1', async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell],
  ['sql', async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL],
  ['go', async () => (await import('@codemirror/legacy-modes/mode/go')).go],
  ['rs', async () => (await import('@codemirror/legacy-modes/mode/rust')).rust],
  ['rb', async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby],
  ['pl', async () => (await import('@codemirror/legacy-modes/mode/perl')).perl],
  ['lua', async () => (await import('@codemirror/legacy-modes/mode/lua')).lua],
  ['swift', async () => (await import('@codemirror/legacy-modes/mode/swift')).swift],
  ['r', async () => (await import('@codemirror/legacy-modes/mode/r')).r],
  ['diff patch', async () => (await import('@codemirror/legacy-modes/mode/diff')).diff],
  [
    'ini cfg conf properties',
    async () => (await import('@codemirror/legacy-modes/mode/properties')).properties,
  ],
  ['cmake', async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake],
  ['log', log],
];

/** Loads the syntax highlighting for a file by its name. Returns null for an unknown name. */
export async function languageFor(name: string): Promise<StreamLanguage<unknown> | null> {
  const load = loaderFor(name.toLowerCase());
  return load === null ? null : StreamLanguage.define(await load());
}

function loaderFor(name: string): Loader | null {
  if (/\.log(?:\.[\d-]+)?$/.test(name)) return log;
  if (/^dockerfile(?:\.|$)/.test(name)) return dockerfile;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return languages.find(([extensions]) => extensions.split(' ').includes(extension))?.[1] ?? null;
}
