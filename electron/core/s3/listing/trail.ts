import { createHash } from 'node:crypto';
import type { AppFailure } from '../../../../shared/errors.ts';
import { protocolFailure } from '../errors.ts';

/**
 * What a listing's pages have in common so far, to know one that goes round in a circle. It is small, since it travels in
 * the page token: one earlier page, replaced at each power of two (R. P. Brent's way to find a cycle), so that a round of any
 * length is noticed though tokens are ever new and entries come in an order of the service's own.
 */
export interface Trail {
  readonly digest: string;
  /** Pages so far. */
  readonly count: number;
  /** Pages without an entry, one after the other: services leave out what they have read, but not for ever. */
  readonly idle: number;
}

export const noTrail: Trail = { digest: '', count: 0, idle: 0 };

/** So many pages without an entry may follow one another. */
export const maxIdlePages = 1000;

/** Takes a page that is not the last one into account; `names` tell it from others. Throws `listing-stuck` where the listing goes round. */
export function follow(before: Trail, names: readonly unknown[], isEmpty: boolean): Trail {
  const count = before.count + 1;
  if (isEmpty) {
    if (before.idle >= maxIdlePages) throw stuck('only empty pages');
    return { digest: before.digest, count, idle: before.idle + 1 };
  }
  const digest = createHash('sha256').update(JSON.stringify(names)).digest('base64url');
  if (digest === before.digest) throw stuck('the same pages again');
  const isPowerOfTwo = (count & (count - 1)) === 0;
  return { digest: isPowerOfTwo || before.digest === '' ? digest : before.digest, count, idle: 0 };
}

/** Whether something that came back from a caller is a trail. */
export function isTrail(value: unknown): value is Trail {
  if (typeof value !== 'object' || value === null) return false;
  if (!('digest' in value) || !('count' in value) || !('idle' in value)) return false;
  return (
    typeof value.digest === 'string' && Number.isSafeInteger(value.count) && Number.isSafeInteger(value.idle)
  );
}

/** A listing that says that there is more, and does not come to it. What came before it is right; it is not all. */
export function stuck(gives = 'no way to go on'): AppFailure {
  return protocolFailure(
    'listing-stuck',
    `The service says that there is more, but gives ${gives}: the list is not complete.`,
    { retry: 'after-fix' },
  );
}
