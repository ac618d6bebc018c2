import { sampleOf } from '../../../test/support/sample.ts';

/** One of this many end-to-end files runs in `npm test`, which then takes at most eight minutes on two cores. */
const oneIn = 14;

/**
 * Returns the end-to-end test files that `npm test` runs: a fourteenth of all. It samples whole files, since some tests depend on
 * earlier ones. Another `draw` gives other files, so that successive commits run all areas of the window. `npm run test:whole`
 * runs all.
 */
export function sampleOfSpecs(specs: readonly string[], draw = 0): readonly string[] {
  return sampleOf(specs, Math.ceil(specs.length / oneIn), draw);
}
