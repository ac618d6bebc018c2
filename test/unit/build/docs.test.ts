import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const pages = globSync(['*.md', 'docs/**/*.md', '{electron,renderer,shared}/**/README.md'], { cwd: root });

test('every link of the documents leads to a file', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(path.join(root, path.dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every file that a folder's README lists exists in that folder", () => {
  const readmes = pages.filter((page) => page.endsWith('README.md') && page.includes('/'));
  const missing = readmes.flatMap((page) =>
    read(page)
      .split('\n')
      .filter((line) => line.startsWith('- `'))
      .flatMap((line) => [
        ...line
          .split(': ', 1)
          .join('')
          .matchAll(/`([\w/-]+\.tsx?)`/g),
      ])
      .map(([, name = '']) => path.join(path.dirname(page), name))
      .filter((file) => !existsSync(path.join(root, file))),
  );
  expect(readmes.length).toBeGreaterThan(40);
  expect(missing).toEqual([]);
});

test('every file that a document names exists', () => {
  const files = globSync('{bin,build,docs,electron,renderer,shared,test}/**/*', { cwd: root }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const missing = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...read(page).matchAll(/`([\w/-]+\/[\w.-]+\.(?:tsx?|css|mjs))`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
        .map((name) => `${page}: ${name}`),
    );
  expect(missing).toEqual([]);
});

test('every decision fits on one page of 40 lines', () => {
  const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root });
  expect(decisions.length).toBeGreaterThan(50);
  expect(decisions.filter((page) => read(page).trimEnd().split('\n').length > 40)).toEqual([]);
});

function read(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}
