import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor, type ESTree } from 'vite';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');

/** Words of comments and test titles that had to be read twice: they hide the subject, or there is an established term. */
const refused =
  /\b(?:told|tells of|anew|any more|whoever|nobody|somebody|what came|such a one|a word on|written down|in sight|had the keyboard|has the keyboard|goes on|go on|stands(?! for\b)|lies|looks at|looked at|looking at|at a word|without a word|by (?:itself|themselves)|of (?:its|their) own|(?<!as \w+ )as it is|the ones? that|(?:is|was|were) there|mends?|mended|takers?)\b/iu;
/** Beginnings of sentences that hide the subject. */
const refusedStart = /(?:^|[.!?]\s+)(?:What|Who|Whether|Of|Where)\b/u;
const functionsWithTitle = new Set(['test', 'it', 'describe']);

/** A comment: a block, or one line that begins a line or follows code. Texts in quotes or backticks are not the comment's own. */
const comments = /\/\*(?:[^*]|\*(?!\/))*\*\/|(?<=^|[\s;,{}()\]])\/\/[^\n]*/gmu;

function refusedComments(source: string): readonly string[] {
  return [...source.matchAll(comments)]
    .map(([text]) => text.replaceAll(/^\s*(?:\/\*\*?|\/\/|\*\/?)|\*\/$/gmu, '').trim())
    .filter((text) => {
      const prose = text.replaceAll(/`[^`]*`|“[^”]*”|"[^"]*"/gu, '');
      return refused.test(prose) || refusedStart.test(prose);
    });
}

/** Returns the name of the innermost function of `test.skipIf(…).each(…)(…)`. */
function calledName(callee: ESTree.Expression | ESTree.Super): string {
  if (callee.type === 'MemberExpression') return calledName(callee.object);
  if (callee.type === 'CallExpression') return calledName(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return calledName(callee.tag);
  return callee.type === 'Identifier' ? callee.name : '';
}

/** Returns the titles of tests and their groups; a value inside a title is left out. */
function titlesIn(file: string, source: string): readonly string[] {
  const titles: string[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [title, body] }) => {
      if (title === undefined || body === undefined || !functionsWithTitle.has(calledName(callee))) return;
      if (title.type === 'Literal' && typeof title.value === 'string') titles.push(title.value);
      if (title.type === 'TemplateLiteral') titles.push(title.quasis.map(({ value }) => value.raw).join(''));
    },
  }).visit(parseSync(file, source).program);
  return titles;
}

function isRefusedTitle(title: string): boolean {
  return refused.test(title) || refusedStart.test(title);
}

/** The time limit in ms for parsing all sources, which takes seconds of processor time that other programs may share. */
const parsingMs = 120_000;

/** Files with strings that look like comments. */
const lookalikes = new Set([
  'build/scripts/layers.ts',
  'test/corpora/open-in-window.ts',
  'test/unit/build/comment-words.test.ts',
  'test/unit/build/import-layers.test.ts',
]);

test('no comment uses a word that hides its subject', () => {
  const files = globSync('{electron,renderer,shared,bin,build,test}/**/*.{ts,tsx,mjs}', {
    cwd: repository,
    exclude: (name) => name === 'node_modules',
  })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !lookalikes.has(file) && file !== 'shared/messages/english.ts');
  expect(files.length).toBeGreaterThan(1000);
  const found = files.flatMap((file) =>
    refusedComments(readFileSync(path.join(repository, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['/** Whoever waits is told. */', 1],
  ['// What came is not the object.', 1],
  ['/** Returns the words “told” and `anew` unchanged. */', 0],
  ["const url = 'https://anew.example'; // Resolves the host.", 0],
])('the comment check of %s finds %i', (source, count) => {
  expect(refusedComments(source)).toHaveLength(count);
});

test('no test title uses a word that hides its subject', { timeout: parsingMs }, () => {
  const files = globSync('test/**/*.{ts,tsx}', { cwd: repository });
  const titles = files.flatMap((file) =>
    titlesIn(file, readFileSync(path.join(repository, file), 'utf8')).map((title) => [file, title] as const),
  );
  expect(titles.length).toBeGreaterThan(3000);
  expect(titles.filter(([, title]) => isRefusedTitle(title))).toEqual([]);
});

test.each([
  ["test('tells nobody', () => {});", 1],
  ["describe.each([1])('a page that %i looked at', () => {});", 1],
  ['test.skipIf(true).each([1])(`goes on where ${it} was`, () => {});', 1],
  ["it('what came last wins', async () => {});", 1],
  ["test('resumes at the byte reached', () => {});", 0],
  ["tellers('tells nobody', () => {});", 0],
])('the title check of %s finds %i', (source, count) => {
  expect(titlesIn('a.test.ts', source).filter(isRefusedTitle)).toHaveLength(count);
});

/** Maximum number of lines in a comment. A longer comment says too much, or the code beside it should say it. */
const maxLines = 3;
/** Marks of a comment that may be longer: it names its source, or what it throws. */
const namesSource = /https?:|§|#\d|API_|RFC|Throws/u;
/** Files with longer comments, and why. */
const longComments: Readonly<Record<string, string>> = {
  'build/scripts/check.ts': 'the flags of the command',
  'electron/core/transfers/downloads/receive.ts': 'why memory is detached by hand, with what was measured',
  'electron/core/walks/map/block.ts': 'a layout of bytes',
  'electron/core/walks/map/cell-runs.ts': 'a layout of bytes',
  'electron/core/walks/pages/page-memory.ts': 'the rule of a limit that follows a queue',
  'electron/core/walks/walk-source.ts': 'the two ways to use walks, with code',
  'electron/desktop/secrets/unavailable-store.ts': 'what holds for each kind of stored secret',
  'electron/desktop/system/menu.ts': 'where the menu differs from the roles of Electron',
  'electron/host/process.ts': 'what V8 does, which no code here shows',
};

function longCommentsIn(source: string): number {
  return [...source.matchAll(/^[ \t]*\/\*\*\n(?:[^*]|\*(?!\/))*\*\//gmu)].filter(
    ([text]) =>
      text.split('\n').filter((line) => !/^[\s/*]*$/u.test(line)).length > maxLines &&
      !namesSource.test(text),
  ).length;
}

test('a comment of more than three lines names its source, or has a reason here', () => {
  const files = globSync('{electron,renderer,shared,bin,build}/**/*.{ts,tsx}', { cwd: repository }).map(
    (file) => file.replaceAll('\\', '/'),
  );
  const long = files.filter(
    (file) => !lookalikes.has(file) && longCommentsIn(readFileSync(path.join(repository, file), 'utf8')) > 0,
  );
  expect(long.toSorted()).toEqual(Object.keys(longComments).toSorted());
});

test.each([
  ['/**\n * One.\n * Two.\n * Three.\n */', 0],
  ['/**\n * One.\n * Two.\n * Three.\n * Four.\n */', 1],
  ['/**\n * One.\n * Two.\n * Three.\n * Source: RFC 9110.\n */', 0],
])('%j has %i long comments', (source, count) => {
  expect(longCommentsIn(source)).toBe(count);
});
