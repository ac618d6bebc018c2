import type { PartsSummary, Verdict } from '../../../shared/models/stalled.ts';
import { isBeingWritten } from '../multipart/parts/part-list.ts';

/**
 * Returns the first verdict that applies. `no-gaps` does not mean that the upload is complete, because the service does not know
 * its intended length.
 */
export function verdictOf(
  read:
    | { readonly kind: 'unread' }
    | { readonly kind: 'failed' }
    | { readonly kind: 'read'; readonly parts: PartsSummary },
  nowMs: number,
): Verdict {
  if (read.kind === 'unread') return 'unread';
  if (read.kind === 'failed') return 'could-not-be-read';
  const { parts } = read;
  if (isBeingWritten(parts.lastPartAt, nowMs)) return 'still-being-written';
  if (parts.partCount === 0) return 'empty';
  if (parts.gapCount > 0) return 'has-gaps';
  if (parts.smallCount > 0) return 'has-small-parts';
  return 'no-gaps';
}

/** The order of verdicts in the column. */
export const verdictRank: Readonly<Record<Verdict, number>> = {
  'could-not-be-read': 0,
  'still-being-written': 1,
  empty: 2,
  'has-gaps': 3,
  'has-small-parts': 4,
  'no-gaps': 5,
  unread: 6,
};
