import path from 'node:path';
import { sampleOf } from '../../../test/support/sample.ts';

/** One of this many end-to-end files runs in `npm test`, which then takes only minutes on two cores. */
const oneIn = 7;

/**
 * Returns the end-to-end test files that `npm test` runs: a seventh of each folder, at least one, so that every area of the
 * window is covered. It samples whole files, since some tests depend on earlier ones. `npm run test:whole` runs all.
 */
export function sampleOfSpecs(specs: readonly string[], draw = 0): readonly string[] {
  const byFolder = Map.groupBy(specs, (spec) => path.posix.dirname(spec));
  return [...byFolder.values()].flatMap((files) => sampleOf(files, Math.ceil(files.length / oneIn), draw));
}
