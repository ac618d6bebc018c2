import type { Trail } from '../model/listing-types.ts';
import { createHash } from 'node:crypto';
import type { AppFailure } from '../../../../shared/errors.ts';
import { protocolFailure } from '../model/s3-errors.ts';

export const noTrail: Trail = { digest: '', digestAt: 0, count: 0, idle: 0 };

/** The maximum number of consecutive pages without an entry. */
export const maxIdlePages = 1000;

/**
 * Returns the trail after a page that is not the last. `names` identifies the page. Throws `listing-stuck` if the listing repeats
 * itself.
 */
export function follow(before: Trail, names: readonly unknown[], isEmpty: boolean): Trail {
  const count = before.count + 1;
  if (isEmpty) {
    if (before.idle >= maxIdlePages) throw stuck('only empty pages');
    return { ...before, count, idle: before.idle + 1 };
  }
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('base64url');
  if (digest === before.digest) throw stuck('the same pages again');
  // When the number of pages has doubled, this page replaces the recorded one. An empty page cannot, so the next page with
  // entries does.
  return count >= 2 * before.digestAt
    ? { digest, digestAt: count, count, idle: 0 }
    : { ...before, count, idle: 0 };
}

/** Returns true if a value from a page token has the form of a trail. */
export function isTrail(value: unknown): value is Trail {
  if (typeof value !== 'object' || value === null) return false;
  if (!('digest' in value) || !('digestAt' in value) || !('count' in value) || !('idle' in value))
    return false;
  const numbers = [value.digestAt, value.count, value.idle];
  return typeof value.digest === 'string' && numbers.every((number) => Number.isSafeInteger(number));
}

/**
 * Returns the error for a listing that claims to have more entries but never sends them. The entries so far are correct but
 * incomplete.
 */
export function stuck(gives = 'no way to go on'): AppFailure {
  return protocolFailure(
    'listing-stuck',
    `The service says that there is more, but gives ${gives}: the list is not complete.`,
    { retry: 'after-fix' },
  );
}
