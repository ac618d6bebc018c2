import { toAppError, type AppError } from '../../../../shared/errors.ts';
import type { StartPlace } from '../../../../shared/models/connection.ts';

/**
 * Returns the prefixes to list for a place, the widest first. An access key may be allowed only one prefix of a bucket, so where
 * listing is denied, the start of the connection is listed instead. A start such as `team` may mean the folder `team/`, which may
 * be the only one allowed.
 */
export function permittedPrefixes(
  { bucket, prefix }: StartPlace,
  start: StartPlace | null,
): readonly string[] {
  if (start?.bucket !== bucket) return [prefix];
  const narrower = [start.prefix, `${start.prefix}/`];
  return [prefix, ...narrower.filter((each) => each !== prefix && each.startsWith(prefix))];
}

/** Returns the error if a narrower prefix may be listed although this one is denied; null for any other failure. */
export function denialOf(thrown: unknown): AppError | null {
  const error = toAppError(thrown);
  return error.code === 'access-denied' ? error : null;
}
