import path from 'node:path';
import type { ImportGraph } from '../layers/import-layers.ts';
import { sampleOf } from '../../../test/support/sample.ts';

export interface ChangedTests {
  /** The chosen test files for vitest. `specs` are the chosen files for Playwright. */
  readonly vitest: readonly string[];
  readonly specs: readonly string[];
  /** The number of affected tests that exceeded the budget. */
  readonly omittedCount: number;
}

const testName = /\.test\.tsx?$/u;
const specName = /\.spec\.ts$/u;

/** Maps source folders to the folders of their end-to-end tests, if the names differ. */
export const folderOfSpecs: Readonly<Record<string, string>> = {
  objects: 'browse',
  app: 'browse',
  panes: 'browse',
  connections: 'browse',
  jobs: 'transfers',
  multipart: 'stalled',
  versions: 'properties',
  links: 'desktop',
  edits: 'desktop',
  settings: 'desktop',
};

/** The time budget of each runner, compared with the sum of its files' last durations. */
export interface ChangeBudget {
  readonly vitestSeconds: number;
  readonly specSeconds: number;
}

/**
 * Selects the tests to run after a change, within `budget`: first changed tests, then tests that import a changed file or are
 * named after it, then end-to-end tests of the same area. `secondsOf` returns a test's last duration.
 */
export function testsOfChange(
  changed: readonly string[],
  graph: ImportGraph,
  options: { readonly budget: ChangeBudget; readonly secondsOf: (test: string) => number },
): ChangedTests {
  const distances = distancesFrom(changed, graph);
  const candidates = [...graph.keys()].flatMap((file): readonly (readonly [string, number])[] => {
    const found = isRunTest(file)
      ? [distances.get(file), ...changed.map((changedFile) => distanceByName(changedFile, file))].filter(
          (distance) => distance !== undefined,
        )
      : [];
    return found.length === 0 ? [] : [[file, Math.min(...found)]];
  });
  const nearestFirst = candidates.toSorted(
    ([left, near], [other, far]) => near - far || (left < other ? -1 : left === other ? 0 : 1),
  );
  const { vitestSeconds, specSeconds } = options.budget;
  const vitest = withinSeconds(vitestSeconds, ([file]) => testName.test(file));
  const specs = withinSeconds(specSeconds, ([file]) => specName.test(file));
  return { vitest, specs, omittedCount: candidates.length - vitest.length - specs.length };

  function withinSeconds(
    budgetSeconds: number,
    isOfRunner: (candidate: readonly [string, number]) => boolean,
  ): readonly string[] {
    const chosen: string[] = [];
    let seconds = 0;
    for (const [file, distance] of nearestFirst.filter(isOfRunner)) {
      const expected = options.secondsOf(file);
      // A changed test always runs, even if it exceeds the budget.
      if (distance > 0 && seconds + expected > budgetSeconds) continue;
      chosen.push(file);
      seconds += expected;
    }
    return chosen;
  }
}

/** Returns true for tests that can run separately. The suite for the real Electron only runs as a whole. */
function isRunTest(file: string): boolean {
  return testName.test(file) || (specName.test(file) && file.startsWith('test/e2e/'));
}

/**
 * Returns how far a test is from a changed file by their names, for tests without an import chain to it: end-to-end tests never
 * import the window, and checks of all texts import no text.
 */
function distanceByName(changed: string, test: string): number | undefined {
  if (changed.startsWith('test/')) return undefined;
  const folders = new Set(foldersOf(changed).map((folder) => folderOfSpecs[folder] ?? folder));
  if (!foldersOf(test).some((folder) => folders.has(folder))) return undefined;
  const words = new Set(wordsOf(changed));
  if (wordsOf(test).some((word) => words.has(word)) || folders.has('messages')) return 1;
  return specName.test(test) ? 2 : undefined;
}

/** Returns the folders that name a file's subject. */
function foldersOf(file: string): readonly string[] {
  return path.posix
    .dirname(file)
    .split('/')
    .filter((folder) => !kindsOfFolders.has(folder));
}

const kindsOfFolders: ReadonlySet<string> = new Set(
  'test unit integration e2e renderer features electron core host shared build scripts'.split(' '),
);

function wordsOf(file: string): readonly string[] {
  return (path.posix.basename(file).split('.', 1)[0] ?? '').split('-');
}

/** Returns the number of imports between each file and the nearest changed file. */
function distancesFrom(changed: readonly string[], graph: ImportGraph): ReadonlyMap<string, number> {
  const importers = new Map<string, string[]>();
  for (const [file, imported] of graph)
    for (const target of imported) importers.set(target, [...(importers.get(target) ?? []), file]);
  const distances = new Map(changed.map((file) => [file, 0]));
  const queue = [...changed];
  for (let file = queue.shift(); file !== undefined; file = queue.shift())
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) {
        distances.set(importer, (distances.get(file) ?? 0) + 1);
        queue.push(importer);
      }
  return distances;
}

/** Returns the tests that import one of these files, directly or indirectly. */
export function testsReaching(targets: readonly string[], graph: ImportGraph): readonly string[] {
  const distances = distancesFrom(targets, graph);
  return [...graph.keys()].filter((file) => isRunTest(file) && distances.has(file));
}

/** One of this many end-to-end files runs in `npm test`, which then takes at most eight minutes on two cores. */
const sampleDivisor = 14;

/**
 * Returns the end-to-end test files that `npm test` runs: a fourteenth of all. It samples whole files, since some tests depend on
 * earlier ones. Another `draw` gives other files, so that successive commits run all areas of the window. `npm run test:whole`
 * runs all.
 */
export function sampleOfSpecs(specs: readonly string[], draw = 0): readonly string[] {
  return sampleOf(specs, Math.ceil(specs.length / sampleDivisor), draw);
}
