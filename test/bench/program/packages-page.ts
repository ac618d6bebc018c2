import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const namedImport =
  /^import \{(?<names>[^}]*)\} from '(?<named>[^'.][^']*)';|import\('(?<lazy>[^'.][^']*)'\)/gmu;

/**
 * Writes an empty page that imports the same names from the same packages as the window, and returns its folder. The difference
 * between building the window and building this page is the cost of Cooper's code.
 */
export function writePackagesPage(): string {
  const folder = path.join(root, '.cache', 'bench-packages-page');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { names, lazy } = importsOfWindow();
  const imports = [...names].map(([from, used], position) => {
    const aliased = [...used].map((name, at) => `${name} as name${position}x${at}`);
    const kept = [...used].map((_, at) => `name${position}x${at}`);
    return `import { ${aliased.join(', ')} } from '${from}';\nkept.push(${kept.join(', ')});`;
  });
  const code = [
    'const kept = (globalThis.kept = []);',
    ...imports,
    ...[...lazy].map((from) => `globalThis.load = () => import('${from}');`),
  ];
  writeFileSync(path.join(folder, 'page.js'), `${code.join('\n')}\n`);
  writeFileSync(path.join(folder, 'index.html'), '<script type="module" src="./page.js"></script>\n');
  return folder;
}

/** Returns what the window imports from packages: names by package, and packages that are loaded when they are needed. */
function importsOfWindow(): {
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  readonly lazy: ReadonlySet<string>;
} {
  const names = new Map<string, Set<string>>();
  const lazy = new Set<string>();
  for (const file of globSync('renderer/**/*.{ts,tsx}', { cwd: root })) {
    const source = readFileSync(path.join(root, file), 'utf8');
    for (const { groups } of source.matchAll(namedImport)) {
      const from = groups?.['named'] ?? groups?.['lazy'] ?? '';
      // The window's build generates the modules of this scheme.
      if (from.startsWith('virtual:')) continue;
      if (groups?.['lazy'] !== undefined) lazy.add(from);
      const used = (groups?.['names'] ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => name.replace(/ as .*$/u, ''));
      if (used.length > 0) names.set(from, new Set([...(names.get(from) ?? []), ...used]));
    }
  }
  return { names, lazy };
}
