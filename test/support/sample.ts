import { Chance } from '../torture/chance.ts';

/**
 * Tests with very many cases import this file: `npm test` runs a sample of their cases, `npm run test:full` all of them. The
 * sample depends on a seed, so that a failure can be repeated; COOPER_TEST_SEED sets another seed.
 */
export const isWhole = process.env['COOPER_TEST_WHOLE'] === '1';

export const seed = Number(process.env['COOPER_TEST_SEED'] ?? 1);

/**
 * Returns `count` of the cases at random, in their order. Returns all cases in a whole run. Another `draw` gives another sample.
 */
export function sampleOf<T>(all: readonly T[], count: number, draw = 0): readonly T[] {
  if (isWhole) return all;
  const chance = new Chance(seed + draw);
  const left = [...all];
  while (left.length > count) left.splice(chance.integer(0, left.length - 1), 1);
  return left;
}

/** Returns how many runs a property test makes: `whole`, or a quarter of this number for a sample. */
export function runs(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 4);
}
