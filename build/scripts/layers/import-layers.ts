import path from 'node:path';

/** The imports of each file. Paths are relative to the repository and use `/`. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * The imports allowed for the folders and files below one root. As a name, `folder/*` means each subfolder separately; as an
 * allowed import, it means the folder and everything in it.
 */
export type Layers = Readonly<Record<string, readonly string[]>>;

export interface Crossing {
  readonly file: string;
  readonly target: string;
  /** The entry in the table for `file`. `to` is the entry for `target`. */
  readonly from: string;
  readonly to: string;
}

const statement = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\bnew URL\(\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/gu;
const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gmu;

/** Returns the relative imports of a module: values and types, static and dynamic, and the workers that it starts. */
export function importsOf(file: string, source: string): readonly string[] {
  const found = new Set<string>();
  for (const [, , specifier = ''] of source.replaceAll(comment, '').matchAll(statement))
    found.add(path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier)));
  return [...found];
}

export function graphOf(sources: ReadonlyMap<string, string>): ImportGraph {
  return new Map(
    [...sources].map(([file, source]) => [
      file,
      importsOf(file, source).filter((target) => sources.has(target)),
    ]),
  );
}

/** Returns the longest name in the table that matches a file, or null. */
export function layerOf(layers: Layers, root: string, file: string): string | null {
  const below = path.posix.relative(root, file);
  let found: string | null = null;
  for (const name of Object.keys(layers)) {
    const match = name.endsWith('/*')
      ? new RegExp(`^${name.slice(0, -1)}[^/]+(?=/)`, 'u').exec(below)?.[0]
      : name === '.' && !below.includes('/')
        ? '.'
        : below === name || below.startsWith(`${name}/`)
          ? name
          : undefined;
    if (match !== undefined && (found === null || found === '.' || match.length > found.length))
      found = match;
  }
  return found;
}

function allowedFor(layers: Layers, layer: string): readonly string[] {
  return layers[layer] ?? layers[`${path.posix.dirname(layer)}/*`] ?? [];
}

function isAllowed(allowed: readonly string[], target: string): boolean {
  return allowed.some((name) =>
    name.endsWith('/*')
      ? target === name.slice(0, -2) || target.startsWith(name.slice(0, -1))
      : target === name,
  );
}

/** Returns the imports between folders that the table does not allow. */
export function forbidden(graph: ImportGraph, root: string, layers: Layers): readonly Crossing[] {
  return crossings(graph, root, layers).filter(({ from, to }) => !isAllowed(allowedFor(layers, from), to));
}

function crossings(graph: ImportGraph, root: string, layers: Layers): readonly Crossing[] {
  const found: Crossing[] = [];
  for (const [file, targets] of graph) {
    const from = layerOf(layers, root, file);
    if (from === null) continue;
    for (const target of targets) {
      const to = layerOf(layers, root, target);
      if (to !== null && to !== from) found.push({ file, target, from, to });
    }
  }
  return found;
}

/** Returns the files that no name in the table covers. */
export function unplaced(graph: ImportGraph, root: string, layers: Layers): readonly string[] {
  return [...graph.keys()].filter(
    (file) => file.startsWith(`${root}/`) && layerOf(layers, root, file) === null,
  );
}

/** Returns allowed imports that no file uses, and names that match no file, as `name: allowed`. */
export function unused(graph: ImportGraph, root: string, layers: Layers): readonly string[] {
  const used = crossings(graph, root, layers);
  const known = new Set([...graph.keys()].map((file) => layerOf(layers, root, file)));
  return Object.entries(layers).flatMap(([name, allowed]) => {
    const isOf = (layer: string): boolean =>
      name.endsWith('/*') ? path.posix.dirname(layer) === name.slice(0, -2) : layer === name;
    if (![...known].some((layer) => layer !== null && isOf(layer))) return [name];
    return allowed
      .filter((target) => !used.some(({ from, to }) => isOf(from) && isAllowed([target], to)))
      .map((target) => `${name}: ${target}`);
  });
}

/** Returns the sets of nodes that import each other directly or indirectly, each sorted. */
export function circles(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    stack.push(node);
    for (const target of graph.get(node) ?? []) {
      if (!order.has(target)) visit(target);
      if (stack.includes(target)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.toSorted());
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return found;
}

/** Returns the import graph between folders. Leaves out files directly in the root, which import and are imported by all. */
export function foldersOf(graph: ImportGraph, root: string): ImportGraph {
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of graph) {
    const from = path.posix.dirname(file);
    if (from === root) continue;
    const known = folders.get(from) ?? new Set();
    folders.set(from, known);
    for (const target of targets) {
      const to = path.posix.dirname(target);
      if (to !== from && to !== root) known.add(to);
    }
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
}

/** Returns the files below a root, and their imports of each other. */
export function below(graph: ImportGraph, root: string): ImportGraph {
  const isBelow = (file: string): boolean => file.startsWith(`${root}/`);
  return new Map(
    [...graph].filter(([file]) => isBelow(file)).map(([file, targets]) => [file, targets.filter(isBelow)]),
  );
}

/** Returns the imports from one root into another that the table does not allow, as `file imports target`. */
export function forbiddenBetween(
  graph: ImportGraph,
  roots: readonly string[],
  between: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return [...graph].flatMap(([file, targets]) => {
    const from = roots.find((root) => file.startsWith(`${root}/`)) ?? '';
    return targets
      .filter((target) => !target.startsWith(`${from}/`) && !covers(between[from] ?? [], target))
      .map((target) => `${file} imports ${target}`);
  });
}

/** Returns the imports between roots that are allowed but unused, as `root: allowed`. */
export function unusedBetween(
  graph: ImportGraph,
  between: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return Object.entries(between).flatMap(([root, allowed]) => {
    const targets = [...graph].filter(([file]) => file.startsWith(`${root}/`)).flatMap(([, names]) => names);
    return allowed
      .filter((name) => !targets.some((target) => covers([name], target)))
      .map((name) => `${root}: ${name}`);
  });
}

function covers(allowed: readonly string[], target: string): boolean {
  return allowed.some((name) => target === name || target.startsWith(`${name}/`));
}

export interface LintOverride {
  readonly files: readonly string[];
  readonly rules: Readonly<Record<string, unknown>>;
}

/** Returns the lint rule for each folder of the table. Lint rules match names, so folder names below a root must be unique. */
export function lintOverrides(
  graph: ImportGraph,
  root: string,
  layers: Layers,
  outside: readonly unknown[],
): readonly LintOverride[] {
  const names = [...new Set([...graph.keys()].map((file) => layerOf(layers, root, file) ?? '.'))]
    .filter((name) => name !== '.' && !name.endsWith('.ts'))
    .toSorted();
  return names.map((layer) => {
    const allowed = allowedFor(layers, layer);
    const others = names.filter((name) => name !== layer && !isAllowed(allowed, name));
    const permitted = allowed.length === 0 ? 'nothing else' : allowed.join(', ');
    const message = `${layer} may import ${permitted} of ${root}: build/layers.json.`;
    const pattern = { group: others.map((name) => `**/${path.posix.basename(name)}/**`), message };
    return {
      files: [`${root}/${layer}/**`],
      rules: { 'no-restricted-imports': ['error', { patterns: [...outside, pattern] }] },
    };
  });
}
