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

const c: Loader = async () => (await import('@codemirror/legacy-modes/mode/clike')).cpp;
const java: Loader = async () => (await import('@codemirror/legacy-modes/mode/clike')).java;
const kotlin: Loader = async () => (await import('@codemirror/legacy-modes/mode/clike')).kotlin;
const scala: Loader = async () => (await import('@codemirror/legacy-modes/mode/clike')).scala;
const csharp: Loader = async () => (await import('@codemirror/legacy-modes/mode/clike')).csharp;
const dart: Loader = async () => (await import('@codemirror/legacy-modes/mode/clike')).dart;
const javascript: Loader = async () => (await import('@codemirror/legacy-modes/mode/javascript')).javascript;
const typescript: Loader = async () => (await import('@codemirror/legacy-modes/mode/javascript')).typescript;
const json: Loader = async () => (await import('@codemirror/legacy-modes/mode/javascript')).json;
const python: Loader = async () => (await import('@codemirror/legacy-modes/mode/python')).python;
const css: Loader = async () => (await import('@codemirror/legacy-modes/mode/css')).css;
const scss: Loader = async () => (await import('@codemirror/legacy-modes/mode/css')).sCSS;
const less: Loader = async () => (await import('@codemirror/legacy-modes/mode/css')).less;
const xml: Loader = async () => (await import('@codemirror/legacy-modes/mode/xml')).xml;
const html: Loader = async () => (await import('@codemirror/legacy-modes/mode/xml')).html;
const yaml: Loader = async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml;
const toml: Loader = async () => (await import('@codemirror/legacy-modes/mode/toml')).toml;
const shell: Loader = async () => (await import('@codemirror/legacy-modes/mode/shell')).shell;
const powershell: Loader = async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell;
const sql: Loader = async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL;
const go: Loader = async () => (await import('@codemirror/legacy-modes/mode/go')).go;
const rust: Loader = async () => (await import('@codemirror/legacy-modes/mode/rust')).rust;
const ruby: Loader = async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby;
const perl: Loader = async () => (await import('@codemirror/legacy-modes/mode/perl')).perl;
const lua: Loader = async () => (await import('@codemirror/legacy-modes/mode/lua')).lua;
const swift: Loader = async () => (await import('@codemirror/legacy-modes/mode/swift')).swift;
const r: Loader = async () => (await import('@codemirror/legacy-modes/mode/r')).r;
const diff: Loader = async () => (await import('@codemirror/legacy-modes/mode/diff')).diff;
const dockerfile: Loader = async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile;
const properties: Loader = async () => (await import('@codemirror/legacy-modes/mode/properties')).properties;
const cmake: Loader = async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake;
const log: Loader = () => Promise.resolve(logParser);

const loaders: Readonly<Record<string, Loader>> = {
  c,
  h: c,
  cc: c,
  cpp: c,
  hpp: c,
  java,
  kt: kotlin,
  kts: kotlin,
  scala,
  cs: csharp,
  dart,
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: javascript,
  ts: typescript,
  mts: typescript,
  cts: typescript,
  tsx: typescript,
  json,
  jsonl: json,
  ndjson: json,
  geojson: json,
  ipynb: json,
  webmanifest: json,
  py: python,
  css,
  scss,
  less,
  xml,
  rss: xml,
  plist: xml,
  svg: xml,
  html,
  htm: html,
  xhtml: html,
  vue: html,
  svelte: html,
  yaml,
  yml: yaml,
  toml,
  sh: shell,
  bash: shell,
  zsh: shell,
  fish: shell,
  env: shell,
  ps1: powershell,
  sql,
  go,
  rs: rust,
  rb: ruby,
  pl: perl,
  lua,
  swift,
  r,
  diff,
  patch: diff,
  ini: properties,
  cfg: properties,
  conf: properties,
  properties,
  cmake,
  log,
};

/** Loads the syntax highlighting for a file by its name. Returns null for an unknown name. */
export async function languageFor(name: string): Promise<StreamLanguage<unknown> | null> {
  const load = loaderFor(name.toLowerCase());
  return load === null ? null : StreamLanguage.define(await load());
}

function loaderFor(name: string): Loader | null {
  if (/\.log(?:\.[\d-]+)?$/.test(name)) return log;
  if (/^dockerfile(?:\.|$)/.test(name)) return dockerfile;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return Object.hasOwn(loaders, extension) ? (loaders[extension] ?? null) : null;
}
