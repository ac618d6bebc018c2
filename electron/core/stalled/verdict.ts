import { stillWritingMs, type PartsSummary, type Verdict } from '../../../shared/models/uploads.ts';

/** The first verdict that holds. "No gaps" does not mean whole: the service cannot know the intended length. */
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

/** A part within the last 15 minutes. A part from the future (a clock that differs) counts as young. */
export function isBeingWritten(lastPartAt: string | null, nowMs: number): boolean {
  if (lastPartAt === null) return false;
  const atMs = Date.parse(lastPartAt);
  return !Number.isNaN(atMs) && nowMs - atMs < stillWritingMs;
}

/** The order of the verdict column. */
export const verdictRank: Readonly<Record<Verdict, number>> = {
  'could-not-be-read': 0,
  'still-being-written': 1,
  empty: 2,
  'has-gaps': 3,
  'has-small-parts': 4,
  'no-gaps': 5,
  unread: 6,
};
