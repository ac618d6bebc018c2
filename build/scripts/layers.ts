// `npm run layers`: checks the imports between folders against build/layers.json. `--write` writes the lint rules made from it.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  circles,
  foldersOf,
  below,
  forbidden,
  forbiddenBetween,
  graphOf,
  lintOverrides,
  unplaced,
  unused,
  unusedBetween,
  type ImportGraph,
  type Layers,
  type LintOverride,
} from './layers/import-layers.ts';
import { root } from './run-command.ts';

interface Table {
  readonly roots: Readonly<Record<string, Layers>>;
  /** The roots, folders or files that each root may import from other roots. A root without an entry may import none. */
  readonly between: Readonly<Record<string, readonly string[]>>;
  /** The outside imports that are forbidden in every file of a root. */
  readonly outside: Readonly<
    Record<string, readonly { readonly group: readonly string[]; readonly message: string }[]>
  >;
}

const lintFile = path.join(root, 'build/lint-layers.json');
const table = JSON.parse(readFileSync(path.join(root, 'build/layers.json'), 'utf8')) as Table;
const problems: string[] = [];

const overrides: LintOverride[] = [];
const roots = Object.keys(table.roots);
const wholeGraph = readGraph(roots);
for (const [folder, layers] of Object.entries(table.roots)) {
  const graph = below(wholeGraph, folder);
  report(folder, graph, layers);
  overrides.push(...lintOverrides(graph, folder, layers, table.outside[folder] ?? []));
}
reportBetween();
compareLint();
for (const line of problems) console.error(line);
process.exitCode = problems.length === 0 ? 0 : 1;

function readGraph(folders: readonly string[]): ImportGraph {
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
    .map((file) => file.replaceAll('\\', '/'));
  return graphOf(
    new Map(files.toSorted().map((file) => [file, readFileSync(path.join(root, file), 'utf8')])),
  );
}

function reportBetween(): void {
  const forbiddenImports = forbiddenBetween(wholeGraph, roots, table.between);
  const fileCircles = circles(wholeGraph);
  console.log(
    `between roots: ${forbiddenImports.length} against the table, ${fileCircles.length} circles of files`,
  );
  problems.push(
    ...forbiddenImports,
    ...fileCircles.map((circle) => `In a circle: ${circle.join(', ')}`),
    ...unusedBetween(wholeGraph, table.between).map(
      (name) => `build/layers.json names what nothing imports: between: ${name}`,
    ),
  );
}

function report(folder: string, graph: ImportGraph, layers: Layers): void {
  const forbiddenImports = forbidden(graph, folder, layers).map(
    ({ file, target }) => `${file} imports ${target}`,
  );
  const fileCircles = circles(graph);
  const folderCircles = circles(foldersOf(graph, folder));
  const imports = [...graph.values()].reduce((sum, targets) => sum + targets.length, 0);
  console.log(
    `${folder}: ${graph.size} files, ${Object.keys(layers).length} layers, ${imports} imports; ` +
      `${forbiddenImports.length} against the table, ${fileCircles.length} circles of files, ${folderCircles.length} of folders`,
  );
  problems.push(
    ...forbiddenImports,
    ...[...fileCircles, ...folderCircles].map((circle) => `In a circle: ${circle.join(', ')}`),
    ...unused(graph, folder, layers).map(
      (name) => `build/layers.json names what is not there any more: ${folder}: ${name}`,
    ),
  );
  problems.push(...unplaced(graph, folder, layers).map((file) => `No layer for ${file}`));
}

/** Checks that the lint rules match build/layers.json; with `--write`, rewrites them. */
function compareLint(): void {
  // Without an explicit `plugins`, oxlint would add its default plugins to those of the extending file.
  const expectedRules = { plugins: [], overrides };
  if (
    isDeepStrictEqual(JSON.parse(readFileSync(lintFile, 'utf8')), JSON.parse(JSON.stringify(expectedRules)))
  )
    return;
  if (!process.argv.includes('--write')) {
    problems.push('build/lint-layers.json does not match build/layers.json. Run npm run layers -- --write');
    return;
  }
  const lines = overrides.map((override) => JSON.stringify(override));
  writeFileSync(lintFile, `{"plugins":[],"overrides":[\n${lines.join(',\n')}\n]}\n`);
}
