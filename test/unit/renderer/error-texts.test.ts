import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../../../renderer');

/** The files that may read an error's own text, with the reason why it is not a sentence in the window. */
const mayRead = new Set([
  // The details of an error, for support.
  'ui/words/error-words.ts',
  // Recognises some errors by their text.
  'features/connections/model/explain-test.ts',
  // The pattern's parser reports where the pattern is wrong.
  'features/search/search-page.tsx',
  // Shows the updater's text, which names the file and the address.
  'features/updates/updates-section.tsx',
]);

test("the window never shows an error's English message", () => {
  const readers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/u.test(file) && !mayRead.has(file))
    .filter((file) =>
      /appErrorOf\([^()]*\)\.message|\berror\.message/u.test(readFileSync(path.join(root, file), 'utf8')),
    );
  expect(readers).toEqual([]);
});
