import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  below,
  forbiddenBetween,
  unusedBetween,
  circles,
  foldersOf,
  forbidden,
  graphOf,
  importsOf,
  layerOf,
  lintOverrides,
  unplaced,
  unused,
  type ImportGraph,
  type Layers,
} from '../../../build/scripts/layers/import-layers.ts';

/** Returns the import graph of a root `r` with these imports. */
function files(imports: Readonly<Record<string, readonly string[]>>): ImportGraph {
  return new Map(
    Object.entries(imports).map(([file, targets]) => [`r/${file}`, targets.map((target) => `r/${target}`)]),
  );
}

const layers: Layers = { 'ports.ts': [], low: ['ports.ts'], high: ['low'], '.': ['high'] };

test('type imports, dynamic imports, exports and workers count as imports; comments do not', () => {
  const source = `
    import type { A } from './a.ts';
    import {
      b,
    } from '../b/b.ts';
    export { c } from './c.ts';
    const d = await import('./d.ts');
    const e = new Worker(new URL('./e-worker.ts', import.meta.url));
    import './f.ts';
    // import { g } from './g.ts';
    /* import { h } from './h.ts'; */
    import z from 'zod';
  `;
  expect(importsOf('r/x/file.ts', source)).toEqual([
    'r/x/a.ts',
    'r/b/b.ts',
    'r/x/c.ts',
    'r/x/d.ts',
    'r/x/e-worker.ts',
    'r/x/f.ts',
  ]);
});

test('an import graph contains only imports between its own files', () => {
  const graph = graphOf(
    new Map([
      ['r/a.ts', `import { b } from './b.ts'; import { c } from '../outside.ts';`],
      ['r/b.ts', ''],
    ]),
  );
  expect([...graph]).toEqual([
    ['r/a.ts', ['r/b.ts']],
    ['r/b.ts', []],
  ]);
});

test('an import of a higher layer is found, also of a type, unless the table allows it', () => {
  const graph = files({
    'low/a.ts': ['ports.ts', 'high/b.ts'],
    'high/b.ts': ['low/a.ts'],
    'ports.ts': [],
    'main.ts': ['high/b.ts', 'low/a.ts'],
  });
  expect(forbidden(graph, 'r', layers).map(({ file, target }) => `${file} ${target}`)).toEqual([
    'r/low/a.ts r/high/b.ts',
    'r/main.ts r/low/a.ts',
  ]);
});

test('folders of `features/*` are independent, and nested folders have their own line', () => {
  const table: Layers = { 'features/*': ['ui'], ui: [], 'ui/parts': [], app: ['features/*'] };
  expect(layerOf(table, 'r', 'r/features/one/a.ts')).toBe('features/one');
  expect(layerOf(table, 'r', 'r/ui/parts/a.ts')).toBe('ui/parts');
  const graph = files({
    'features/one/a.ts': ['features/two/b.ts', 'features/one/c/d.ts', 'ui/e.ts'],
    'features/one/c/d.ts': [],
    'features/two/b.ts': [],
    'ui/e.ts': ['ui/parts/f.ts'],
    'ui/parts/f.ts': [],
    'app/g.ts': ['features/two/b.ts'],
  });
  expect(forbidden(graph, 'r', table).map(({ from, to }) => `${from} ${to}`)).toEqual([
    'features/one features/two',
    'ui ui/parts',
  ]);
});

test('a file without a layer and an unused allowance are reported', () => {
  const graph = files({ 'low/a.ts': [], 'other/b.ts': [] });
  expect(unplaced(graph, 'r', { low: [] })).toEqual(['r/other/b.ts']);
  expect(unused(graph, 'r', { low: ['other'], other: [], gone: [] })).toEqual(['low: other', 'gone']);
});

test('cycles of files and folders of any length are found', () => {
  const graph = files({
    'a/1.ts': ['b/2.ts'],
    'b/2.ts': ['c/3.ts'],
    'c/3.ts': ['a/4.ts', 'main.ts'],
    'a/4.ts': ['a/5.ts'],
    'a/5.ts': ['a/4.ts'],
    'main.ts': ['a/1.ts'],
  });
  expect(circles(graph)).toEqual([
    ['r/a/4.ts', 'r/a/5.ts'],
    ['r/a/1.ts', 'r/b/2.ts', 'r/c/3.ts', 'r/main.ts'],
  ]);
  expect(circles(foldersOf(graph, 'r'))).toEqual([['r/a', 'r/b', 'r/c']]);
});

test('imports between roots follow their table by root, folder or file', () => {
  const graph = new Map([
    ['a/x.ts', ['b/low/y.ts', 'c/z.ts', 'a/w.ts']],
    ['a/w.ts', []],
    ['b/low/y.ts', ['c/z.ts']],
    ['b/high.ts', []],
    ['c/z.ts', []],
  ]);
  const roots = ['a', 'b', 'c'];
  expect(forbiddenBetween(graph, roots, { a: ['b/low', 'c/z.ts'], b: ['c'] })).toEqual([]);
  expect(forbiddenBetween(graph, roots, { a: ['b'] })).toEqual([
    'a/x.ts imports c/z.ts',
    'b/low/y.ts imports c/z.ts',
  ]);
  expect(forbiddenBetween(graph, roots, { a: ['b/lo', 'c'], b: ['c'] })).toEqual([
    'a/x.ts imports b/low/y.ts',
  ]);
  expect(unusedBetween(graph, { a: ['b', 'c'], b: ['c', 'a'], c: ['b'] })).toEqual(['b: a', 'c: b']);
  expect(below(graph, 'a')).toEqual(
    new Map([
      ['a/x.ts', ['a/w.ts']],
      ['a/w.ts', []],
    ]),
  );
});

test('the lint rules forbid each folder what the table does not allow', () => {
  const graph = files({ 'low/a.ts': [], 'high/b.ts': ['low/a.ts'], 'ports.ts': [], 'main.ts': [] });
  const outside = [{ group: ['react*'], message: 'No React.' }];
  expect(lintOverrides(graph, 'r', layers, outside)).toEqual([
    {
      files: ['r/high/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [outside[0], { group: [], message: 'high may import low of r: build/layers.json.' }] },
        ],
      },
    },
    {
      files: ['r/low/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              outside[0],
              { group: ['**/high/**'], message: 'low may import ports.ts of r: build/layers.json.' },
            ],
          },
        ],
      },
    },
  ]);
});

test('each folder of the table comes after those that it may import', () => {
  const { roots } = JSON.parse(
    readFileSync(path.resolve(import.meta.dirname, '../../../build/layers.json'), 'utf8'),
  ) as { readonly roots: Readonly<Record<string, Layers>> };
  const late = Object.entries(roots).flatMap(([root, table]) => {
    const names = Object.keys(table);
    return Object.entries(table).flatMap(([name, allowed]) =>
      allowed
        .filter((target) => !target.endsWith('/*') && names.indexOf(target) >= names.indexOf(name))
        .map((target) => `${root}: ${name} imports ${target}`),
    );
  });
  expect(late).toEqual([]);
});
