import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.resolve(import.meta.dirname, '../../e2e');
/** Matches a bucket in the service that all tests of a worker share. */
const created =
  /\b(?:(?:labBucket|putAll|openEach)\((?:\s*win,)?\s*lab,\s*|lab\.store\.buckets\.create\()'([\w.-]+)'/gu;

test('no two end-to-end tests create a bucket of the same name, since any worker may run both', () => {
  const files = globSync('**/*.spec.ts', { cwd: folder });
  const names = files.flatMap((file) =>
    [...readFileSync(path.join(folder, file), 'utf8').matchAll(created)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
