import { toAppError, type AppError } from '../../../../shared/errors.ts';
import type { StartPlace } from '../../../../shared/models/connection.ts';

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
