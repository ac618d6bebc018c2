import type { Foreign } from '../../../../shared/models/objects.ts';
import { toAppError, type AppError } from '../../../../shared/errors.ts';
import type { StartPlace } from '../../../../shared/models/connection.ts';

/** The result if all listed names start with the requested prefix. */
export const noForeign: Foreign = { count: 0, example: null };

/** Adds up how many names outside the requested prefix were listed, and keeps the first example. */
export function withForeign(sum: Foreign, more: Foreign): Foreign {
  if (more.count === 0) return sum;
  return { count: sum.count + more.count, example: sum.example ?? more.example };
}

/** Returns the listed names outside the requested prefix. Operations must ignore them. */
export function foreignNames(names: readonly string[], prefix: string): readonly string[] {
  return names.filter((name) => !name.startsWith(prefix));
}

/** Returns the number of names outside the prefix, with an example. */
export function foreignOf(names: readonly string[]): Foreign {
  return { count: names.length, example: names[0] ?? null };
}

/**
 * Returns the prefixes to try for a listing, the widest first. An access key may only be allowed to list one prefix, so the
 * connection's start folder is tried next. A start such as `team` may mean `team/`, so both are tried.
 */
export function permittedPrefixes(
  { bucket, prefix }: StartPlace,
  start: StartPlace | null,
): readonly string[] {
  if (start?.bucket !== bucket) return [prefix];
  const narrower = [start.prefix, `${start.prefix}/`];
  return [prefix, ...narrower.filter((each) => each !== prefix && each.startsWith(prefix))];
}

/** Returns the error if a narrower prefix may still be listed; null for other errors. */
export function denialOf(thrown: unknown): AppError | null {
  const error = toAppError(thrown);
  return error.code === 'access-denied' ? error : null;
}
