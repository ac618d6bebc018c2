import { Chance } from '../torture/chance.ts';

/**
 * `npm test` takes a sample of what is tried in very many cases; `npm run test:full` tries them all, in the files that import
 * this one. The sample follows from a seed, so that what failed fails again: COOPER_TEST_SEED names another.
 */
export const isWhole = process.env['COOPER_TEST_WHOLE'] === '1';

export const seed = Number(process.env['COOPER_TEST_SEED'] ?? 1);

/** So many of them by chance, in their order. `draw`: another number draws another sample of the same cases. */
export function sampleOf<T>(all: readonly T[], count: number, draw = 0): readonly T[] {
  if (isWhole) return all;
  const chance = new Chance(seed + draw);
  const left = [...all];
  while (left.length > count) left.splice(chance.integer(0, left.length - 1), 1);
  return left;
}

/** How often a property is tried, of `whole` times. */
export function runs(whole: number): number {
  return isWhole ? whole : Math.ceil(whole / 4);
}
