import path from 'node:path';
import { sampleOf } from '../../../test/support/sample.ts';

/** One file in so many: what fits into the minutes that `npm test` may take on two cores. */
const oneIn = 7;

/**
 * The files of end-to-end tests that `npm test` runs: a seventh of each folder, at least one, so that every area of the window is
 * met. Whole files, since the tests of some follow one another. `npm run test:whole` runs all.
 */
export function sampleOfSpecs(specs: readonly string[], draw = 0): readonly string[] {
  const byFolder = Map.groupBy(specs, (spec) => path.posix.dirname(spec));
  return [...byFolder.values()].flatMap((files) => sampleOf(files, Math.ceil(files.length / oneIn), draw));
}
