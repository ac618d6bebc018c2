import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'lightningcss';
import { expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '../../..');
const sheetImport = /^import (\w+) from '([./]\S*\.module\.css)';$/gmu;

type Sources = ReadonlyMap<string, string>;

/** Reads the files that match the patterns. Their paths start at the repository. */
function sourcesOf(...patterns: readonly string[]): Sources {
  const names = patterns.flatMap((pattern) => globSync(pattern, { cwd: repository }));
  return new Map(names.map((name) => [name, readFileSync(path.join(repository, name), 'utf8')] as const));
}

/** Returns the classes that a CSS module defines, without its keyframes and containers. */
function classesIn(filename: string, source: string): readonly string[] {
  const { exports: classes } = transform({
    filename,
    code: Buffer.from(source),
    cssModules: { container: false },
  });
  if (typeof classes !== 'object') throw new Error(`${filename} is not a CSS module.`);
  return Object.keys(classes).filter((name) => classes[name]?.isReferenced === false);
}

interface Mistakes {
  /** Classes of a sheet that no file uses, as `sheet: class`. */
  readonly unused: readonly string[];
  /** Classes that a component names but its sheet does not define, as `component: class`. */
  readonly undefined: readonly string[];
}

/** Compares the classes of the sheets with the uses in the scripts. A computed class must be quoted in a script. */
function mistakesIn(sheets: Sources, scripts: Sources): Mistakes {
  const used = new Map([...sheets.keys()].map((sheet) => [sheet, new Set<string>()] as const));
  const missing: string[] = [];
  const quoted = new Set(
    [...scripts.values()].flatMap((source) => source.match(/(?<=')[a-zA-Z]+(?=')/gu) ?? []),
  );
  for (const [script, source] of scripts)
    for (const [, alias = '', address = ''] of source.matchAll(sheetImport)) {
      const sheet = path.normalize(path.join(path.dirname(script), address));
      const defined = classesIn(sheet, sheets.get(sheet) ?? '');
      const uses = used.get(sheet);
      for (const [, name = ''] of source.matchAll(new RegExp(`(?<![\\w.'/-])${alias}\\.(\\w+)`, 'gu')))
        uses?.add(name);
      if (new RegExp(`(?<![\\w.])${alias}\\[`, 'u').test(source))
        for (const name of defined) if (quoted.has(name)) uses?.add(name);
      for (const [, attribute = ''] of source.matchAll(/className=\{([^}]*\}?)/gu))
        for (const [, name = ''] of attribute.matchAll(new RegExp(`\\b${alias}\\.(\\w+)`, 'gu')))
          if (!defined.includes(name)) missing.push(`${script}: ${name}`);
    }
  const unused = [...sheets].flatMap(([sheet, source]) =>
    classesIn(sheet, source)
      .filter((name) => used.get(sheet)?.has(name) !== true)
      .map((name) => `${sheet}: ${name}`),
  );
  return { unused, undefined: missing };
}

test('each class of the style sheets is used, and each class that a component names is defined', () => {
  const sheets = sourcesOf('renderer/**/*.module.css');
  const scripts = sourcesOf('renderer/**/*.{ts,tsx}', 'shared/models/**/*.ts');
  expect(sheets.size).toBeGreaterThan(0);
  expect(mistakesIn(sheets, scripts)).toEqual({ unused: [], undefined: [] });
});

test('an unused class and an undefined class are found', () => {
  const sheets = new Map([['a/a.module.css', '.used, .computed, .left { color: red }']]);
  const scripts = new Map([
    [
      'a/b/b.tsx',
      `import classes from '../a.module.css';
<p className={classes.used} /><p className={\`\${classes.typo} x\`} /><p className={classes[kind]} />
const kind = 'computed';`,
    ],
  ]);
  expect(mistakesIn(sheets, scripts)).toEqual({
    unused: ['a/a.module.css: left'],
    undefined: ['a/b/b.tsx: typo'],
  });
});

test('the window has at most 34 CSS modules, and all style sheets together at most 5,000 lines', () => {
  expect(globSync('renderer/**/*.module.css', { cwd: repository }).length).toBeLessThanOrEqual(34);
  const lines = [...sourcesOf('renderer/**/*.css').values()].flatMap((source) => source.split('\n'));
  expect(lines.length).toBeLessThanOrEqual(5000);
});
