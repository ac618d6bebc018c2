import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importsOf } from '../../../build/scripts/layers/import-layers.ts';
import { workerEntries } from '../../../build/vite/hosts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Matches imports that load nothing when a thread starts, which are imports of types and dynamic imports. */
const loadsNothing = /^(?:import|export) type [\s\S]*?;$|\bimport\(\s*'[^']+'\s*\)|\bnew URL\([^)]*\)/gmu;

/** Returns the files that a thread loads when it starts. */
function loadedWith(entry: string): readonly string[] {
  const found = new Set([path.relative(root, entry).replaceAll('\\', '/')]);
  for (const file of found)
    for (const target of importsOf(file, sourceOf(file))) if (target.endsWith('.ts')) found.add(target);
  return [...found];
}

const sourceOf = (file: string): string =>
  readFileSync(path.join(root, file), 'utf8').replaceAll(loadsNothing, '');

test("no worker thread loads the contract's schemas, which take some 3 MiB each", () => {
  const entries = Object.values(workerEntries());
  expect(entries.length).toBeGreaterThan(3);
  const loading = entries.flatMap((entry) =>
    loadedWith(entry)
      .filter((file) => /\bfrom 'zod'/u.test(sourceOf(file)))
      .map((file) => `${path.basename(entry)} by ${file}`),
  );
  expect(loading).toEqual([]);
});
