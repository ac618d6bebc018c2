import type { Foreign } from '../../../../shared/models/objects.ts';

/** No foreign names were listed. */
export const noForeign: Foreign = { count: 0, example: null };

/** Adds up the counts of names outside the requested prefix in two pages or lists, and keeps the first example. */
export function withForeign(sum: Foreign, more: Foreign): Foreign {
  if (more.count === 0) return sum;
  return { count: sum.count + more.count, example: sum.example ?? more.example };
}

/** Returns the names outside the requested prefix. They do not belong to the listing, so no operation may touch them. */
export function foreignNames(names: Iterable<string>, prefix: string | undefined): readonly string[] {
  if (prefix === undefined || prefix === '') return [];
  return Iterator.from(names)
    .filter((name) => !name.startsWith(prefix))
    .toArray();
}

/** Summarizes the foreign names that were left out of a page. */
export function foreignOf(names: readonly string[]): Foreign {
  return { count: names.length, example: names[0] ?? null };
}
