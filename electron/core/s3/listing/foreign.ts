import type { Foreign } from '../../../../shared/models/objects.ts';

/** The result if all listed names start with the requested prefix. */
export const noForeign: Foreign = { count: 0, example: null };

/** Adds up how many names outside the requested prefix were listed, and keeps the first example. */
export function withForeign(sum: Foreign, more: Foreign): Foreign {
  if (more.count === 0) return sum;
  return { count: sum.count + more.count, example: sum.example ?? more.example };
}

/** Returns the listed names outside the requested prefix. Operations must ignore them. */
export function foreignNames(names: Iterable<string>, prefix: string | undefined): readonly string[] {
  if (prefix === undefined || prefix === '') return [];
  return Iterator.from(names)
    .filter((name) => !name.startsWith(prefix))
    .toArray();
}

/** Returns the number of names outside the prefix, with an example. */
export function foreignOf(names: readonly string[]): Foreign {
  return { count: names.length, example: names[0] ?? null };
}
