import type { Side } from './models/transfers.ts';

/** Times closer than this count as equal, because file systems and services store them with different precision. */
const toleranceMs = 2000;

/** Returns which side of a conflict is newer, or null if their times are unknown or too close to tell. */
export function newerSide(
  source: Pick<Side, 'modifiedAt'> | null,
  target: Pick<Side, 'modifiedAt'> | null,
): 'source' | 'target' | null {
  const fromMs = Date.parse(source?.modifiedAt ?? '');
  const toMs = Date.parse(target?.modifiedAt ?? '');
  if (Number.isNaN(fromMs) || Number.isNaN(toMs) || Math.abs(fromMs - toMs) < toleranceMs) return null;
  return fromMs > toMs ? 'source' : 'target';
}
