import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');

/** Words of comments that had to be read twice: their subject is hidden, or the field has a term. */
const refused =
  /\b(?:told|tells of|anew|any more|whoever|nobody|somebody|what came|such a one|a word on|written down|in sight|had the keyboard|has the keyboard)\b/iu;
/** A sentence that begins so hides its subject. */
const refusedStart = /^(?:What|Who|Whether)\b/u;

/** A comment: a block, or one line that begins a line or follows code. Texts in quotes or backticks are not the comment's own. */
const comments = /\/\*(?:[^*]|\*(?!\/))*\*\/|(?<=^|[\s;,{}()\]])\/\/[^\n]*/gmu;

function refusedComments(source: string): readonly string[] {
  return [...source.matchAll(comments)]
    .map(([text]) => text.replaceAll(/^\s*(?:\/\*\*?|\/\/|\*\/?)|\*\/$/gmu, '').trim())
    .filter((text) => {
      const own = text.replaceAll(/`[^`]*`|“[^”]*”|"[^"]*"/gu, '');
      return refused.test(own) || refusedStart.test(own);
    });
}

/** Files with strings that look like comments. */
const lookalikes = new Set([
  'build/scripts/layers.ts',
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
