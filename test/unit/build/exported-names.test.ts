import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');
const roots = [
  'electron/core',
  'electron/service',
  'electron/host',
  'electron/browser',
  'electron/desktop',
  'renderer',
  'shared',
  'bin',
  'build',
];
const declaration =
  /^export (?:async |abstract |declare )*(?:function\*?|const|let|class|interface|type|enum) +([A-Za-z0-9_$]+)/gmu;

/** Returns the exported names which several files declare, each with these files. */
function sharedNames(files: ReadonlyMap<string, string>): readonly string[] {
  const filesOf = new Map<string, Set<string>>();
  for (const [file, source] of files)
    for (const [, name = ''] of source.matchAll(declaration))
      filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
  return [...filesOf]
    .filter(([, declaring]) => declaring.size > 1)
    .map(([name, declaring]) => `${name}: ${[...declaring].join(', ')}`);
}

test.each(roots)('no two files of %s export the same name', (root) => {
  const names = globSync('**/*.{ts,tsx,mjs}', { cwd: path.join(repository, root) });
  const files = new Map(
    names.map((name) => [name, readFileSync(path.join(repository, root, name), 'utf8')] as const),
  );
  expect(files.size).toBeGreaterThan(0);
  expect(sharedNames(files)).toEqual([]);
});

test('a name declared in two files is found, and a re-exported one is not', () => {
  const files = new Map([
    ['a.ts', 'export interface Place {}\nexport async function read() {}'],
    ['b.ts', "export type Place = string;\nexport { read } from './a.ts';"],
  ]);
  expect(sharedNames(files)).toEqual(['Place: a.ts, b.ts']);
});
